import { expect, test } from 'vitest';
import { Scanner, typedPlace, Wrong } from '../../../../engine/api/filter/scanner.ts';

test('takes what a pattern finds at its place, and nothing else', () => {
  const scan = new Scanner('status >= 500');
  expect([scan.take(/\d+/y), scan.take(/\w+/y), scan.at]).toEqual([null, 'status', 6]);
  expect([scan.isAhead(/\s*>=/y), scan.at, scan.take(/\s*>=/y), scan.at]).toEqual([true, 6, ' >=', 9]);
});

test('tells the place of a mistake, with the piece that a pattern takes', () => {
  const scan = new Scanner('level abc');
  scan.take(/\w+ /y);
  const wrong = scan.wrong(/\w+/y, 'no level');
  expect(wrong).toBeInstanceOf(Wrong);
  expect([wrong.message, wrong.problem]).toEqual(['no level', { from: 6, to: 9, text: 'no level' }]);
});

test.each([
  [0, 0],
  [3, 3],
  // `Fields[a]` is longer than the name that was typed.
  [9, 3],
  [14, 5],
  [99, 90],
])('the place %i of what was written was typed at %i', (written, typed) => {
  const scan = new Scanner('a = 12');
  scan.write('Fields[a]', 0);
  scan.write(' == ', 3);
  scan.write('12', 4);
  expect(scan.written).toBe('Fields[a] == 12');
  const place = typedPlace(scan.pieces, written);
  expect(place).toBe(typed);
});
