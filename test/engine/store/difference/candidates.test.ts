import { describe, expect, it } from 'vitest';
import { ValueType } from '../../../../engine/message/types.ts';
import { BLOCKS, SIDE_BLOCKS } from '../../../../engine/store/difference/block-counts.ts';
import { candidatesOf, dividing } from '../../../../engine/store/difference/candidates.ts';
import { MOST_CHANCE, type Totals } from '../../../../engine/store/difference/chance.ts';
import { FieldCodes } from '../../../../engine/store/difference/field-codes.ts';
import { NumberCounts } from '../../../../engine/store/difference/number-counts.ts';

const totals: Totals = { blocks: new Uint32Array(BLOCKS).fill(1000), a: 24_000, b: 24_000, seconds: 1 };
type Field = Parameters<typeof candidatesOf>[0] extends Iterable<infer One> ? One : never;

/** A field whose values come so often in each block of A and of B. */
function textField(name: string, values: Readonly<Record<string, readonly [number, number]>>): Field {
  const codes = new FieldCodes(name, false, ValueType.STRING);
  for (const [text, [a, b]] of Object.entries(values))
    codes.counts.addAll(
      codes.codeOfText(text),
      Uint32Array.from({ length: BLOCKS }, (_, block) => (block < SIDE_BLOCKS ? a : b)),
    );
  return { codes, numbers: null };
}

/** A field of numbers of two sides, 40 in each block. */
function numberField(of: (i: number, isB: boolean) => number): Field {
  const [codes, numbers] = [new FieldCodes('took', false, ValueType.DOUBLE), new NumberCounts()];
  const blocks = Uint8Array.from({ length: 40 * BLOCKS }, (_, i) => i % BLOCKS);
  const values = Float64Array.from(blocks, (block, i) => of(i, block >= SIDE_BLOCKS));
  for (const value of values) codes.codeOfNumber(value);
  numbers.add(
    { name: 'took', representation: null, valueType: ValueType.DOUBLE, rows: null, offsets: null, values },
    values.length,
    blocks,
  );
  return { codes, numbers };
}

const many = (count: number, by: readonly [number, number]): Record<string, readonly [number, number]> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`v${i}`, by] as const));
const namesOf = (fields: readonly Field[]): string[] =>
  candidatesOf(fields, totals).candidates.map(({ field, set }) => field.textOf(set.codes[0] as number));

describe('values that may differ', () => {
  it.each<[string, Field[], string[]]>([
    [
      'those that came and went, the larger change first',
      [textField('host', { same: [300, 300], gone: [50, 0], come: [0, 200] })],
      ['come', 'gone'],
    ],
    ['none that changed by chance', [textField('host', { a: [500, 510], b: [500, 490] })], []],
    ['none of processes', [textField('worker.pid', { 77: [500, 0], 78: [0, 500] })], []],
    ['no dates', [textField('day', { '2026-11-29': [500, 0], '30/Nov/2026:10:00:00': [0, 500], monday: [0, 500] })], ['monday']],
    [
      'at most six of a field',
      [textField('a', many(9, [0, 100])), textField('b', { one: [0, 50] })],
      ['v0', 'v1', 'v2', 'v3', 'v4', 'v5', 'one'],
    ],
    [
      'at most 31 of all',
      Array.from({ length: 9 }, (_, i) => textField(`f${i}`, many(6, [0, 100]))),
      Array.from({ length: 31 }, (_, i) => `v${i % 6}`),
    ],
  ])('are %s', (_name, fields, names) => expect(namesOf(fields)).toEqual(names));

  it('are each a test, which makes chance likelier, but for those of fewer than four records', () => {
    const rare = textField('id', { once: [0, 0], often: [0, 20] });
    rare.codes.counts.of(0)[0] = 3;
    const [one, hundred] = [candidatesOf([rare], totals), candidatesOf([rare, textField('x', many(99, [10, 10]))], totals)];
    expect([one.tests, hundred.tests]).toEqual([1, 100]);
    expect((hundred.candidates[0]?.chance ?? 1) / (one.candidates[0]?.chance ?? 1)).toBeCloseTo(100);
    expect(hundred.candidates.every(({ chance }) => chance <= MOST_CHANCE)).toBe(true);
  });
});

describe('numbers that may differ', () => {
  it.each<[string, Field, unknown[]]>([
    ['amounts that rose', numberField((i, isB) => ((i * 617) % 100) + (isB ? 1000 : 1)), [['number', false, 960, 0, 960]]],
    ['amounts that fell', numberField((i, isB) => ((i * 617) % 100) + (isB ? 1 : 1000)), [['number', true, 960, 0, 960]]],
    ['amounts that stayed', numberField((i) => Math.floor(1000 * Math.abs((Math.sin(i * 12.9898) * 43758.5453) % 1))), []],
    ['numbers that only count', numberField((i) => i), []],
  ])('%s', (_name, field, rows) => {
    const told = candidatesOf([field], totals).candidates.map(({ kind, isBelow, bucket, a, b }) => [kind, isBelow, dividing(bucket), a, b]);
    expect(told).toEqual(rows);
  });

  it('of few kinds are values', () => {
    const [field] = [numberField((i, isB) => (isB && i % 2 === 0 ? 502 : 200))];
    for (const [code, counts] of [
      [0, 40],
      [1, 20],
    ] as const)
      field.codes.counts.addAll(
        code,
        Uint32Array.from({ length: BLOCKS }, (_, block) => (code === 1 && block < SIDE_BLOCKS ? 0 : counts)),
      );
    expect(candidatesOf([field], totals)).toMatchObject({ tests: 2, candidates: [{ kind: 'value', a: 0, numbers: null }] });
  });
});
