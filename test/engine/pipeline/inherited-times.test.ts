import { describe, expect, it } from 'vitest';
import type { MessageBatch } from '../../../engine/message/batch/batch.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import type { DecodedBatch } from '../../../engine/pipeline/decoded.ts';
import { withInheritedTimes, type TimeHints } from '../../../engine/pipeline/inherited-times.ts';
import { ValueType, type Message } from '../../../engine/message/types.ts';
import { message } from './fakes.ts';

const SECOND = 1_000_000_000n;
const NONE: TimeHints = { before: null, decodedNs: null, written: null };

/** Rows by their seconds: numbers are messages, `x` refused records, `u` messages marked as undated, all read in second 99. */
function decoded(...rows: readonly (number | 'x' | 'u')[]): DecodedBatch {
  const messages = rows.map((row): Message => {
    const one = message('', typeof row === 'number' ? row : 99);
    return row === 'u' ? { ...one, fields: [{ name: 'undated', valueType: ValueType.BOOL, values: [true] }] } : one;
  });
  const failures = rows.flatMap((row, at) => (row === 'x' ? [{ row: at, reason: '' }] : []));
  const batch = batchOf(messages);
  const kept = failures.length === 0 ? batch : batchOf(messages.filter((_, at) => rows[at] !== 'x'));
  return { batch, decoded: kept, raw: null, origins: null, failures, undecoded: 0 };
}

const seconds = ({ timestamps }: { readonly timestamps: BigInt64Array }): number[] => [...timestamps].map((ns) => Number(ns / SECOND));

describe('withInheritedTimes', () => {
  it.each<[string, DecodedBatch, Partial<TimeHints>, { all: number[]; kept: number[]; last: number | null }]>([
    ['nothing to do', decoded(5, 7), {}, { all: [5, 7], kept: [5, 7], last: 7 }],
    ['refused records', decoded('x', 5, 'x', 7, 'x'), {}, { all: [5, 5, 5, 7, 7], kept: [5, 7], last: 7 }],
    ['marked messages', decoded('u', 5, 'u', 7, 'u'), {}, { all: [5, 5, 5, 7, 7], kept: [5, 5, 5, 7, 7], last: 7 }],
    ['both', decoded('x', 'u', 5, 'u', 'x'), {}, { all: [5, 5, 5, 5, 5], kept: [5, 5, 5], last: 5 }],
    ['the batch before', decoded('x', 'u'), { before: 7n * SECOND }, { all: [7, 7], kept: [7], last: 7 }],
    ['none with a time', decoded('u', 'u'), {}, { all: [99, 99], kept: [99, 99], last: null }],
    [
      'none with a time in a file',
      decoded('u', 'x'),
      { written: BigInt64Array.of(3n * SECOND, 4n * SECOND) },
      { all: [3, 4], kept: [3], last: null },
    ],
    [
      'messages of the moment in which they were decoded',
      decoded(99, 5, 99, 98),
      { decodedNs: { from: 99n * SECOND, to: 100n * SECOND } },
      { all: [5, 5, 5, 98], kept: [5, 5, 5, 98], last: 98 },
    ],
    ['an empty batch', decoded(), { before: 7n * SECOND }, { all: [], kept: [], last: 7 }],
  ])('%s', (_, batch, hints, expected) => {
    const { decoded: timed, last } = withInheritedTimes(batch, { ...NONE, ...hints });
    expect({ all: seconds(timed.batch), kept: seconds(timed.decoded), last: last === null ? null : Number(last / SECOND) }).toEqual(
      expected,
    );
  });

  it('marks messages whose time is none of their own', () => {
    const hints: TimeHints = { ...NONE, decodedNs: { from: 99n * SECOND, to: 100n * SECOND } };
    const { decoded: timed } = withInheritedTimes(decoded('x', 99, 5, 'x', 99, 7), hints);
    const marked = (batch: MessageBatch): boolean[] =>
      Array.from({ length: batch.length }, (_, row) => batch.message(row).fields.some(({ name }) => name === 'undated'));
    expect(marked(timed.batch)).toEqual([false, true, false, false, true, false]);
    expect(marked(timed.decoded)).toEqual([true, false, true, false]);
  });

  it('gives a record that its decoder passed as it is the time of its neighbour, however old the file is', () => {
    const texts = ['time,host', 'web1', 'time,host', 'web2'];
    const batch = batchOf(texts.map((text, row) => message(text, [99, 5, 99, 7][row] as number)));
    const raw = batchOf(['time,host', '5,web1', 'time,host', '7,web2'].map((text) => message(text, 0))).payload;
    const hints: TimeHints = { ...NONE, written: new BigInt64Array(4).fill(99n * SECOND) };
    const { decoded: timed } = withInheritedTimes({ batch, decoded: batch, raw, origins: null, failures: [], undecoded: 0 }, hints);
    expect(seconds(timed.batch)).toEqual([5, 5, 5, 7]);
  });

  it('leaves a message alone whose own time is that of the file', () => {
    const batch = batchOf([message('web1', 99), message('web2', 98)]);
    const raw = batchOf([message('99,web1', 0), message('98,web2', 0)]).payload;
    const hints: TimeHints = { ...NONE, written: new BigInt64Array(2).fill(99n * SECOND) };
    const { decoded: timed } = withInheritedTimes({ batch, decoded: batch, raw, origins: null, failures: [], undecoded: 0 }, hints);
    expect(seconds(timed.batch)).toEqual([99, 98]);
  });
});
