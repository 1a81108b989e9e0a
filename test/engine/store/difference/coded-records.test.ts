import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { ValueType, type Message } from '../../../../engine/message/types.ts';
import type { Segment } from '../../../../engine/store/segment.ts';
import { NO_CODE } from '../../../../engine/store/difference/block-counts.ts';
import { CodedRecords } from '../../../../engine/store/difference/coded-records.ts';

type Values = Readonly<Record<string, string | number>>;

const messageOf = (values: Values): Message => ({
  uuid: new Uint8Array(16),
  timestamp: 1n,
  type: 't',
  severity: 3,
  fields: Object.entries(values).map(([name, value]) =>
    typeof value === 'string'
      ? { name, valueType: ValueType.STRING, values: [value] }
      : { name, valueType: ValueType.DOUBLE, values: [value] },
  ),
});

/** Records by segments of a thousand, their values by what is kept or read again, and the columns that have to be read. */
function codedOf(count: number, of: (i: number) => Values, room?: number) {
  const coded = new CodedRecords([], room);
  const segments: Segment[] = [];
  const batches = Array.from({ length: count / 1000 }, (_, at) =>
    batchOf(Array.from({ length: 1000 }, (_, i) => messageOf(of(at * 1000 + i)))),
  );
  for (const batch of batches) {
    const segment = { length: batch.length } as Segment;
    segments.push(segment);
    coded.count(segment, batch, new Uint8Array(batch.length));
  }
  const wanted = coded.columnsFor(coded.fields.filter(({ codes: { mode } }) => mode !== 'none').map(({ codes }) => codes));
  const values = segments.map((segment, at) => {
    const rows = new Map<string, (string | null)[]>();
    coded.each(
      segment,
      wanted === null ? null : (batches[at] as (typeof batches)[0]),
      () => true,
      (field, codes, entries, places) => {
        const own = rows.get(field.name) ?? [];
        rows.set(field.name, own);
        for (let i = 0; i < entries; i++) own[places?.[i] ?? i] = codes[i] === NO_CODE ? null : field.textOf(codes[i] as number);
      },
    );
    return rows;
  });
  return { coded, wanted, of: (name: string, i: number) => values[Math.floor(i / 1000)]?.get(name)?.[i % 1000] };
}

describe('the codes of records', () => {
  const PLACES = [0, 1, 999, 1000, 8999, 19_999];
  it.each<[string, (i: number) => string, (i: number) => string]>([
    ['few values', (i) => `v${i % 7}`, (i) => `v${i % 7}`],
    ['values that became shapes', (i) => `/items/${i}${i % 2 === 0 ? '' : '/edit'}`, (i) => `/items/<*>${i % 2 === 0 ? '' : '/edit'}`],
    [
      'very many values, some of them frequent',
      (i) => (i % 3 === 0 ? 'often' : `x${i}y`.replaceAll(/\d/g, (one) => 'qwertzuiop'[Number(one)] as string)),
      (i) => (i % 3 === 0 ? 'often' : `x${i}y`.replaceAll(/\d/g, (one) => 'qwertzuiop'[Number(one)] as string)),
    ],
  ])('are kept of %s', (_name, of, expected) => {
    const { wanted, of: valueOf } = codedOf(20_000, (i) => ({ f: of(i), ...(i % 10 === 0 ? { some: i % 3 } : {}) }));
    expect(wanted).toBeNull();
    expect(PLACES.map((i) => valueOf('f', i))).toEqual(PLACES.map(expected));
    expect(PLACES.map((i) => valueOf('some', i))).toEqual(PLACES.map((i) => (i % 10 === 0 ? String(i % 3) : undefined)));
    expect(valueOf('Severity', 7)).toBe('3');
  });

  it('are read again of fields for which there was no room', () => {
    const { wanted, of } = codedOf(3000, (i) => ({ f: `v${i % 7}`, g: `w${i % 5}` }), 6000);
    expect([wanted?.field('f'), wanted?.field('g'), wanted?.header('severity')]).toEqual([true, true, false]);
    expect([of('f', 2999), of('g', 0), of('Severity', 0)]).toEqual(['v3', 'w0', '3']);
  });

  it('are read again of a field whose rare values were forgotten', () => {
    const letters = (i: number): string => String(i).replaceAll(/\d/g, (one) => 'qwertzuiop'[Number(one)] as string);
    const { coded, wanted, of } = codedOf(100_000, (i) => ({ f: i % 2 === 0 ? 'often' : letters(i), g: 'g' }));
    expect(coded.fields.map(({ codes }) => [codes.name, codes.isLossy])).toContainEqual(['f', true]);
    expect([wanted?.field('f'), wanted?.field('g'), of('f', 0), of('f', 50_002), of('g', 1)]).toEqual([true, false, 'often', 'often', 'g']);
  });
});
