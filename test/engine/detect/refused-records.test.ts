import { expect, it } from 'vitest';
import { refusedRecords } from '../../../engine/detect/refused-records.ts';
import { message } from '../pipeline/fakes.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';

const MEBIBYTE = 1 << 20;

it.each([
  ['a short one', '{"a":', 'no JSON object'],
  ['a cut one', 'x'.repeat(MEBIBYTE), 'cut at 1 MiB: no JSON object'],
  ['one that was cut in front of a character', 'ä'.repeat(MEBIBYTE / 2 - 1), 'cut at 1 MiB: no JSON object'],
  ['one of an input with another limit', 'x'.repeat(2 * MEBIBYTE), 'no JSON object'],
])('a refused record says that it was cut: %s', (_what, payload, reason) => {
  const [record] = refusedRecords(batchOf([message(payload)]), [{ row: 0, reason: 'no JSON object' }]);
  expect(record?.reason).toBe(reason);
});
