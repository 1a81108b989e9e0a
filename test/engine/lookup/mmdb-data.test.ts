import { Buffer } from 'node:buffer';
import { expect, it } from 'vitest';
import { DamagedError, MmdbData } from '../../../engine/lookup/mmdb-data.ts';

const of = (...bytes: readonly number[]): MmdbData => new MmdbData(Buffer.from(bytes));
const A = [0x41, 0x61];

it.each<[string, MmdbData, readonly string[], unknown]>([
  ['a text', of(0x42, 0x68, 0x69), [], 'hi'],
  ['a float', of(0x04, 0x08, 0x3f, 0x80, 0, 0), [], 1],
  ['a number of 128 bits', of(0x10, 0x03, 1, ...Array.from({ length: 15 }, () => 0)), [], 2 ** 120],
  ['an integer of fewer bytes', of(0x01, 0x01, 7), [], 7],
  ['bytes are no value', of(0x82, 1, 2), [], null],
  ['a type that is not known is no value', of(0x00, 0x06), [], null],
  ['a map with a pointer to a text', of(0xe1, ...A, 0x20, 5, 0x41, 0x78), ['a'], 'x'],
  ['a map that stands for nothing', of(0xe1, ...A, 0xe0), ['a'], null],
  ['a path through a text', of(0x41, 0x61), ['a'], null],
  ['a map that is its own member', of(0xe1, ...A, 0x20, 0), ['a', 'a', 'a'], null],
  ['an array that is its own first value', of(0x01, 0x04, 0x20, 0), [], null],
])('%s', (_name, data, path, value) => {
  expect(data.find(0, path)).toBe(value);
});

it.each<[string, MmdbData, readonly string[]]>([
  ['a value goes on behind the end', of(0x45, 0x68), []],
  ['a value goes on behind the end', of(0xe2, ...A, ...A), ['b']],
  ['a value goes on behind the end', of(), []],
  ['a pointer leads to a pointer', of(0x20, 2, 0x20, 0), []],
  ['a name in a map is no text', of(0xe1, 0xa0, 0xa0), ['a']],
  [
    'a record has too many values',
    new MmdbData(Buffer.concat([Buffer.from([0x1f, 0x04, 0xff, 0xff, 0xff]), Buffer.alloc(200_000, 0xe0)])),
    ['199999'],
  ],
])('is damaged: %s', (why, data, path) => {
  expect(() => data.find(0, path)).toThrow(new DamagedError(why));
});

it('tells the names of members, with those of maps in maps', () => {
  // { a: { b: "a" }, c: [true] }, and a text of its own
  const data = of(0xe2, ...A, 0xe1, 0x41, 0x62, 0x41, 0x61, 0x41, 0x63, 0x01, 0x04, 0x01, 0x07, 0x41, 0x7a);
  expect(data.names(100)).toEqual({ names: new Set(['a', 'b', 'c']), all: true });
  expect(data.names(4)).toEqual({ names: new Set(['a', 'b']), all: false });
});
