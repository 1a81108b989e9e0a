import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberOf, parseStat, parseStats, type Stat } from '../../../../engine/inputs/stats/parse.ts';
import { expectLinear } from '../../../growth.ts';

const stat = (bucket: string, kind: Stat['kind'], value: string, rate = 1): Stat => ({ bucket, kind, value, rate });

describe('a line', () => {
  it.each<[string, Stat]>([
    ['hits:1|c', stat('hits', 'counter', '1')],
    ['hits:1|c|@0.1', stat('hits', 'counter', '1', 0.1)],
    ['hits:-3|c', stat('hits', 'counter', '-3')],
    ['rt:320|ms', stat('rt', 'timer', '320')],
    ['rt:320|ms|@0.5', stat('rt', 'timer', '320', 0.5)],
    ['temp:21.5|g', stat('temp', 'gauge', '21.5')],
    ['temp:+2|g', stat('temp', 'gauge', '+2')],
    ['temp:1|g|@2', stat('temp', 'gauge', '1', 2)],
    ['x:5|h', stat('x', 'counter', '5')],
    ['x:5|m', stat('x', 'counter', '5')],
    ['x:abc|c', stat('x', 'counter', 'abc')],
    ['x:|c', stat('x', 'counter', '')],
    ['x:1|count', stat('x', 'counter', '1')],
    ['x:1|gauge', stat('x', 'gauge', '1')],
    ['x:1|msec', stat('x', 'timer', '1')],
    // Sections behind the kind that are no rate are ignored.
    ['x:1|cat|@0.5', stat('x', 'counter', '1')],
    ['x:1|c|#tag:a', stat('x', 'counter', '1')],
    ['x:1|c|@', stat('x', 'counter', '1')],
    ['x:1|c |@0.5', stat('x', 'counter', '1')],
    ['x:1|c|@1e-1', stat('x', 'counter', '1', 0.1)],
    ['x:1|c|@-0.5', stat('x', 'counter', '1', -0.5)],
    // Buckets are what stands in front of the first colon, whatever that is.
    [':1|c', stat('', 'counter', '1')],
    ['a|b:1|c', stat('a|b', 'counter', '1')],
    ['a b/c:1|c', stat('a b/c', 'counter', '1')],
    ['a:b:1|c', stat('a', 'counter', 'b:1')],
    ['__proto__:1|c', stat('__proto__', 'counter', '1')],
    ['größe:1|g', stat('größe', 'gauge', '1')],
    ['x:1|c\r', stat('x', 'counter', '1')],
  ])('%j is a stat', (line, wanted) => expect(parseStat(line)).toEqual(wanted));

  it.each([
    ...['x:1|s', 'x:1', 'x:12', 'x1|c', 'x:1|', 'x:1|c|@z', 'x:1|h|@0.1', 'x:1|m|@0.1', 'x:1|hx', 'x:1|mx', 'x:1|C', 'x:1||c'],
    ...['', ':', '|', ':|', 'x:|', 'x', 'x:c', 'x|c', 'x|c:1', 'x:1|c|@0', 'x:1|c|@0.0', 'x:1|c|@1e-999', 'x:1|c|@1e999', 'x:1|c|@0x1'],
    ...['x:1|c|@Infinity', 'x:1|c|@NaN', 'x:1|c|@ 0.5', 'x:1|c|@0.5|#tag', 'x:1|c|@0,5', 'x:1|toString', 'x:1|valueOf'],
  ])('%j is none', (line) => expect(parseStat(line)).toBeNull());
});

describe('a datagram', () => {
  it.each<[string, string, string[], string[]]>([
    ['lines', 'a:1|c\nb:2|g\n', ['a', 'b'], []],
    ['blanks and empty lines', ' \t a:1|c \t\n\n \t \n\tb:2|g', ['a', 'b'], []],
    ['bad lines among good ones', 'a:1|c\nbad\nb:2|g\nx:1|s', ['a', 'b'], ['bad', 'x:1|s']],
    ['nothing', '', [], []],
    ['only line ends', '\n\n\n', [], []],
  ])('of %s', (_title, text, buckets, bad) => {
    const parsed = parseStats(text);
    expect(parsed.stats.map(({ bucket }) => bucket)).toEqual(buckets);
    expect(parsed.bad).toEqual(bad);
  });
});

it.each<[string, number]>([
  ['1', 1],
  ['+2', 2],
  ['-2.5', -2.5],
  ['.5', 0.5],
  ['5.', 5],
  ['1e3', 1000],
  ['1E-3', 0.001],
  ...['', 'abc', ' 1', '1 ', '0x10', '1_000', 'NaN', 'Infinity', '-inf', '1e999', '--1', '.', 'e5', '1,5', '٣'].map(
    (text): [string, number] => [text, 0],
  ),
])('the value %j counts %d', (text, value) => expect(numberOf(text)).toBe(value));

const bucket = fc.string({ unit: 'grapheme' }).filter((text) => !/[:\n]/.test(text));
const value = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.string().filter((text) => !/[|\n]/.test(text)),
);
const rate = fc.double({ min: 1e-6, max: 1, noNaN: true });

describe('any', () => {
  it('stat is read as it was written', () => {
    const kinds = fc.constantFrom<[string, Stat['kind']]>(['c', 'counter'], ['g', 'gauge'], ['ms', 'timer']);
    fc.assert(
      fc.property(bucket, value, kinds, fc.option(rate), (name, written, [modifier, kind], part) => {
        const line = `${name}:${written}|${modifier}${part === null ? '' : `|@${part}`}`;
        expect(parseStat(line)).toEqual(stat(name, kind, written, part ?? 1));
      }),
    );
  });

  it('text is read without a fault, each line once, and none as another number of lines', () => {
    const hostile = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[a:|@cgmsh0-9.\n\t -]*$/));
    fc.assert(
      fc.property(hostile, (text) => {
        const { stats, bad } = parseStats(text);
        expect(stats.length + bad.length).toBe(text.split('\n').filter((line) => /[^ \t]/.test(line)).length);
        for (const { value: written, rate: part } of stats)
          expect([Number.isFinite(numberOf(written)), Number.isFinite(1 / part)]).toEqual([true, true]);
      }),
      { numRuns: 2000 },
    );
  });

  it('long line takes no longer than its length', () => {
    const lines: ((length: number) => string)[] = [
      (length) => ':'.repeat(length),
      (length) => '|'.repeat(length),
      (length) => `a:${'1'.repeat(length)}|c`,
      (length) => `a:1|c|@${'9'.repeat(length)}`,
      (length) => ' '.repeat(length),
    ];
    for (const line of lines) expectLinear((length) => void parseStats(line(length)), 1e6, line(3));
  });
});
