import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseInteger } from '../../../engine/message/integer.ts';
import { int64 } from './arbitraries.ts';

describe('parseInteger', () => {
  it.each<[string, bigint | null]>([
    ['123', 123n],
    ['-7', -7n],
    ['+7', 7n],
    ['0', 0n],
    ['-0', 0n],
    ['0x7b', 123n],
    ['0X7B', 123n],
    ['-0x10', -16n],
    ['0o17', 15n],
    ['017', 15n],
    ['0b101', 5n],
    ['00', 0n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['9223372036854775808', null],
    ['', null],
    [' 1', null],
    ['1.0', null],
    ['1e3', null],
    ['08', null],
    ['0x', null],
    ['--1', null],
    ['１', null],
  ])('%j is %s', (text, value) => expect(parseInteger(text, 64)).toBe(value));

  it.each<[string, bigint | null]>([
    ['2147483647', 2147483647n],
    ['2147483648', null],
    ['-2147483648', -2147483648n],
  ])('of 32 bits: %j is %s', (text, value) => expect(parseInteger(text, 32)).toBe(value));

  it('reads every int64', () => {
    fc.assert(fc.property(int64, (value) => parseInteger(String(value), 64) === value));
  });
});
