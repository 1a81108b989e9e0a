import { EMPTY_REGEX, sequence, type Regex } from './syntax.ts';

/**
 * Drops the parts that an unanchored search does not need: repetitions at either end of the expression are cut to their least count, since a match
 * with more of them contains a match with fewer. `.*foo.*` becomes `foo`, `[a-z]+@` becomes `[a-z]@`.
 */
export function trimForSearch(regex: Regex): Regex {
  return trimEdge(trimEdge(regex, 'start'), 'end');
}

function trimEdge(regex: Regex, edge: 'start' | 'end'): Regex {
  switch (regex.kind) {
    case 'empty':
    case 'set':
    case 'assertion':
      return regex;
    case 'choice': {
      const parts = regex.parts.map((part) => trimEdge(part, edge));
      return parts.some((part) => part.kind === 'empty') ? EMPTY_REGEX : { kind: 'choice', parts };
    }
    case 'repeat':
      if (regex.min === 0) return EMPTY_REGEX;
      if (regex.min === 1) return trimEdge(regex.part, edge);
      return { ...regex, max: regex.min };
    case 'sequence':
      return trimSequence(regex.parts, edge);
  }
}

function trimSequence(all: readonly Regex[], edge: 'start' | 'end'): Regex {
  let from = 0;
  let to = all.length;
  while (from < to) {
    const trimmed = trimEdge(all[edge === 'start' ? from : to - 1] as Regex, edge);
    if (edge === 'start') from++;
    else to--;
    if (trimmed.kind === 'empty') continue;
    const rest = all.slice(from, to);
    return sequence(edge === 'start' ? [trimmed, ...rest] : [...rest, trimmed]);
  }
  return EMPTY_REGEX;
}
