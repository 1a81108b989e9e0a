import { contains, type CharSet } from './charset.ts';
import { trimForSearch } from './simplify.ts';
import { EMPTY_REGEX, matchesEmpty, sequence, type Regex } from './syntax.ts';

const LINE_END = 10;
const LAST = 0xff;
/** The first character beyond ASCII. */
const BEYOND = 0x80;
const BEYOND_ASCII: readonly Regex[] = [{ kind: 'repeat', part: { kind: 'set', set: [BEYOND, LAST] }, min: 1, max: 4 }];

/**
 * An expression in the language of ripgrep that is found in at least one line of each text in which `regex` is found. The lines are bytes, each of which is one
 * character of Latin-1. null: there is none that is of use.
 */
export function latinLines(regex: Regex): string | null {
  const trimmed = trimForSearch(withoutAssertions(regex));
  if (matchesEmpty(trimmed)) return null;
  const expression = anywhere(trimmed);
  return expression === null ? null : `(?-u)${expression}`;
}

/** A text that is looked for as it is, or in any case by the lower-case form of each character. */
export function literalRegex(text: string, caseSensitive: boolean): Regex {
  const units = caseSensitive ? text : text.toLowerCase();
  return sequence(Array.from({ length: units.length }, (_, i) => ({ kind: 'set', set: unitSet(units.charCodeAt(i), caseSensitive) })));
}

/** The expression for texts whose characters beyond ASCII may be stored in several ways, one or more bytes each. */
export function inAnyBytes(regex: Regex): Regex {
  switch (regex.kind) {
    case 'empty':
    case 'assertion':
      return regex;
    case 'set': {
      const narrow = regex.set.flatMap((low, i) =>
        i % 2 === 0 && low < BEYOND ? [low, Math.min(regex.set[i + 1] as number, BEYOND - 1)] : [],
      );
      if (narrow.length === regex.set.length && narrow.at(-1) === regex.set.at(-1)) return regex;
      const ascii: readonly Regex[] = narrow.length === 0 ? [] : [{ kind: 'set', set: narrow }];
      return { kind: 'choice', parts: [...ascii, ...BEYOND_ASCII] };
    }
    case 'sequence':
    case 'choice':
      return { ...regex, parts: regex.parts.map(inAnyBytes) };
    case 'repeat':
      return { ...regex, part: inAnyBytes(regex.part) };
  }
}

/** The character, and those of Latin-1 of which it is the lower-case form. */
function unitSet(unit: number, caseSensitive: boolean): CharSet {
  const lower = String.fromCharCode(unit);
  const upper = lower.toUpperCase();
  const other = upper.charCodeAt(0);
  if (caseSensitive || upper.length !== 1 || other > LAST || other === unit || upper.toLowerCase() !== lower) return [unit, unit];
  return [other, other, unit, unit];
}

/** The expression without its assertions: beside a record there are other characters in the file than in its text, so they would not hold. */
function withoutAssertions(regex: Regex): Regex {
  switch (regex.kind) {
    case 'empty':
    case 'set':
      return regex;
    case 'assertion':
      return EMPTY_REGEX;
    case 'sequence':
      return sequence(regex.parts.map(withoutAssertions));
    case 'choice':
      return { ...regex, parts: regex.parts.map(withoutAssertions) };
    case 'repeat':
      return { ...regex, part: withoutAssertions(regex.part) };
  }
}

function anywhere(regex: Regex): string | null {
  if (regex.kind === 'choice') {
    const parts = regex.parts.map(anywhere);
    return parts.includes(null) ? null : parts.join('|');
  }
  const parts = regex.kind === 'sequence' ? regex.parts : [regex];
  // Parts that may be line ends at the beginning of a match are left out: the line to be found begins behind them.
  const first = parts.findIndex((part) => !takesLineEnd(part));
  const rest = sequence(parts.slice(first));
  return first < 0 || matchesEmpty(rest) || matchesEmpty(parts[first] as Regex) ? null : inLine(parts.slice(first));
}

/** The parts one after the other, or those up to where one of them takes a line end. */
function inLine(parts: readonly Regex[]): string {
  const at = parts.findIndex(takesLineEnd);
  if (at < 0) return parts.map(emit).join('');
  const part = parts[at] as Regex;
  const before = parts.slice(0, at).map(emit).join('');
  return `${before}(?:${emit(part)}${inLine(parts.slice(at + 1))}|${emitRanges(setsOf(part).flat())}*$)`;
}

const takesLineEnd = (regex: Regex): boolean => setsOf(regex).some((set) => contains(set, LINE_END));

function setsOf(regex: Regex): readonly CharSet[] {
  switch (regex.kind) {
    case 'empty':
    case 'assertion':
      return [];
    case 'set':
      return [regex.set];
    case 'sequence':
    case 'choice':
      return regex.parts.flatMap(setsOf);
    case 'repeat':
      return setsOf(regex.part);
  }
}

function emit(regex: Regex): string {
  switch (regex.kind) {
    case 'empty':
    case 'assertion':
      return '';
    case 'set':
      return emitRanges(regex.set);
    case 'sequence':
      return regex.parts.map(emit).join('');
    case 'choice':
      return `(?:${regex.parts.map(emit).join('|')})`;
    case 'repeat': {
      const { min, max } = regex;
      return `(?:${emit(regex.part)}){${min},${max < 0 ? '' : max}}`;
    }
  }
}

/** Characters of these ranges, apart from line ends. */
function emitRanges(ranges: readonly number[]): string {
  let body = '';
  for (let i = 0; i < ranges.length; i += 2) {
    const low = ranges[i] as number;
    const high = Math.min(ranges[i + 1] as number, LAST);
    if (low <= LINE_END && LINE_END <= high) body += emitRange(low, LINE_END - 1) + emitRange(LINE_END + 1, high);
    else body += emitRange(low, high);
  }
  return body === '' ? NOTHING : `[${body}]`;
}

const NOTHING = '[^\\x00-\\xff]';

function emitRange(low: number, high: number): string {
  if (low > high) return '';
  return low === high ? emitByte(low) : `${emitByte(low)}-${emitByte(high)}`;
}

function emitByte(code: number): string {
  const char = String.fromCharCode(code);
  return /[A-Za-z0-9 ]/.test(char) ? char : `\\x${code.toString(16).padStart(2, '0')}`;
}
