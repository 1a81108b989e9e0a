import { expect, it } from 'vitest';
import { ValueType } from '../../../../engine/message/types.ts';
import type { Candidate } from '../../../../engine/store/difference/candidates.ts';
import { contrast } from '../../../../engine/store/difference/chance.ts';
import { FieldCodes } from '../../../../engine/store/difference/field-codes.ts';
import { distinctOf } from '../../../../engine/store/difference/overlaps.ts';

const totals = { blocks: new Uint32Array(48), a: 1000, b: 1000, seconds: null };
const candidate = (name: string, kind: Candidate['kind'] = 'value'): Candidate => ({
  ...contrast(0, 100, totals),
  kind,
  field: new FieldCodes(name, false, ValueType.STRING),
  set: { codes: [0], pattern: null },
  bucket: 0,
  numbers: null,
  isBelow: false,
  among: null,
  chance: 0,
});
type Masks = [number, [number, number]][];

it.each<[string, Candidate[], Masks, string[]]>([
  ['the same records are one row', [candidate('x'), candidate('y')], [[3, [0, 100]]], ['x = y']],
  ['values stand before a range of numbers', [candidate('n', 'number'), candidate('y')], [[3, [0, 100]]], ['y + n']],
  [
    'other records are another row',
    [candidate('x'), candidate('y')],
    [
      [1, [0, 100]],
      [2, [0, 90]],
    ],
    ['x', 'y'],
  ],
  [
    'what is so because of others is told with them',
    [candidate('x'), candidate('y')],
    [
      [3, [0, 100]],
      [2, [40, 42]],
    ],
    ['x + y'],
  ],
])('%s', (_name, candidates, masks, told) => {
  const rows = distinctOf(candidates, new Map(masks), totals, 10);
  const names = (list: readonly Candidate[], sign: string): string => list.map(({ field }) => ` ${sign} ${field.name}`).join('');
  expect(rows.map(({ candidate: { field }, same, also }) => `${field.name}${names(same, '=')}${names(also, '+')}`)).toEqual(told);
});
