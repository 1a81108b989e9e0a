import { expect, it } from 'vitest';
import { broken, table, withTable, type Row } from './table.ts';

const result = { tried: 2, lost: 0, repeated: 0, late: 0 };
const rows: readonly Row[] = [
  { fault: { name: 'a', promise: 'once' }, results: [result, { ...result, repeated: 1500, note: 'a note' }] },
  { fault: { name: 'b', promise: 'kept' }, results: [{ ...result, repeated: 3 }] },
  { fault: { name: 'c', promise: 'told' }, results: 'no disk' },
];

it('adds up the tries of a fault, and says what was left out', () => {
  expect(table(rows).split('\n').slice(2)).toEqual([
    '| a | nothing lost, nothing twice | 4 | 0 | 1,500 | no | a note |',
    '| b | nothing lost | 2 | 0 | 3 | no |  |',
    '| c | what is lost is told | left out: no disk | | | | |',
  ]);
});

it('names the promises that were not kept', () => {
  expect(broken(rows)).toEqual(['a: {"tried":2,"lost":0,"repeated":1500,"late":0,"note":"a note"}']);
});

it('stands between its markers, and nothing else is changed', () => {
  const page = 'before\n<!-- faults: written by npm run soak -- --all -->\nold\n<!-- /faults -->\nbehind';
  const once = withTable(page, 'new');
  expect(once).toBe('before\n<!-- faults: written by npm run soak -- --all -->\n\nnew\n\n<!-- /faults -->\nbehind');
  expect(withTable(once, 'new')).toBe(once);
  expect(() => withTable('none', 'new')).toThrow('has no place');
});
