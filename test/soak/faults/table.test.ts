import { expect, it } from 'vitest';
import { broken, withRows, type Row } from './table.ts';

const result = { tried: 2, lost: 0, repeated: 0, late: 0 };
const rows: readonly Row[] = [
  { fault: { name: 'a', promise: 'once' }, results: [result, { ...result, repeated: 1500, note: 'a note' }] },
  { fault: { name: 'b', promise: 'kept' }, results: [{ ...result, repeated: 3 }] },
  { fault: { name: 'c', promise: 'told' }, results: 'no disk' },
];

const PAGE = `before
<!-- faults: written by npm run soak -- --all -->

| Fault | Promise | Tried | Lost | Twice | Late | |
| ----- | ------- | ----: | ---: | ----: | ---: | --- |
| d     | kept    | 7     | 0    | 0     | no   |     |
| b     | kept    | 9     | 9    | 9     | no   |     |
| gone  | kept    | 1     | 0    | 0     | no   |     |

<!-- /faults -->
behind`;

it('adds up the tries of a fault, says what was left out, and keeps the rows of faults that were not tried', () => {
  const page = withRows(PAGE, rows, ['a', 'b', 'c', 'd', 'e']);
  expect(page.split('\n')).toEqual([
    'before',
    '<!-- faults: written by npm run soak -- --all -->',
    '',
    '| Fault | Promise | Tried | Lost | Twice | Late | |',
    '| --- | --- | ---: | ---: | ---: | ---: | --- |',
    '| a | nothing lost, nothing twice | 4 | 0 | 1,500 | no | a note |',
    '| b | nothing lost | 2 | 0 | 3 | no |  |',
    '| c | what is lost is told | left out: no disk | | | | |',
    '| d     | kept    | 7     | 0    | 0     | no   |     |',
    '',
    '<!-- /faults -->',
    'behind',
  ]);
  expect(withRows(page, [], ['a', 'b', 'c', 'd'])).toBe(page);
  expect(() => withRows('none', [], [])).toThrow('has no place');
});

it('names the promises that were not kept', () => {
  expect(broken(rows)).toEqual(['a: {"tried":2,"lost":0,"repeated":1500,"late":0,"note":"a note"}']);
});
