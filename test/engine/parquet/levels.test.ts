import fc from 'fast-check';
import { expect, it } from 'vitest';
import { GrowingBytes } from '../../../engine/parquet/growing.ts';
import { Levels } from '../../../engine/parquet/levels.ts';
import { readRuns } from '../../../engine/parquet/read/runs.ts';

const written = (write: (out: GrowingBytes) => unknown): Buffer => {
  const out = new GrowingBytes();
  write(out);
  return out.view();
};

it('rows have a value or none, page by page', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 200 }), fc.integer({ min: 1, max: 60 }), (rows, page) => {
      const levels = new Levels();
      rows.forEach((has, row) => has && levels.present(row));
      levels.fill(rows.length);
      expect([levels.rows, levels.places, levels.values]).toEqual([rows.length, rows.length, rows.filter(Boolean).length]);
      const reader = levels.reader();
      for (let at = 0; at < rows.length; at += page) {
        const shown = rows.slice(at, at + page);
        let values = 0;
        const bytes = written((out) => (values = reader.definitions(out, shown.length)));
        expect([...readRuns(bytes, 1, shown.length)]).toEqual(shown.map(Number));
        expect(values).toBe(shown.filter(Boolean).length);
      }
    }),
  );
});

it('rows have lists, empty ones, or none', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(4), { nil: null }), { maxLength: 100 }), (rows) => {
      const levels = new Levels();
      rows.forEach((count, row) => count !== null && levels.list(row, count));
      levels.fill(rows.length);
      const places = rows.flatMap((count) => (count === null ? [0] : count === 0 ? [1] : Array.from({ length: count }, () => 2)));
      const repeated = rows.flatMap((count) => Array.from({ length: Math.max(count ?? 1, 1) }, (_, i) => Number(i > 0)));
      expect([levels.rows, levels.places]).toEqual([rows.length, places.length]);
      expect(levels.values).toBe(places.filter((place) => place === 2).length);
      const reader = levels.reader();
      expect([
        ...readRuns(
          written((out) => reader.listDefinitions(out)),
          2,
          places.length,
        ),
      ]).toEqual(places);
      expect([
        ...readRuns(
          written((out) => reader.listRepetitions(out)),
          1,
          places.length,
        ),
      ]).toEqual(repeated);
    }),
  );
});
