import { expect, it } from 'vitest';
import { SHAPE_BYTES, shapeInto, shapeText } from '../../../../engine/store/difference/shapes.ts';

it.each([
  ['/api/v2/items/123?q=456', '/api/v2/items/<*>?q=<*>'],
  ['from 10.0.0.7:8080 port 22', 'from <*> port <*>'],
  ['trace 7f3a9c21-0b1c-4d5e id', 'trace <*> id'],
  ['took 1,234.5 ms', 'took <*> ms'],
  ['Failed\njava.io.IOException: gone\n\tat a.b(C.java:12)', 'Failed\njava.io.IOException: gone'],
  ['nothing varies', 'nothing varies'],
  ['', ''],
])('the shape of %j leaves out what varies', (text, shape) => {
  const [bytes, out] = [Buffer.from(`..${text}..`, 'latin1'), Buffer.alloc(SHAPE_BYTES)];
  expect(shapeText(out.toString('latin1', 0, shapeInto(bytes, 2, 2 + text.length, out)))).toBe(shape);
});
