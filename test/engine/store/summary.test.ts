import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMPTY_SUMMARY, SEVERITIES, severityReader, slotLength, summarise, withSeverity } from '../../../engine/store/summary.ts';

describe('summarise', () => {
  it('counts each record in its slot and severity', () => {
    const record = fc.record({
      time: fc.integer({ min: -1e6, max: 1e9 }),
      severity: fc.option(fc.integer({ min: -1, max: 9 }), { nil: null }),
    });
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 30 }), fc.boolean(), (records, some) => {
        const rows = some ? records.flatMap((_, row) => (row % 2 === 0 ? [row] : [])) : null;
        const set = records.flatMap(({ severity }, row) => (severity === null ? [] : [[row, severity] as const]));
        const column = { rows: Uint32Array.from(set, ([row]) => row), values: Int32Array.from(set, ([, severity]) => severity) };
        const summary = summarise(
          Float64Array.from(records, ({ time }) => time),
          column,
          rows,
        );
        const counted = new Map<number, number>();
        for (const { time, severity } of records.filter((_, row) => rows === null || rows.includes(row))) {
          const slot = Math.floor(time / summary.slotMs) - summary.firstSlot;
          const cell = slot * SEVERITIES + (severity === null || severity < 0 || severity > 7 ? 8 : severity);
          counted.set(cell, (counted.get(cell) ?? 0) + 1);
        }
        expect([...summary.cells]).toEqual([...counted].sort(([a], [b]) => a - b).flat());
        const severe = [...counted].filter(([cell]) => cell % SEVERITIES !== 8);
        expect(withSeverity(summary)).toBe(severe.reduce((sum, [, count]) => sum + count, 0));
      }),
    );
  });

  it('of nothing is empty', () => {
    expect(summarise(Float64Array.of(1), null, [])).toBe(EMPTY_SUMMARY);
    expect([withSeverity(EMPTY_SUMMARY), EMPTY_SUMMARY.minTime]).toEqual([0, Infinity]);
  });
});

it.each<[span: number, slot: number]>([
  [0, 1],
  [254, 1],
  [255, 10],
  [3.6e6, 6e4],
  [8.64e7, 6e5],
  [1.5e11, 6.048e8],
  [1e13, 6.048e10],
])('a span of %i ms has slots of %i', (span, slot) => expect(slotLength(span)).toBe(slot));

it('severities beyond 7 are unset', () => {
  expect([severityReader(null)(0), severityReader({ constant: 9 })(0), severityReader({ constant: 3 })(5)]).toEqual([8, 8, 3]);
  const read = severityReader({ rows: Uint32Array.of(1), values: Int32Array.of(-1) });
  expect([read(0), read(1)]).toEqual([8, 8]);
});
