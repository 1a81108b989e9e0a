import type { CharSet } from './charset.ts';
import type { Assertion, Regex } from './syntax.ts';

export const Op = { MATCH: 0, SET: 1, SPLIT: 2, ASSERT: 3 } as const;

/**
 * A Thompson automaton (K. Thompson, "Regular Expression Search Algorithm", CACM 1968). Instruction 0 matches. SET takes a character of
 * `sets[argument]` and goes to `next`; SPLIT goes to `next` and to `argument`; ASSERT goes to `next` where `asserts[argument]` holds.
 */
export interface Nfa {
  readonly start: number;
  readonly op: readonly number[];
  readonly next: readonly number[];
  readonly argument: readonly number[];
  readonly sets: readonly CharSet[];
  readonly asserts: readonly Assertion[];
}

/** Compiles an expression, back to front: each part is built knowing what follows it. */
export function compileNfa(regex: Regex): Nfa {
  const op: number[] = [Op.MATCH];
  const next: number[] = [0];
  const argument: number[] = [0];
  const sets: CharSet[] = [];
  const asserts: Assertion[] = [];
  const setIds = new Map<string, number>();

  const add = (kind: number, to: number, value: number): number => {
    next.push(to);
    argument.push(value);
    return op.push(kind) - 1;
  };
  const setId = (set: CharSet): number => {
    const key = set.join();
    const known = setIds.get(key);
    if (known !== undefined) return known;
    setIds.set(key, sets.length);
    return sets.push(set) - 1;
  };
  const assertId = (assertion: Assertion): number =>
    asserts.includes(assertion) ? asserts.indexOf(assertion) : asserts.push(assertion) - 1;

  const build = (part: Regex, to: number): number => {
    switch (part.kind) {
      case 'empty':
        return to;
      case 'set':
        return add(Op.SET, to, setId(part.set));
      case 'assertion':
        return add(Op.ASSERT, to, assertId(part.assertion));
      case 'sequence':
        return part.parts.reduceRight((following, inner) => build(inner, following), to);
      case 'choice':
        return part.parts.map((inner) => build(inner, to)).reduce((left, right) => add(Op.SPLIT, left, right));
      case 'repeat':
        return buildRepeat(part.part, part.min, part.max, to);
    }
  };
  const buildRepeat = (part: Regex, min: number, max: number, to: number): number => {
    let at = to;
    if (max < 0) {
      const loop = add(Op.SPLIT, to, to);
      next[loop] = build(part, loop);
      at = loop;
    }
    for (let count = Math.max(max - min, 0); count > 0; count--) at = add(Op.SPLIT, build(part, at), to);
    for (let count = min; count > 0; count--) at = build(part, at);
    return at;
  };

  const start = build(regex, 0);
  return { start, op, next, argument, sets, asserts };
}
