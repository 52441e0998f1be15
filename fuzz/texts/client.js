const api = {
  base: 'https://example.org',
  get url() { return this.base },
  set url(v) { this.base = v },
  async fetch(path, { method = 'GET', ...init } = {}) {
    const response = await fetch(`${this.base}/${path}`, { method, ...init })
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
    return response.json()
  },
  *[Symbol.iterator]() { yield* Object.keys(this) },
  ['computed' + 1]: 1,
  shorthand, async: true, get: 1, set: 2, 'quoted': null, 3: 4,
}

const sum = (...ns) => ns.reduce((a, b) => a + b, 0)
const pick = ({ a, b: [c, , d = 1], ...rest }) => ({ a, c, d, rest })
document.querySelectorAll('a')?.forEach?.(el => el.addEventListener('click', async (event) => {
  event.preventDefault()
  await sum(1, 2)
}))
function Old() { if (!new.target) return new Old(); }
export_ = typeof globalThis !== 'undefined' ? globalThis : this
