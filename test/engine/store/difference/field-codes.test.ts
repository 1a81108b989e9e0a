import { describe, expect, it } from 'vitest';
import { ValueType } from '../../../../engine/message/types.ts';
import type { FieldColumn } from '../../../../engine/message/batch/columns.ts';
import { sumOf } from '../../../../engine/store/difference/block-counts.ts';
import { FieldCodes, type CodeMode } from '../../../../engine/store/difference/field-codes.ts';

function columnOf(values: readonly string[]): FieldColumn {
  const [starts, ends] = [new Uint32Array(values.length), new Uint32Array(values.length)];
  let at = 0;
  for (const [i, value] of values.entries()) [starts[i], ends[i], at] = [at, at + value.length, at + value.length];
  return {
    name: 'f',
    representation: null,
    valueType: ValueType.STRING,
    rows: null,
    offsets: null,
    values: { text: values.join(''), starts, ends },
  };
}

/** A field with so many values, in columns of a thousand. */
function fieldOf(count: number, of: (i: number) => string): FieldCodes {
  const field = new FieldCodes('f', false, ValueType.STRING);
  for (let from = 0; from < count; from += 1000) {
    const column = columnOf(Array.from({ length: 1000 }, (_, i) => of(from + i)));
    const codes = new Uint16Array(1000);
    field.fill(column, 1000, codes, true);
    if (field.mode !== 'none') field.counts.add(codes, 1000, null, new Uint8Array(1000), field.size);
  }
  return field;
}

const counted = (field: FieldCodes): Record<string, number> =>
  Object.fromEntries(Array.from({ length: field.known }, (_, code) => [field.textOf(code), sumOf(field.counts.of(code), 0)] as const));

describe('the codes of a field', () => {
  it.each<[string, (i: number) => string, CodeMode, Record<string, number>]>([
    ['few values', (i) => (i % 4 === 0 ? 'a' : 'b'), 'values', { a: 5000, b: 15_000 }],
    [
      'paths with numbers',
      (i) => `/items/${i}${i % 2 === 0 ? '' : '/edit'}`,
      'shapes',
      { '/items/<*>': 10_000, '/items/<*>/edit': 10_000 },
    ],
    ['sentences', (i) => `user u${i} has logged in from ${i}`, 'patterns', {}],
    ['ids', (i) => `${i.toString(36)}x`, 'none', {}],
  ])('of %s', (_name, of, mode, counts) => {
    const field = fieldOf(20_000, of);
    expect(field.mode).toBe(mode);
    if (mode !== 'patterns') expect(counted(field)).toEqual(counts);
    const [set] = [...field.sets()].filter(({ codes }) => codes.length > 1);
    if (mode === 'patterns') expect(field.textOfPattern(set?.pattern as number)).toMatch(/^user .* has logged in from/);
  });

  it('keep frequent ones of very many values', () => {
    const field = fieldOf(200_000, (i) =>
      i % 2 === 0 ? 'common' : `rare${String((i * 7919) % 20_011).replaceAll(/\d/g, (digit) => 'qwertzuiop'[Number(digit)] as string)}`,
    );
    expect([field.mode, field.isLossy]).toEqual(['values', true]);
    expect(counted(field)['common']).toBe(100_000);
  });
});
