import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Drain } from '../../../../../plugins/modules/drain.ts';
import { logWords } from '../../../../../plugins/modules/log_words.ts';
import { patternCondition, patternSource, pieces } from '../../../../../engine/api/filter/pattern-source.ts';
import { stateOf, stepOfTime, timeOfStep } from '../../../../../renderer/src/views/overview/pattern-facts.ts';

describe('the expression of a pattern', () => {
  const word = fc.oneof(
    fc.constantFrom(
      'port',
      'user=alice',
      'user=bob',
      '[7]:',
      '(a|b)',
      '192.0.2.7',
      '12ms',
      '0x1f',
      'a/b',
      '\\d',
      '<num>',
      '$',
      '13:07:59',
      'é',
    ),
    fc.string({ minLength: 1, maxLength: 5 }),
    fc.nat().map(String),
  );
  const line = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '));

  it('matches every line of the pattern', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 30 }), (lines) => {
        const drain = new Drain({ similarity: 0.5, prefix: 1, maxPatterns: 1000 }, { patterns: [], next: 1 });
        const of = lines.flatMap((text) => {
          const words = logWords(text);
          return words.length === 0 ? [] : [{ text, pattern: drain.add(words, text, 0) }];
        });
        for (const { text, pattern } of of) expect(text).toMatch(new RegExp(patternSource(pattern.words.join(' '))));
      }),
      { numRuns: 500 },
    );
  });

  it('matches long lines, of which the pattern is a beginning', () => {
    const text = Array.from({ length: 300 }, (_, i) => `word${'abcdefgh'.charAt(i % 8)}`).join(' ');
    expect(text).toMatch(new RegExp(patternSource(logWords(text).join(' '))));
  });

  it.each([
    ['Connection closed by <ip> port <num>', 'Connection closed by 192.0.2.8 port 4711', true],
    ['Connection closed by <ip> port <num>', 'Connection closed by 192.0.2.8 port 4711 [preauth]', false],
    ['a/b <*>', 'a/b x', true],
    ['took <num>ms at <time> of <hex>', 'took 1,204.5ms at 2021-03-05T13:07:59.25Z of 0xdeadBEEF', true],
    ['took <num>', 'took long', false],
    ['<time>,<num>', 'time,code', false],
    ['from <ip>', 'from fe80::1', true],
    ['from <ip>', 'from nowhere', false],
    ['a.b', 'axb', false],
  ])('%s: %s is one of it: %s', (pattern, text, same) => {
    expect(new RegExp(patternSource(pattern)).test(text)).toBe(same);
  });

  it('stands in a condition', () => {
    expect(patternCondition('a <num>', 'Fields[request]')).toBe(
      String.raw`Fields[request] =~ /^[\x00-\x20]*a[\x00-\x20]+(?:<num>|[-+]?\d+(?:[.,]\d+)*)[\x00-\x20]*$/`,
    );
    expect(patternCondition('a/b <*>')).toBe(String.raw`Payload =~ /^[\x00-\x20]*a\/b[\x00-\x20]+[^\x00-\x20]+[\x00-\x20]*$/`);
  });
});

describe('a pattern', () => {
  it.each([
    [10, 20, null, 'known'],
    [10, 20, 10, 'new'],
    [10, 20, 15, 'known'],
    [10, 20, 21, 'gone'],
  ] as const)('from %i to %i is, as of %o, %s', (first, last, since, state) => {
    expect(stateOf({ first, last }, since)).toBe(state);
  });

  it('is words, and what stands for others', () => {
    expect(pieces('port <num>: <*>')).toEqual([
      { text: 'port ', varies: false },
      { text: '<num>', varies: true },
      { text: ': ', varies: false },
      { text: '<*>', varies: true },
    ]);
  });
});

it.each([
  [0, null, 0],
  [25, 1250, 25],
  [100, 2000, 100],
])('step %i of the slider is the time %s', (step, time, back) => {
  const span = { from: 1000, to: 2000 };
  expect(timeOfStep(step, span)).toBe(time);
  expect(stepOfTime(time, span)).toBe(back);
});

it.each([
  [500, { from: 1000, to: 2000 }, 1],
  [3000, { from: 1000, to: 2000 }, 100],
  [1000, { from: 1000, to: 1000 }, 1],
])('the time %i stands at a step of other lines', (time, span, step) => expect(stepOfTime(time, span)).toBe(step));
