import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contains } from '../../../../engine/matcher/regex/charset.ts';
import { compileNfa, Op, type Nfa } from '../../../../engine/matcher/regex/nfa.ts';
import { parseRegex } from '../../../../engine/matcher/regex/parse.ts';
import type { Regex } from '../../../../engine/matcher/regex/syntax.ts';

const nfaOf = (source: string): Nfa => compileNfa(parseRegex(source) as Regex);

/** Whether all of a text is taken, by following every way. */
function takes({ start, op, next, argument, sets }: Nfa, text: string): boolean {
  const closed = (from: Iterable<number>): Set<number> => {
    const reached = new Set<number>();
    const visit = (pc: number): void => {
      if (reached.has(pc)) return;
      reached.add(pc);
      if (op[pc] !== Op.SPLIT) return;
      visit(next[pc] as number);
      visit(argument[pc] as number);
    };
    for (const pc of from) visit(pc);
    return reached;
  };
  let states = closed([start]);
  for (const char of text) {
    const code = char.codePointAt(0) as number;
    states = closed(
      [...states].filter((pc) => op[pc] === Op.SET && contains(sets[argument[pc] as number] ?? [], code)).map((pc) => next[pc] as number),
    );
  }
  return states.has(0);
}

describe('compileNfa', () => {
  it.each(['', 'a', 'ab', 'a|b', 'a*', 'a+b', 'a?b', 'a{2}', 'a{1,3}b?', '(ab|c)*', '(a|b{2,})+c', '[^a]b', '(?:a|)b'])(
    '%s takes what a native one does',
    (source) => {
      const [nfa, native] = [nfaOf(source), new RegExp(`^(?:${source})$`, 'u')];
      fc.assert(
        fc.property(fc.string({ unit: fc.constantFrom('a', 'b', 'c', '😀'), maxLength: 7 }), (text) => {
          expect(takes(nfa, text)).toBe(native.test(text));
        }),
        { numRuns: 200 },
      );
    },
  );

  it('keeps each set and each assertion once', () => {
    const { sets, asserts, op } = nfaOf('^a[b]a\\b(?:a|\\bb)$');
    expect([...sets].sort()).toEqual([
      [0x61, 0x61],
      [0x62, 0x62],
    ]);
    expect([...asserts].sort()).toEqual(['textEnd', 'textStart', 'word']);
    expect(op.filter((kind) => kind === Op.SET)).toHaveLength(5);
  });
});
