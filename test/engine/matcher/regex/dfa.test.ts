import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Dfa } from '../../../../engine/matcher/regex/dfa.ts';
import { parseRegex } from '../../../../engine/matcher/regex/parse.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const automatonOf = (source: string): Dfa => Dfa.of(parseRegex(source) ?? { kind: 'empty' }) as Dfa;

describe('an automaton', () => {
  it.each<[source: string, text: string, start: number, end: number, from: number, found: boolean]>([
    ['ab', 'xabx', 0, 4, 0, true],
    ['ab', 'xabx', 0, 4, 2, false],
    ['ab', 'xabx', 2, 4, 2, false],
    ['^a', 'xa', 1, 2, 1, true],
    ['^a', 'xa', 0, 2, 1, false],
    ['(?m)^a', '\na', 0, 2, 1, true],
    ['a$', 'ab', 0, 1, 0, true],
    ['\\ba', 'xa', 0, 2, 1, false],
    ['\\ba', ' a', 0, 2, 1, true],
    ['\\Ba', 'xa', 0, 2, 1, true],
    ['^.$', '😀', 0, 2, 0, true],
    ['^.$', '\ud83d', 0, 1, 0, true],
    ['', '', 0, 0, 0, true],
    ['a', '', 0, 0, 0, false],
  ])('%j in %j', (source, text, start, end, from, found) => expect(automatonOf(source).test(text, start, end, from)).toBe(found));

  it('is none of an expression with too many sets', () => {
    const source = Array.from({ length: 2000 }, (_, i) => `[${String.fromCharCode(0x4e00 + 3 * i)}a]`).join('');
    expect(Dfa.of(parseRegex(source) ?? { kind: 'empty' })).toBeNull();
  });

  it('empties the table with too many states, and goes on', () => {
    const source = '[ab]*a[ab]{14}c';
    const automaton = automatonOf(source);
    const native = new RegExp(source);
    const letters = fc
      .array(fc.constantFrom('a', 'b', 'abba', 'babb'), { minLength: 2000, maxLength: 4000 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(letters, fc.constantFrom('', 'c', 'ab'), (text, end) => {
        expect(automaton.test(text + end, 0, text.length + end.length, 0)).toBe(native.test(text.slice(-20) + end));
      }),
      { numRuns: 30 },
    );
  });

  it('keeps few states when they are large', () => {
    const source = Array.from({ length: 12 }, (_, i) => `[${'ab'.charAt(i % 2)}${i}][ab]{990}\\x{${(0x4e00 + i).toString(16)}}`).join('|');
    const automaton = automatonOf(source);
    let bits = 1;
    const text = Array.from({ length: 900 }, () => ((bits = (bits * 48_271) % 2_147_483_647) & 64 ? 'a' : 'b')).join('');
    collect();
    const before = process.memoryUsage().heapUsed;
    expect(automaton.test(text, 0, text.length, 0)).toBe(false);
    collect();
    expect((process.memoryUsage().heapUsed - before) / 2 ** 20).toBeLessThan(25);
  });

  it('begins in the table of now when the last text has left it full', () => {
    const source = '[ab]*a[ab]{14}c';
    const native = new RegExp(source);
    let bits = 1;
    const letters = Array.from({ length: 4200 }, () => ((bits = (bits * 48_271) % 2_147_483_647) & 64 ? 'a' : 'b')).join('');
    for (let length = 2000; length < 2100; length++) {
      const automaton = automatonOf(source);
      for (const text of [letters.slice(0, length), `${letters.slice(-60)}c`]) {
        expect(automaton.test(text, 0, text.length, 0), `${length}`).toBe(text.endsWith('c') && native.test(text));
      }
    }
  });
});
