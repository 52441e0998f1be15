function* fibonacci(limit = Infinity) {
  let [a, b] = [0n, 1n];
  while (a < limit) {
    const reset = yield a;
    if (reset) [a, b] = [0n, 1n];
    else [a, b] = [b, a + b];
  }
  return yield* other();
}
const mask = 0b1010_1010, mode = 0o755, big = 1_000_000;
const re = /(?<year>\d{4})-(?<month>\d\d)(?<!x)/dgu;
const tag = (strings, ...values) => strings.raw.reduce((all, s, i) => `${all}${s}${values[i] ?? ''}`, '');
let html = tag`<b>${name}</b> and ${ { a: 1 }.a }`, tex = tag`\unicode ${name}`;
outer: for (let i = 0, n = list.length; i < n; i++) {
  for (const j in list[i]) {
    if (j === i) continue outer;
    if (!j) break outer;
  }
}
options ||= {}; options.a &&= 2 ** 3 ** 2; options.b ??= (-1) ** 2;
