import { describe, expect, it } from 'vitest';
import { outlineOf, ScriptOutline, TypeInValueError } from '../../../engine/plugins/script-outline.ts';

/** The text of a constant's value. */
function valueOf(text: string, name = 'A'): string | undefined {
  const found = new ScriptOutline(text).constant(name);
  return found && text.slice(found.start, found.end);
}

describe('the value of a constant', () => {
  it.each([
    ['const A = 1;', '1'],
    ['export const A = { b: [1, 2] };', '{ b: [1, 2] }'],
    ['const A: Record<string, number> = { b: 1 };', '{ b: 1 }'],
    ['const A: { b: (c: number) => void } = 5;', '5'],
    ['// const A = 0;\nconst t = "const A = 0;";\nconst A = 2;', '2'],
    ['const r = /const A = 0/; const A = 3;', '3'],
    ['function f() { const A = 0; } const A = 4;', '4'],
    ['const A = 1; const A2 = 2;', '1'],
    ['const { A } = m; function mod() { const A = 5; }', '5'],
    ['const x = y!; const A = /a/;', '/a/'],
  ])('%s', (text, value) => expect(valueOf(text)).toBe(value));

  it.each([
    ['const A = 1 as number;', 'Literal'],
    ['const A = { b: 1 } as const;', 'ObjectExpression'],
    ['const A = [1 as number, 2] satisfies readonly number[];', 'ArrayExpression'],
  ])('is there without the types that are asserted: %s', (text, type) => expect(new ScriptOutline(text).constant('A')?.type).toBe(type));

  it.each(['', 'let A = 1;', 'function f() { const A = 1; }', 'const B = 1;', 'as const A = 1', 'const A;'])(
    'there is none: %s',
    (text) => {
      expect(valueOf(text)).toBeUndefined();
    },
  );

  it('says where a type stands that cannot be read over', () => {
    const text = 'const A = {\n b: 1 as { c: 1 } };';
    const outline = new ScriptOutline(text);
    let found: unknown;
    try {
      outline.constant('A');
    } catch (error) {
      found = error;
    }
    expect(found).toBeInstanceOf(TypeInValueError);
    expect((found as TypeInValueError).position).toBe(text.indexOf('as {'));
    expect(outline.lineAt(text.indexOf('as {'))).toBe(2);
  });

  it('does not parse', () => expect(() => valueOf('const A = {;')).toThrow(SyntaxError));
});

describe('imports and exports', () => {
  const outline = new ScriptOutline(`import { A, B as C, type D } from './x.js';
import E from './e.js';
const F = 1;
export { F as G, A };
export { H, I as J } from './y.js';
export const K = 2;`);

  it.each([
    ['A', { name: 'A', specifier: './x.js', at: 0 }],
    ['C', { name: 'B', specifier: './x.js', at: 0 }],
    ['B', undefined],
    ['D', undefined],
    ['E', undefined],
  ])('%s is imported', (name, origin) => expect(outline.imported(name)).toEqual(origin));

  it.each([
    ['G', 'F'],
    ['A', 'A'],
    ['K', 'K'],
    ['F', undefined],
  ])('%s is exported', (name, local) => expect(outline.exported(name)).toBe(local));

  it('passes on what it does not know', () => {
    const local = outline.exported('J');
    expect(outline.imported(local ?? '')).toMatchObject({ name: 'I', specifier: './y.js' });
  });
});

it.each([
  [0, 1],
  [2, 2],
  [3, 3],
])('character %d is in line %d', (position, line) => expect(new ScriptOutline('a\n\nb').lineAt(position)).toBe(line));

it('is kept for a text, whatever was asked before, and for a few texts only', () => {
  const texts = Array.from({ length: 40 }, (_, i) => `const A = ${i}; const B = A as string; const C = ;`);
  for (const text of [...texts, texts[39] as string]) {
    expect(outlineOf(text).constant('A')).toEqual(new ScriptOutline(text).constant('A'));
    for (let i = 0; i < 2; i++) expect(() => outlineOf(text).constant('C')).toThrow(SyntaxError);
  }
  expect(outlineOf(texts[39] as string)).toBe(outlineOf(texts[39] as string));
  expect(outlineOf(texts[0] as string)).not.toBe(outlineOf(`${texts[0]} `));
});
