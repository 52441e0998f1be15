async function* lines(stream) {
  let rest = ''
  for await (const chunk of stream) {
    rest += chunk
    const parts = rest.split('\n')
    rest = parts.pop() ?? ''
    yield* parts
  }
  if (rest) yield rest
}
const cache = new WeakMap()
function memo(fn) {
  return function (...args) {
    if (!cache.has(fn)) cache.set(fn, {})
    const known = cache.get(fn), key = JSON.stringify(args)
    return key in known ? known[key] : (known[key] = fn.apply(this, args))
  }
}
do { var i = (i | 0) + 1 } while (i < 10)
let pattern = /[\p{L}--[a-z]]/v, s = "a\u{1F600}\x41\
b", t = 'it\'s'
if (a) b(); else if (c) d()
else { e() }
try { f() } catch ({ message }) { g(message) }
