import { expect, test } from 'vitest';
import { BytesUnderWay } from '../../../../engine/sandbox/wire/bytes-under-way.ts';

test('knows the most bytes that were under way together', () => {
  const bytes = new BytesUnderWay();
  expect(bytes.sent(1, 1, 100)).toBe(true);
  expect(bytes.sent(2, 1, 50)).toBe(true);
  bytes.answered(1, 1);
  expect(bytes.sent(1, 2, 60)).toBe(false);
  expect(bytes.most).toBe(150);
  expect(bytes.sent(12, 1, 70)).toBe(true);
  expect(bytes.most).toBe(180);
});

test('forgets the calls of a sandbox that has ended, and of no other', () => {
  const bytes = new BytesUnderWay();
  for (const [box, call] of [
    [1, 1],
    [1, 2],
    [11, 1],
  ] as const)
    bytes.sent(box, call, 100);
  bytes.ended(1);
  expect(bytes.sent(2, 1, 200)).toBe(false);
  expect(bytes.sent(2, 2, 1)).toBe(true);
  expect(bytes.most).toBe(301);
});

test('takes an answer once', () => {
  const bytes = new BytesUnderWay();
  bytes.sent(1, 1, 100);
  bytes.answered(1, 1);
  bytes.answered(1, 1);
  expect(bytes.sent(1, 2, 100)).toBe(false);
  expect(bytes.sent(1, 3, 1)).toBe(true);
});
