#!/usr/bin/env node
'use strict';
const { readFile, writeFile: write } = require('fs/promises');
class Store extends Map {
  #limit = 10;
  static #count = 0;
  static { Store.#count++; }
  constructor(limit = 10, ...rest) {
    super(rest);
    this.#limit = limit;
  }
  get limit() { return this.#limit }
  set limit(value) { this.#limit = value ?? 10 }
  static has(o) { return #limit in o; }
  async *entries() {
    for await (const [k, v] of super.entries()) {
      if (v == null) continue;
      yield `${k}=${v?.name ?? 'none'}`;
    }
  }
}
async function main([first, ...others], { flag = false, deep: { x } = {} } = {}) {
  try {
    const text = await readFile(first, 'utf8');
    const lines = text.split(/\r?\n/u).map((l) => l.trim()).filter(Boolean);
    for (const line of lines) console.log(line);
    return await Promise.all(others.map(async o => (await import(o)).default));
  } catch {
    process.exitCode = 1
  } finally {
    clean?.();
  }
}
main(process.argv.slice(2)).then(() => {}, e => console.error(e))
