import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SHAPE_BYTES, shapeInto } from '../../../../engine/store/difference/shapes.ts';
import { ShapeTemplates } from '../../../../engine/store/difference/shape-templates.ts';
import { wordsOf } from '../../../../engine/store/difference/text-codes.ts';

const shapeOf = (text: string): string => {
  const [bytes, out] = [Buffer.from(text, 'latin1'), Buffer.alloc(SHAPE_BYTES)];
  return out.toString('latin1', 0, shapeInto(bytes, 0, bytes.length, out));
};

it('knows no text by another one that has not its shape', () => {
  const word = fc.constantFrom('get', 'v2', 'v22', '7', '1234', 'abc12', 'items-7', 'é', '');
  const text = fc
    .array(fc.tuple(word, fc.constantFrom(' ', '/', '.', ':', '?q=', '\n', '\n\t')), { maxLength: 8 })
    .map((parts) => parts.flat().join(''));
  fc.assert(
    fc.property(fc.array(text, { minLength: 8, maxLength: 40 }), (texts) => {
      const templates = new ShapeTemplates();
      const shapes: string[] = [];
      for (const one of [...texts, ...texts]) {
        const bytes = wordsOf(Buffer.from(`..${one}..`, 'latin1'));
        const [shape, code] = [shapeOf(one), templates.codeOf(bytes, 2, 2 + one.length)];
        if (code >= 0) expect(shapes[code]).toBe(shape);
        else templates.learn(bytes, 2, 2 + one.length, shapes.push(shape) - 1);
      }
    }),
  );
});

it('knows a text by another one whose numbers differ', () => {
  const templates = new ShapeTemplates();
  const of = (text: string): number => templates.codeOf(wordsOf(Buffer.from(text)), 0, text.length);
  const text = 'GET /items/12?q=345 HTTP/1.1';
  for (let i = 0; i < 8; i++) templates.learn(wordsOf(Buffer.from(text)), 0, text.length, 5);
  expect(['GET /items/7?q=abc12 HTTP/2.0', 'GET /items/12?q=345 HTTP/1', 'GET /items/x?q=345 HTTP/1.1', 'GET', ''].map(of)).toEqual([
    5, -1, -1, -1, -1,
  ]);
});
