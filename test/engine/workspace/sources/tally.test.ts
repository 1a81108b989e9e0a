import { expect, test } from 'vitest';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import type { Message } from '../../../../engine/message/types.ts';
import type { DecodedRecords } from '../../../../engine/pipeline/decode-stage.ts';
import { SourceTally } from '../../../../engine/workspace/sources/tally.ts';

const message = (user: string): Message => ({
  uuid: new Uint8Array(16),
  timestamp: 0n,
  fields: [{ name: 'user', valueType: 0, values: [user] }],
});

function records(users: readonly string[]): DecodedRecords {
  const batch = batchOf(users.map(message));
  return { input: { batch }, batch, decoded: batch, raw: null, failures: [], origins: null, undecoded: 0 } as unknown as DecodedRecords;
}

test('values of the first records are measured, and of some later ones', () => {
  const tally = new SourceTally();
  const many = (count: number, length: number): string[] => Array<string>(count).fill('x'.repeat(length));
  const steps: [users: string[], longest: number][] = [
    [many(300, 8), 8],
    // Too soon after those before.
    [many(300, 12), 8],
    [many(9600, 12), 8],
    [many(200, 12), 12],
    // Only a few at the beginning of a batch.
    [[...many(8, 5), ...many(12_000, 30)], 12],
    [many(10_000, 20), 20],
  ];
  for (const [users, longest] of steps) {
    tally.take(records(users));
    expect(tally.lengths.get('user')).toBe(longest);
  }
});
