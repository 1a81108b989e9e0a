import { parse } from 'acorn';
import { expect, it } from 'vitest';
import { leafFunctions } from '../../../../engine/sandbox/host/leaf-functions.ts';
import { plainLoops } from '../../../../engine/sandbox/host/plain-loops.ts';

/** The texts of the plain loops, and of the statements that the outermost of them are. */
function found(text: string): { readonly loops: string[]; readonly statements: string[] } {
  const program = parse(text, { ecmaVersion: 'latest', sourceType: 'module' });
  const { loops, statements } = plainLoops(program, leafFunctions(program));
  const textsOf = (nodes: Iterable<{ readonly start: number; readonly end: number }>) =>
    [...nodes].map(({ start, end }) => text.slice(start, end));
  return { loops: textsOf(loops), statements: textsOf(statements) };
}

it.each([
  ['for (;;) i++;'],
  ['while (i < text.charCodeAt(i)) i = Math.max(i, 1);'],
  ['do { list.push(i); } while (map.has(i));'],
  ['for (const key in o) n += o[key];'],
  ['for (const value of list) n += value;'],
])('plain: %s', (loop) => expect(found(`function f() { ${loop} }`)).toEqual({ loops: [loop], statements: [loop] }));

it.each([
  ['at the top level', 'for (;;) i++;'],
  ['a call', 'function f() { for (;;) g(); } function g() { while (a) h(); }'],
  ['a method of no known name', 'function f() { for (;;) o.step(); }'],
  ['a method that the script defines', 'class A { push() { for (;;) list.push(1); } }'],
  ['one that it assigns', 'A.prototype.push = 1; function f() { for (;;) list.push(1); }'],
  ['new', 'function f() { for (;;) new A(); }'],
  ['yield', 'function* f() { for (;;) yield 1; }'],
  ['over iterators of its own', 'function* g() {} function f() { for (const x of y) n++; }'],
])('not plain: %s', (_what, text) => expect(found(text).loops).toEqual([]));

it('calls of leaf functions are plain', () => {
  expect(found('function leaf(c) { return c > 1; } function f() { while (leaf(i)) i++; }').loops).toEqual(['while (leaf(i)) i++;']);
});

it('tells the outermost ones, with their labels', () => {
  const text = 'function f() { a: b: for (;;) { while (x) x--; } }';
  expect(found(text)).toEqual({
    loops: ['for (;;) { while (x) x--; }', 'while (x) x--;'],
    statements: ['a: b: for (;;) { while (x) x--; }'],
  });
});

it('a loop within one that is not plain is one by itself', () => {
  expect(found('function f() { for (;;) { g(); while (x) x--; } }')).toEqual({ loops: ['while (x) x--;'], statements: ['while (x) x--;'] });
});
