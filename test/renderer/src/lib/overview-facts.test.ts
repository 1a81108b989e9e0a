import { describe, expect, it } from 'vitest';
import type { FieldFacts, FieldNumbers } from '../../../../engine/api/types.ts';
import {
  aboutOverview,
  boundsOf,
  coverageText,
  distinctText,
  isSpread,
  numberFacts,
  partedFields,
  placeOf,
  repeating,
  typeOfValue,
  valueText,
  variableOf,
} from '../../../../renderer/src/lib/overview-facts.ts';

const numbersOf = (part: Partial<FieldNumbers>): FieldNumbers => ({
  count: 100,
  minimum: 1,
  maximum: 1000,
  average: 20,
  p50: 10,
  p95: 500,
  p99: 900,
  exact: true,
  distribution: { scale: 'log', from: 1, to: 1000, counts: [50, 30, 20] },
  averages: [],
  ...part,
});

const fieldOf = (part: Partial<FieldFacts>): FieldFacts => ({
  name: 'f',
  isHeader: false,
  types: [{ type: 'string', count: 100 }],
  representation: null,
  records: 100,
  distinct: 3,
  isDistinctExact: true,
  values: [{ value: 'a', count: 60, missed: 0, counts: [] }],
  numbers: null,
  counts: [],
  ...part,
});

const OVERVIEW = { others: 0, loggers: [], counts: [], from: 0, to: 1, records: 100, total: 100, complete: true };

describe('a field in words', () => {
  it.each([
    [{}, 'all records · 3 values'],
    [{ records: 50, distinct: 1 }, '50.0 % of the records · 1 value'],
    [{ distinct: 100 }, 'all records · all different'],
    [{ distinct: 4_912_345, isDistinctExact: false }, 'all records · ~ 4.91M values'],
  ])('%j', (part, text) => {
    const field = fieldOf(part);
    expect(`${coverageText(field, OVERVIEW)} · ${distinctText(field)}`).toBe(text);
  });

  it.each([
    ['exact ones', {}, ['min 1 ms', 'avg 20 ms', 'p50 10 ms', 'p95 500 ms', 'p99 900 ms', 'max 1 s']],
    ['near ones', { exact: false }, ['min 1 ms', 'avg 20 ms', 'p50 ~ 10 ms', 'p95 ~ 500 ms', 'p99 ~ 900 ms', 'max 1 s']],
  ])('has its numbers with their unit: %s', (_what, part, texts) => {
    const facts = numberFacts(fieldOf({ representation: 'ms', numbers: numbersOf(part) }));
    expect(facts.map((fact) => fact.join(' '))).toEqual(texts);
  });

  it('says how far a count is', () => {
    expect(aboutOverview({ ...OVERVIEW, fields: [fieldOf({}), fieldOf({ isHeader: true })] })).toBe(
      '100 records, 1 field, counted exactly',
    );
    expect(aboutOverview({ ...OVERVIEW, records: 20, complete: false, fields: [] })).toBe(
      'Sample of 20 of 100 records, 0 fields; counting the others',
    );
  });

  it('names levels, and what is empty', () => {
    expect(valueText({ name: 'Severity', isHeader: true }, '3')).toBe('3 ERROR');
    expect(valueText({ name: 'Severity', isHeader: false }, '3')).toBe('3');
    expect(valueText({ name: 'f', isHeader: false }, '')).toBe('(empty)');
  });

  it('has a variable and, for each value, a type', () => {
    expect([variableOf({ name: 'Type', isHeader: true }), variableOf({ name: 'a', isHeader: false })]).toEqual(['Type', 'Fields[a]']);
    const mixed = fieldOf({
      types: [
        { type: 'number', count: 3 },
        { type: 'string', count: 1 },
      ],
    });
    expect([typeOfValue(mixed, '3'), typeOfValue(mixed, 'n/a'), typeOfValue(fieldOf({}), '3')]).toEqual(['number', 'string', 'string']);
  });
});

describe('the form of a field', () => {
  const values = (counts: readonly number[]): FieldFacts['values'] =>
    counts.map((count, at) => ({ value: String(at), count, missed: 0, counts: [] }));
  it.each([
    ['durations', { distinct: 90, numbers: numbersOf({}), values: values([2, 2, 2]) }, true],
    ['statuses', { distinct: 20, numbers: numbersOf({}), values: values([90, 5, 2]) }, false],
    ['a few numbers', { distinct: 4, numbers: numbersOf({}), values: values([9]) }, false],
    ['texts with a few numbers among them', { distinct: 90, numbers: numbersOf({ count: 10 }), values: values([1]) }, false],
    ['a header', { distinct: 90, numbers: numbersOf({}), isHeader: true, values: values([1]) }, false],
  ])('%s', (_what, part, spread) => expect(isSpread(fieldOf(part))).toBe(spread));

  it('tells those apart that say the same everywhere, and those whose values come again', () => {
    const same = fieldOf({ name: 'same', distinct: 1 });
    const rare = fieldOf({ name: 'rare', distinct: 1, records: 3 });
    const ids = fieldOf({ name: 'id', distinct: 100, values: values([1]) });
    const parted = partedFields({ ...OVERVIEW, fields: [same, rare, ids] });
    expect([parted.alike.map(({ name }) => name), parted.telling.map(({ name }) => name)]).toEqual([['same'], ['rare', 'id']]);
    expect(repeating([same, rare, ids, fieldOf({})]).map(({ name }) => name)).toEqual(['f']);
  });

  it('has places on a scale of logarithms', () => {
    const numbers = numbersOf({});
    expect([1, 10, 1000, 0].map((value) => placeOf(numbers, value))).toEqual([0, expect.closeTo(1 / 3), 1, 0]);
    expect(boundsOf(numbers, 1)).toEqual([expect.closeTo(10), expect.closeTo(100)]);
  });
});
