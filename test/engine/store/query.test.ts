import { describe, expect, it } from 'vitest';
import type { RecordQuery } from '../../../engine/api/types.ts';
import { compileQuery, NO_ROWS, packRows, type Rows } from '../../../engine/store/query.ts';
import { numberRanges } from '../../../engine/store/number-ranges.ts';
import { summarise } from '../../../engine/store/summary.ts';
import { millisecondsOf } from '../../../engine/store/times.ts';
import { withRaw, type Segment } from '../../../engine/store/segment.ts';
import { linesBatch, numberedLines } from './fixtures.ts';

const { batch, raw } = linesBatch(numberedLines(10));
const stored = withRaw(batch, raw);
const numbers = numberRanges(batch);
const summary = summarise(millisecondsOf(batch.timestamps), batch.severity, null);
const part = (firstRow: number, source: number, removed = false): object => ({ firstRow, source, removed });
/** Records 100 to 109, at the seconds 1000 to 1009, of two sources. */
const segmentOf = (...parts: object[]): Segment =>
  ({ firstId: 100, length: 10, minTime: 1_000_000, maxTime: 1_009_000, parts, summary, numbers }) as unknown as Segment;

const segment = segmentOf(part(0, 1), part(4, 2), part(8, 1));
const listed = (rows: Rows | undefined): number[] | null | undefined => (rows ? [...rows] : rows);

describe('compileQuery', () => {
  it.each<[query: RecordQuery, known: number[] | null | undefined, selected: number[] | null]>([
    [{}, null, null],
    [{ sources: [1] }, [0, 1, 2, 3, 8, 9], [0, 1, 2, 3, 8, 9]],
    [{ sources: [1, 2] }, null, null],
    [{ sources: [3] }, [], []],
    [{ after: 99 }, null, null],
    [{ after: 106 }, [7, 8, 9], [7, 8, 9]],
    [{ after: 109 }, [], []],
    [{ from: 1_007_000 }, undefined, [7, 8, 9]],
    [{ to: 1_002_000 }, undefined, [0, 1]],
    [{ from: 1_009_001 }, [], []],
    [{ to: 1_000_000 }, [], []],
    [{ from: 1_000_000, to: 1_009_001 }, null, null],
    [{ text: 'line 3' }, undefined, [3]],
    [{ matcher: 'Severity == 1', sources: [1] }, undefined, [1, 9]],
    [{ matcher: 'Fields[status] == 203' }, [], []],
    [{ matcher: 'Fields[status] == 202 || Severity > 7' }, undefined, [2, 5, 8]],
    [{ matcher: 'Severity > 7 && Fields[status] == 202' }, [], []],
    [{ filters: [{ matcher: 'Fields[status] > 202', out: true }] }, undefined, null],
    [{ filters: [{ matcher: 'Severity == 9' }, { matcher: 'Fields[status] == 9' }], any: true }, [], []],
    [{ filters: [{ matcher: 'Severity == 9' }, { text: 'line 4' }], any: true }, undefined, [4]],
    [{ sources: [2], from: 1_005_000, after: 105 }, undefined, [6, 7]],
  ])('%j', (query, known, selected) => {
    const filter = compileQuery(query);
    expect(listed(filter.known(segment))).toEqual(known);
    expect(listed(filter.select(segment, stored))).toEqual(selected);
  });

  it('leaves out what was removed', () => {
    const rest = segmentOf(part(0, 1, true), part(6, 1));
    expect(listed(compileQuery({}).known(rest))).toEqual([6, 7, 8, 9]);
  });

  it('refuses a wrong expression', () =>
    expect(() => compileQuery({ matcher: 'Severity ==' })).toThrow(expect.objectContaining({ code: 'query.matcher' })));

  it('says what each record holds in Latin-1', () => {
    expect([compileQuery({}).latin, compileQuery({ text: 'needle', caseSensitive: true }).latin]).toEqual([
      null,
      '(?-u)[n][e][e][d][l][e]',
    ]);
  });
});

it('rows are in the smallest form', () => {
  expect([packRows(Uint8Array.of(1, 1)), packRows(Uint8Array.of(0, 0))]).toEqual([null, NO_ROWS]);
  expect(packRows(Uint8Array.of(0, 1))).toEqual(Uint16Array.of(1));
  expect(packRows(new Uint8Array(65_537).fill(1, 1))).toBeInstanceOf(Uint32Array);
});
