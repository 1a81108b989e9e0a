import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { summariesOf } from '../../../../engine/message/summary/record-summary.ts';
import { parseTemplate } from '../../../../engine/message/summary/template.ts';
import { ValueType, type Field, type Message } from '../../../../engine/message/types.ts';

type Given = Readonly<Record<string, string | number | boolean | bigint | readonly number[] | [number, string]>>;

const field = ([name, value]: [string, Given[string]]): Field => {
  if (typeof value === 'string') return { name, valueType: ValueType.STRING, values: [value] };
  if (typeof value === 'boolean') return { name, valueType: ValueType.BOOL, values: [value] };
  if (typeof value === 'bigint') return { name, valueType: ValueType.INTEGER, values: [value] };
  if (typeof value === 'number') return { name, valueType: ValueType.DOUBLE, values: [value] };
  const [first, unit] = value;
  if (typeof unit === 'string') return { name, valueType: ValueType.DOUBLE, representation: unit, values: [Number(first)] };
  return { name, valueType: ValueType.DOUBLE, values: value.map(Number) };
};

const message = (fields: Given, payload?: string): Message => ({
  uuid: new Uint8Array(16),
  timestamp: 0n,
  ...(payload === undefined ? {} : { payload }),
  logger: 'org.example.Shop',
  pid: 7,
  fields: Object.entries(fields).map(field),
});

const summary = (template: string | null, fields: Given, payload?: string, columns: readonly string[] = []): string =>
  summariesOf({ template: template === null ? null : parseTemplate(template), columns }, batchOf([message(fields, payload)]))(0);

describe('summariesOf', () => {
  it.each<[template: string, fields: Given, summary: string]>([
    ['{request:request} {status} {time}', { request: 'GET /checkout HTTP/1.1', status: 504, time: [30, 's'] }, 'GET /checkout 504 30 s'],
    ['{a|b} {c}', { b: 'x' }, 'x'],
    ['{a|b} {c}', { a: '-', b: 'x' }, 'x'],
    ['{a}[: {b}]', { a: 'x' }, 'x'],
    ['{a}[: {b}]', { a: 'x', b: 'y' }, 'x: y'],
    ['[{a} {b}|{b}|{c}]', { b: 'y' }, 'y'],
    ['[{a}[ {b}]] · {c}', { c: 'z' }, 'z'],
    ['[{a}[ {b}]] · {c} · {d}', { a: 'x', b: 'y' }, 'x y'],
    ['{a} · {b}', { a: 'same', b: 'same' }, 'same'],
    ['{a}·{b}', { a: 'x', b: 'y · z' }, 'x·y · z'],
    ['{took:ms} {size:kB} {word:s}', { took: 1500, size: '2048', word: 'now' }, '1.5 s 2.0 MB now'],
    ['{took:ms}', { took: [2, 's'] }, '2 s'],
    ['{none} {ok} {n} {many}', { ok: true, n: 12n, many: [1, 2] }, 'true 12 1, 2'],
    ['{text}', { text: '\n \u001b[31mfirst\u001b[0m \t line\r\nsecond' }, 'first line'],
    ['{Logger:name} {Pid} {Fields[Logger]}', { Logger: 'mine' }, 'Shop 7 mine'],
    ['{a} {*}', { a: 'x', b: 1, undated: true, decode_error: 'no', c: [5120, 'B'] }, 'x b=1 c=5.1 kB'],
  ])('%s', (template, fields, expected) => {
    expect(summary(template, fields)).toBe(expected);
  });

  it('is the text where the template finds nothing, else the fields: those of the columns first, inner ones last', () => {
    const fields = { _id: 'i', a: 1, b: 'two\nlines', empty: '' };
    expect(summary('{none}', fields, 'first\nsecond')).toBe('first');
    expect(summary(null, fields, ' ')).toBe('a=1 b=two _id=i');
    expect(summary(null, fields, undefined, ['b'])).toBe('b=two a=1 _id=i');
    expect(summary(null, {})).toBe('');
  });

  it.each([
    ['java.lang.OutOfMemoryError: Java heap space\n\tat a.B.c(B.java:1)', 'OutOfMemoryError: Java heap space'],
    ['Exception in thread "main" java.lang.IllegalStateException: no\n\tat a.B', 'IllegalStateException: no'],
    ['request failed\njava.net.SocketTimeoutException: timeout\n\tat a.B', 'request failed · SocketTimeoutException: timeout'],
    ['boom\n\tat a.B\nCaused by: a.b.DbException: no route', 'boom · DbException: no route'],
    ['Traceback (most recent call last):\n  File "a.py"\nOSError: no route', 'OSError: no route'],
    ['System.IO.FileNotFoundException: x.txt', 'FileNotFoundException: x.txt'],
    ['a line\n  of two', 'a line'],
  ])('%j as an error', (text, expected) => {
    expect(summary('{Payload:error}', {}, text)).toBe(expected);
  });

  it('is cut where it is long', () => {
    expect(summary('{a} {b} {c}', { a: 'a'.repeat(400), b: 'b'.repeat(150), c: 'c'.repeat(150) })).toHaveLength(500);
    expect(summary(null, {}, 'x'.repeat(9000))).toBe(`${'x'.repeat(499)}…`);
  });
});
