import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Automaton } from '../../../engine/rules/automaton.ts';
import { foldedOf } from '../../../engine/rules/text-pattern.ts';

const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '-', '/', 'é', '漢'), minLength: 1, maxLength: 5 });

describe('Automaton', () => {
  it('finds what a search for each text finds', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(texts.map(foldedOf), { minLength: 1, maxLength: 12 }),
        fc.string({ unit: fc.constantFrom('a', 'b', 'B', '/', 'é', 'x') }),
        (wanted, text) => {
          const found: string[] = [];
          new Automaton(wanted).scan(`..${text}..`, 2, text.length + 2, (pattern, end) => found.push(`${pattern} ${end - 2}`));
          const folded = foldedOf(text);
          const expected = wanted.flatMap((each, pattern) =>
            Array.from({ length: folded.length + 1 }, (_, end) => end).flatMap((end) =>
              folded.slice(0, end).endsWith(each) ? [`${pattern} ${end}`] : [],
            ),
          );
          expect(found.sort()).toEqual(expected.sort());
        },
      ),
    );
  });

  it('grows', () => {
    const many = Array.from({ length: 500 }, (_, i) => `text ${i} and more`);
    const found: number[] = [];
    new Automaton(many).scan('xtext 499 and more', 0, 18, (pattern) => found.push(pattern));
    expect(found).toEqual([499]);
  });
});
