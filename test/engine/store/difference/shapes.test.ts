import { expect, it } from 'vitest';
import { markSpans, SHAPE_BYTES, shapeInto, shapeText, literalsOf } from '../../../../engine/store/difference/shapes.ts';

it.each([
  ['/api/v2/items/123?q=456', '/api/v2/items/<*>?q=<*>'],
  ['from 10.0.0.7:8080 port 22', 'from <*> port <*>'],
  ['trace 7f3a9c21-0b1c-4d5e id', 'trace <*> id'],
  ['took 1,234.5 ms', 'took <*> ms'],
  ['took 5ms of v2', 'took <*> of v2'],
  ['at 12: 7.', 'at <*>: <*>.'],
  ['Failed\njava.io.IOException: gone\n\tat a.b(C.java:12)', 'Failed\njava.io.IOException: gone'],
  ['nothing varies', 'nothing varies'],
  ['', ''],
])('the shape of %j leaves out what varies', (text, shape) => {
  const [bytes, out] = [Buffer.from(`..${text}..`, 'latin1'), Buffer.alloc(SHAPE_BYTES)];
  expect(shapeText(out.toString('latin1', 0, shapeInto(bytes, 2, 2 + text.length, out)))).toBe(shape);
});

it('finds the words that the marks of a shape stand for', () => {
  const text = 'from 10.0.0.7:8080 took 1,234.5ms, id 7f3a9c21.';
  const [bytes, out] = [Buffer.from(`..${text}`, 'latin1'), Buffer.alloc(SHAPE_BYTES)];
  const words = literalsOf(out.toString('latin1', 0, shapeInto(bytes, 2, bytes.length, out)));
  const spans = new Uint32Array(2 * (words.length - 1));
  const lengths = words.slice(0, -1).map(({ length }) => length);
  markSpans(bytes, 2, bytes.length, lengths, spans);
  expect([0, 2, 4].map((at) => bytes.toString('latin1', spans[at], spans[at + 1]))).toEqual(['10.0.0.7:8080', '1,234.5ms', '7f3a9c21']);
});
