import { NO_RESULT } from '../../../engine/sandbox/contract/types.ts';
import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { textAt, type MessageBatch } from '../../../engine/message/batch/batch.ts';
import { completedBatch } from '../../../engine/pipeline/completed.ts';

const batch = (...payloads: readonly string[]): MessageBatch =>
  batchOf(payloads.map((payload) => ({ uuid: new Uint8Array(16), timestamp: 0n, payload, fields: [] })));
const payloads = (of: MessageBatch): (string | undefined)[] => Array.from({ length: of.length }, (_, row) => of.message(row).payload);

/** Records of one chunk, which lie one behind the other. */
const INPUT = batch('a\n', 'b\n', 'c\n', 'd\n');

const NOTHING = { others: new Set<number>(), refused: [], joined: new Map<number, number>() };

describe('the batch of records that were read again', () => {
  it.each([
    ['one message for each record', ['A', 'b', 'C', 'D'], null, [1], ['a\n', 'b\n', 'c\n', 'd\n'], ['A', 'C', 'D'], [1], [2]],
    [
      'several messages before a record is refused',
      ['A1', 'A2', 'a', 'D'],
      [0, 0, 0, 3],
      [0],
      ['a\n', 'a\n', 'a\n', 'd\n'],
      ['A1', 'A2', 'D'],
      [2],
      [3],
    ],
    ['none refused', ['A', 'D'], [0, 3], [], ['a\n', 'd\n'], ['A', 'D'], [], [0]],
  ] as const)('%s', (_, messages, origins, refused, raw, decoded, rows, others) => {
    const from = origins === null ? null : Uint32Array.from(origins);
    const result = { ...NO_RESULT, injected: batch(...messages), origins: from };
    const byAnother = new Set(others.map((row) => (origins === null ? row : (origins[row] as number))));
    const reasons = refused.map((row) => ({ row, reason: 'no' }));
    const done = completedBatch(INPUT, { result, others: byAnother, refused: reasons, joined: new Map() });
    expect(done.others).toEqual(others);
    expect(payloads(done.batch)).toEqual(messages);
    expect(payloads(done.decoded)).toEqual(decoded);
    expect(done.failures).toEqual(rows.map((row) => ({ row, reason: 'no' })));
    expect(messages.map((_text, row) => done.raw && textAt(done.raw, row))).toEqual(raw);
  });

  it('the text of a joined record reaches to the end of its last row', () => {
    const result = { ...NO_RESULT, injected: batch('A', 'b\nc'), origins: Uint32Array.of(0, 1) };
    const { raw } = completedBatch(INPUT, { ...NOTHING, result, refused: [{ row: 1, reason: 'no' }], joined: new Map([[1, 2]]) });
    expect([0, 1].map((row) => raw && textAt(raw, row))).toEqual(['a\n', 'b\nc\n']);
  });

  it('nothing is left of blank records', () => {
    const done = completedBatch(INPUT, { ...NOTHING, result: NO_RESULT });
    expect(done).toMatchObject({ batch: { length: 0 }, decoded: { length: 0 }, failures: [] });
  });
});
