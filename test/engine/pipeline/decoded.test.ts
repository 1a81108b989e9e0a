import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import type { MessageBatch } from '../../../engine/message/batch/batch.ts';
import { mergeDecoded, textOfRows, withoutRefused } from '../../../engine/pipeline/decoded.ts';

const batch = (...payloads: readonly string[]): MessageBatch =>
  batchOf(payloads.map((payload) => ({ uuid: new Uint8Array(16), timestamp: 0n, payload, fields: [] })));
const payloads = (of: MessageBatch): (string | undefined)[] => Array.from({ length: of.length }, (_, row) => of.message(row).payload);
const failed = (...rows: readonly number[]) => rows.map((row) => ({ row, reason: `r${row}` }));

describe('merges messages and refused records', () => {
  it('all taken', () => {
    const injected = batch('A', 'B');
    const merged = mergeDecoded(batch('a', 'b'), { injected, origins: null, failures: [] });
    expect(merged).toMatchObject({ batch: injected, decoded: injected, failures: [], origins: null, undecoded: 0 });
  });

  it('all refused', () => {
    const merged = mergeDecoded(batch('a', 'b'), { injected: null, origins: null, failures: failed(0, 1) });
    expect(payloads(merged.batch)).toEqual(['a', 'b']);
    expect(merged).toMatchObject({ decoded: { length: 0 }, failures: failed(0, 1) });
    expect(merged.batch.message(1).fields.map(({ name, values }) => [name, ...values])).toEqual([
      ['decode_failure', true],
      ['decode_error', 'r1'],
    ]);
  });

  it('in the order of the records, each after the messages made of it', () => {
    const outcome = {
      injected: batch('A1', 'A2', 'C'),
      origins: Uint32Array.of(0, 0, 2),
      failures: failed(0, 1),
      unchanged: Uint32Array.of(2),
    };
    const merged = mergeDecoded(batch('a', 'b', 'c'), outcome);
    expect(payloads(merged.batch)).toEqual(['A1', 'A2', 'a', 'b', 'C']);
    expect([...(merged.origins ?? [])]).toEqual([0, 0, 0, 1, 2]);
    expect(merged.failures).toEqual([
      { row: 2, reason: 'r0' },
      { row: 3, reason: 'r1' },
    ]);
    expect([...(merged.unchanged ?? [])]).toEqual([4]);
  });

  it('loses none, whatever is refused', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }), (taken) => {
        const rows = [...taken.keys()];
        const [good, bad] = [rows.filter((row) => taken[row]), rows.filter((row) => taken[row] === false)];
        const injected = good.length === 0 ? null : batch(...good.map((row) => `m${row}`));
        const { batch: merged, origins } = mergeDecoded(batch(...rows.map(String)), {
          injected,
          origins: Uint32Array.from(good),
          failures: failed(...bad),
        });
        expect(payloads(merged)).toEqual(rows.map((row) => (taken[row] === true ? `m${row}` : String(row))));
        expect([...(origins ?? rows)]).toEqual(rows);
      }),
    );
  });
});

describe('without those that were refused', () => {
  it('there are the messages, and the records that found no decoder any more', () => {
    const outcome = { injected: batch('A'), origins: Uint32Array.of(0), failures: failed(1, 2) };
    const input = batch('a', 'b', 'c');
    expect(payloads(withoutRefused(mergeDecoded(input, outcome)))).toEqual(['A']);
    expect(payloads(withoutRefused(mergeDecoded(input, { ...outcome, undecoded: 1 })))).toEqual(['A', 'c']);
    expect(payloads(withoutRefused(mergeDecoded(input, { ...outcome, undecoded: 2 })))).toEqual(['A', 'b', 'c']);
  });
});

it('the texts of rows share their text', () => {
  const { payload } = batch('a', 'bb', 'c');
  const taken = textOfRows(payload, Uint32Array.of(2, 1, 1));
  if (taken === null || taken.constant !== undefined) throw new Error('no texts');
  expect([...taken.starts].map((start, i) => taken.text.slice(start, taken.ends[i]))).toEqual(['c', 'bb', 'bb']);
  expect(textOfRows(payload, null)).toBe(payload);
  expect(textOfRows({ constant: 'x' }, Uint32Array.of(0))).toEqual({ constant: 'x' });
  expect(textOfRows(null, Uint32Array.of(0))).toBeNull();
});
