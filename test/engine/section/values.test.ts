import { expect, it } from 'vitest';
import type { z } from 'zod';
import * as values from '../../../engine/section/values.ts';

/** What a value becomes, or the first thing that is wrong with it. */
function read(type: z.ZodType, value: unknown): unknown {
  const { success, data, error } = type.safeParse(value);
  return success ? data : `! ${error.issues[0]?.message}`;
}

it.each<[string, unknown]>([
  ['0', 0],
  ['250ms', 250],
  ['1h30m', 5_400_000],
  ['1.5s', 1500],
  ['10us', 0.01],
  ['5', '! must be a duration such as 250ms, 2m or 1h30m'],
  ['1h 30m', '! must be a duration such as 250ms, 2m or 1h30m'],
  ['-1s', '! must be a duration such as 250ms, 2m or 1h30m'],
])('the duration %s', (text, expected) => expect(read(values.duration, text)).toBe(expected));

it.each<[string, boolean]>([
  [':514', true],
  ['127.0.0.1:5514', true],
  ['[::1]:65535', true],
  ['[fe80::1%eth0]:1', true],
  ['box1:65536', false],
  ['box1', false],
  ['::1:5514', false],
  ['a b:1', false],
])('the address %s', (text, isValid) => expect(read(values.address, text) === text).toBe(isValid));

it.each<[keyof typeof values, unknown, boolean]>([
  ['count', 0, true],
  ['count', -1, false],
  ['count', 1.5, false],
  ['path', '', false],
  ['oneLine', 'a\tb', true],
  ['oneLine', 'a\nb', false],
  ['headerValue', 'é', true],
  ['headerValue', '€', false],
  ['headerName', 'X-Kind', true],
  ['headerName', 'X Kind', false],
  ['url', 'HTTP://box1/', true],
  ['url', 'ftp://box1/', false],
  ['url', 'http://', false],
])('%s takes %j: %s', (name, value, isValid) => expect((values[name] as z.ZodType).safeParse(value).success).toBe(isValid));

it('a matcher that is none is told with its place', () => {
  expect(read(values.matcher, 'Type ==')).toMatch(/^! is not a matcher: /);
  expect(read(values.matcher, 'TRUE')).toBe('TRUE');
});

it('scripts read texts, numbers and booleans of a table', () => {
  expect(read(values.scriptConfig, { a: 'x', b: 1, c: true, d: [1], e: { f: 1 }, g: new Date() })).toEqual({ a: 'x', b: 1, c: true });
});

it.each<[unknown, boolean]>([
  ['UTC', true],
  ['Local', true],
  ['', true],
  ['Europe/Berlin', true],
  ['Mars/Base', false],
  [1, false],
])('%j is a time zone: %s', (name, expected) => expect(values.isTimeZone(name)).toBe(expected));
