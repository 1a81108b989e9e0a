import { expect, it } from 'vitest';
import { repeatedText, Repeats } from '../../../../engine/store/sort/repeats.ts';

it.each([
  ['took 12 ms of 1,500', 'took 0 ms of 0,0'],
  ['id 5b8efff79803 of 0x7ffd, defaced', 'id 0 of 0x0ffd, defaced'],
  ['550e8400-aaaa-bbbb-cccc-446655440000 of 12ab-cafe', '0 of 0-cafe'],
  ['10:07:59 GET /a?b=1', '0:0:0 GET /a?b=0'],
])('%s is as %s', (text, repeated) => {
  expect(repeatedText(text)).toBe(repeated);
});

it('folds what follows in the same stream, in the order of the rows', () => {
  const repeats = new Repeats(10);
  const records = ['a x', 'a x', 'b x', 'a x', 'a y', 'b x', 'a x'].map((one) => one.split(' ') as [string, string]);
  for (const [stream, text] of records) repeats.take(stream, text);
  const plain = repeats.fold(null);
  expect([...plain.arrivals]).toEqual([0, 2, 4, 6]);
  expect([...plain.rows]).toEqual([0, 0, 1, 0, 2, 1, 3]);
  expect([...plain.counts]).toEqual([3, 2, 1, 1]);
  const merged = repeats.fold(Uint32Array.of(2, 5, 0, 1, 3, 4, 6));
  expect([...merged.arrivals]).toEqual([2, 0, 4, 6]);
  expect([...merged.rows]).toEqual([1, 1, 0, 1, 2, 0, 3]);
  expect([...merged.counts]).toEqual([2, 3, 1, 1]);
});
