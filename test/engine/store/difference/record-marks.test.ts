import { expect, it } from 'vitest';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { ValueType } from '../../../../engine/message/types.ts';
import { NO_BLOCK, SIDE_BLOCKS } from '../../../../engine/store/difference/block-counts.ts';
import type { Candidate } from '../../../../engine/store/difference/candidates.ts';
import { contrast } from '../../../../engine/store/difference/chance.ts';
import { CodedRecords } from '../../../../engine/store/difference/coded-records.ts';
import { bucketOf } from '../../../../engine/store/difference/number-counts.ts';
import { RecordMarks } from '../../../../engine/store/difference/record-marks.ts';
import type { Segment } from '../../../../engine/store/segment.ts';

it('counts the records of each side by the candidates that they are in, and names the rows of the answer that each is in', () => {
  // Of the hosts a, b and c in turn, every second record takes long; the first four are of A, four of B, and the last of neither.
  const batch = batchOf(
    Array.from({ length: 9 }, (_, i) => ({
      uuid: new Uint8Array(16),
      timestamp: 1n,
      fields: [
        { name: 'host', valueType: ValueType.STRING, values: ['abc'.charAt(i % 3)] },
        { name: 'took', valueType: ValueType.INTEGER, values: [i % 2 === 0 ? 900n : 3n] },
      ],
    })),
  );
  const segment = { length: 9 } as Segment;
  const blocks = Uint8Array.from({ length: 9 }, (_, i) => (i < 4 ? 0 : i < 8 ? SIDE_BLOCKS : NO_BLOCK));
  const coded = new CodedRecords([]);
  coded.count(segment, batch, blocks);
  const [host, took] = coded.fields as [(typeof coded.fields)[0], (typeof coded.fields)[0]];
  const totals = { blocks: new Uint32Array(2 * SIDE_BLOCKS), a: 4, b: 4, seconds: null };
  const base = { pattern: null, ...contrast(1, 2, totals), bucket: 0, numbers: null, isBelow: false, among: null, chance: 0 };
  const long = { ...base, field: took.codes, set: { codes: [], pattern: null }, bucket: bucketOf(100), numbers: took.numbers };
  const isB = { field: host.codes, set: { codes: [1], pattern: null } };
  const candidates: Candidate[] = [
    { ...base, ...isB, kind: 'value' },
    { ...long, kind: 'number' },
    { ...long, kind: 'number', among: isB },
  ];
  const marks = new RecordMarks(candidates, coded);
  expect([marks.columns?.field('took'), marks.columns?.field('host')]).toEqual([true, false]);
  marks.mark(segment, batch, blocks);
  expect(Object.fromEntries(marks.counts)).toEqual({ 1: [1, 1], 2: [2, 1], 7: [0, 1] });
  const found = candidates.map((candidate, at) => ({ at, candidate, same: [], also: [] }));
  expect([...(marks.rowsIn(segment, found, blocks) ?? [])]).toEqual([0, 0, 0, 0, 7, 0, 2, 1, 0]);
  expect(marks.rowsIn({ length: 9 } as Segment, found, blocks)).toBeNull();
});
