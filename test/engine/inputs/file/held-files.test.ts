import { expect, it } from 'vitest';
import { boundOf } from '../../../../engine/inputs/file/held-files.ts';

it.each([
  { limit: null, held: 200 },
  { limit: 1_048_576, held: 4096 },
  { limit: 1024, held: 512 },
  { limit: 64, held: 10 },
  { limit: 20, held: 1 },
])('of $limit descriptors, files take $held', ({ limit, held }) => {
  expect(boundOf(limit)).toBe(held);
});
