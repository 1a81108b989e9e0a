import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NumberTally, Room } from '../../../../engine/store/measure/numbers.ts';
import type { Measure } from '../../../../engine/api/measure-types.ts';

const ROOM = 1 << 20;
const needs = (measures: readonly Measure[], room = new Room(ROOM, ROOM)) => ({
  measures,
  numbers: true,
  values: false,
  room,
});

test('a tally has the numbers of all that was added', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 200 }), (values) => {
      const tally = new NumberTally();
      const of = needs(['count', 'min', 'max', 'p50']);
      for (const value of values) tally.addNumber(value, of);
      const sorted = [...values].sort((a, b) => a - b);
      const middle = (sorted.length - 1) / 2;
      const p50 = ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle)] as number)) / 2;
      const [count, min, max, median] = tally.numbersOf(of, true, true);
      expect([count, min, max]).toEqual([values.length, sorted[0], sorted.at(-1)]);
      expect(median).toBeCloseTo(p50, 6);
      expect(of.room.exact).toBe(true);
    }),
  );
});

test('percentiles that are asked for while numbers come are those of all that came', () => {
  const [asked, plain] = [new NumberTally(), new NumberTally()];
  const of = needs(['p50', 'p95']);
  for (let i = 0; i < 3000; i++) {
    for (const tally of [asked, plain]) tally.addNumber((i * 7919) % 1009, of);
    if (i % 97 === 0) expect(asked.numbersOf(of, true, false)).toEqual(asked.numbersOf(of, true, true));
  }
  expect(asked.numbersOf(of, true, true)).toEqual(plain.numbersOf(of, true, true));
});

test('with little room percentiles are those of a part that is spread evenly, and it is said', () => {
  const tally = new NumberTally();
  const of = needs(['p50', 'p95', 'count'], new Room(2000, 0));
  for (let i = 0; i < 100_000; i++) tally.addNumber((i * 7919) % 100_003, of);
  const [p50 = 0, p95 = 0, count] = tally.numbersOf(of, true, true);
  expect(of.room.exact).toBe(false);
  expect(count).toBe(100_000);
  expect(Math.abs(p50 / 50_000 - 1)).toBeLessThan(0.1);
  expect(Math.abs(p95 / 95_000 - 1)).toBeLessThan(0.1);
});

test('different values are counted, and estimated where there is no room for them', () => {
  const [exact, estimated] = [new NumberTally(), new NumberTally()];
  const rooms = [new Room(0, ROOM), new Room(0, 1000)] as const;
  for (let i = 0; i < 3000; i++) {
    exact.addValue(String(i % 1000), rooms[0]);
    estimated.addValue(String(i % 1000), rooms[1]);
  }
  expect(exact.numbersOf(needs(['distinct']), true, true)).toEqual([1000]);
  expect(Math.abs((estimated.numbersOf(needs(['distinct']), true, true)[0] as number) / 1000 - 1)).toBeLessThan(0.1);
  expect(rooms.map((room) => room.exact)).toEqual([true, false]);
});
