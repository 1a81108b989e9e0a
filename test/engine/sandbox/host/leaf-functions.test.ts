import { parse } from 'acorn';
import { expect, it } from 'vitest';
import { leafFunctions } from '../../../../engine/sandbox/host/leaf-functions.ts';

const leaves = (text: string): string[] => {
  const program = parse(text, { ecmaVersion: 'latest', sourceType: 'module' });
  return [...leafFunctions(program)].map((node) => (node as unknown as { id: { name: string } }).id.name);
};

it.each<[text: string, names: string[]]>([
  ['function f(c) { return c > 47 && c < 58; } f(1);', ['f']],
  ['function f(t, i) { return t.charCodeAt(i) === t.indexOf("x"); }', ['f']],
  ['export function f() { return 1; } export { f as g };', ['f']],
  ['function f() { if (a) return 1; else return 2; } const o = { f: 1, g() {} }; o.f;', ['f']],
  ['function f() {} function g() {}', ['f', 'g']],
])('leaves: %s', (text, names) => expect(leaves(text)).toEqual(names));

it.each([
  ['a loop', 'function f() { for (;;) {} }'],
  ['another call', 'function f() { return g(); }'],
  ['a method of its own name', 'function f(o) { return o.step(); }'],
  ['a computed method', 'function f(o) { return o["charAt"](1); }'],
  ['new', 'function f() { return new A(); }'],
  ['this', 'function f() { return this.a; }'],
  ['a function within', 'function f() { return () => 1; }'],
  ['a generator', 'function* f() {}'],
  ['an entry point', 'function process_message() { return 0; } function timer_event() {}'],
  ['two of one name', 'function f() {} { function f() {} }'],
  ['used as a value', 'function f() {} const g = f;'],
  ['handed on', 'function f() {} g(f);'],
  ['a default value', 'function f() {} function g(a = f) { for (;;) {} }'],
  ['a computed key', 'function f() {} o[f];'],
  ['a shorthand', 'function f() {} const o = { f };'],
])('no leaf: %s', (_what, text) => expect(leaves(text)).toEqual([]));
