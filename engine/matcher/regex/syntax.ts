import type { CharSet } from './charset.ts';

/** Conditions that match without taking a character. Lines end at \n only. */
export type Assertion = 'textStart' | 'textEnd' | 'lineStart' | 'lineEnd' | 'word' | 'notWord';

/** A regular expression, reduced to what decides whether a text matches: no groups, no greediness, no flags. */
export type Regex =
  | { readonly kind: 'empty' }
  | { readonly kind: 'set'; readonly set: CharSet }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'sequence'; readonly parts: readonly Regex[] }
  | { readonly kind: 'choice'; readonly parts: readonly Regex[] }
  /** `max` -1: without end. */
  | { readonly kind: 'repeat'; readonly part: Regex; readonly min: number; readonly max: number };

export const EMPTY_REGEX: Regex = { kind: 'empty' };

/** Joins parts, flattening sequences in sequences and dropping empty ones. */
export function sequence(parts: readonly Regex[]): Regex {
  const flat = parts.flatMap((part) => (part.kind === 'sequence' ? part.parts : part.kind === 'empty' ? [] : [part]));
  if (flat.length === 0) return EMPTY_REGEX;
  return flat.length === 1 ? (flat[0] as Regex) : { kind: 'sequence', parts: flat };
}

/** Whether the expression can match without taking a character; an assertion can. */
export function matchesEmpty(regex: Regex): boolean {
  switch (regex.kind) {
    case 'empty':
    case 'assertion':
      return true;
    case 'set':
      return false;
    case 'sequence':
      return regex.parts.every(matchesEmpty);
    case 'choice':
      return regex.parts.some(matchesEmpty);
    case 'repeat':
      return regex.min === 0 || matchesEmpty(regex.part);
  }
}

/** Instructions that the expression expands to, counted repeats written out. */
export function sizeOf(regex: Regex): number {
  switch (regex.kind) {
    case 'empty':
      return 0;
    case 'set':
    case 'assertion':
      return 1;
    case 'sequence':
    case 'choice':
      return regex.parts.reduce((sum, part) => sum + sizeOf(part), regex.parts.length);
    case 'repeat':
      return (sizeOf(regex.part) + 1) * (regex.max < 0 ? regex.min + 1 : Math.max(regex.max, 1));
  }
}
