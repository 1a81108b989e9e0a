import { describe, expect, it } from 'vitest';
import type { Found } from '../../../../engine/workspace/rules/rule-protocol.ts';
import { HitBook } from '../../../../engine/workspace/rules/hit-book.ts';
import type { FieldColumn } from '../../../../engine/message/batch/columns.ts';
import type { Segment } from '../../../../engine/store/segment.ts';

const RULES = (['low', 'critical', 'medium'] as const).map((level, i) => ({
  key: `k${i}`,
  title: `Rule ${i}`,
  level,
  file: 'a.yml',
  line: 1,
}));
const segment = (firstId: number, length: number): Segment => ({ firstId, length }) as Segment;
const found = (...hits: readonly (readonly [row: number, rule: number])[]): Found => ({
  rows: Uint32Array.from(hits, ([row]) => row),
  rules: Uint16Array.from(hits, ([, rule]) => rule),
  times: Float64Array.from(hits, ([row]) => row * 10),
  full: [],
});

/** The values of a column by row. */
function valuesOf(column: FieldColumn | undefined): Record<number, string[]> {
  if (column?.valueType !== 0) return {};
  const { text, starts, ends } = column.values;
  const at = (i: number): string => text.slice(starts[i], ends[i]);
  const entries = [...(column.rows ?? [])].map((row, entry): [number, string[]] => {
    const [from, to] = column.offsets === null ? [entry, entry + 1] : [column.offsets[entry] ?? 0, column.offsets[entry + 1] ?? 0];
    return [row, Array.from({ length: to - from }, (_, i) => at(from + i))];
  });
  return Object.fromEntries(entries);
}

describe('the hits of rules', () => {
  it('are columns of the segment that their records are in, also after segments were merged', () => {
    const book = new HitBook(RULES);
    // Across the border of two chunks, the later ones first.
    book.add(4100, found([2, 1]));
    book.add(4090, found([7, 2], [3, 1], [3, 0]));
    const [titles, levels] = book.of(segment(4090, 20));
    expect(valuesOf(titles)).toEqual({ 3: ['Rule 0', 'Rule 1'], 7: ['Rule 2'], 12: ['Rule 1'] });
    expect(valuesOf(levels)).toEqual({ 3: ['critical'], 7: ['medium'], 12: ['critical'] });
    expect(valuesOf(book.of(segment(4096, 100))[0])).toEqual({ 1: ['Rule 2'], 6: ['Rule 1'] });
    expect(book.of(segment(0, 4000))).toEqual([]);
    expect(book.of(segment(4098, 2))).toEqual([]);
  });

  it('are the same columns until there are more', () => {
    const book = new HitBook(RULES);
    const one = segment(0, 10);
    book.add(0, found([1, 0]));
    const before = book.of(one);
    expect(book.of(one)).toBe(before);
    book.add(0, found([2, 0]));
    expect(book.of(one)).not.toBe(before);
  });

  it('mark a bounded number of records, of a rule and of all, and are all counted', () => {
    const book = new HitBook(RULES, { ofRule: 3, ofAll: 4 });
    for (let i = 0; i < 10; i++) book.add(i, found([0, 0]));
    for (let i = 0; i < 10; i++) book.add(i, { ...found([0, 1]), full: i === 5 ? [1] : [] });
    expect(book.hits).toBe(20);
    expect(book.infos(new Set(['k1']))).toMatchObject([
      { title: 'Rule 0', hits: 10, marked: 3, first: 0, last: 0, on: true, full: false },
      { title: 'Rule 1', hits: 10, marked: 1, on: false, full: true },
      { title: 'Rule 2', hits: 0, first: null, last: null },
    ]);
    expect(Object.keys(valuesOf(book.of(segment(0, 10))[0]))).toHaveLength(3);
  });

  it('are added by the million within two seconds, and columns of all are small', () => {
    const book = new HitBook(RULES);
    const rows = Array.from({ length: 4000 }, (_, row): [number, number] => [row, row % 3]);
    const all = found(...rows);
    const begun = performance.now();
    for (let i = 0; i < 500; i++) book.add(i * 4000, all);
    for (let i = 0; i < 500; i++) book.of(segment(i * 4000, 4000));
    expect(performance.now() - begun).toBeLessThan(2000);
    expect(book.infos(new Set()).reduce((sum, { marked }) => sum + marked, 0)).toBe(750_000);
    expect(book.hits).toBe(2_000_000);
  });
});
