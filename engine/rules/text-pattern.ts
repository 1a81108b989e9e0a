/** Stands in a pattern for any one character. */
const ANY = '\ufdd1';
/** Stands in a pattern for a dash or what is used in place of one. */
const DASH = '\ufdd0';
const [ANY_CODE, DASH_CODE] = [ANY.charCodeAt(0), DASH.charCodeAt(0)];
const DASHES = '-/\u2013\u2014\u2015';
/** Characters that `|windash` makes any of the dashes: at the beginning of a word. */
const FLAG = /\B[-/](?=\w)/g;

const FIRST_BEYOND_ASCII = 0x80;
/** Classes of all characters beyond ASCII. */
const CLASSES = 16;

/** Each code unit as the automaton takes it: in lower case, all dashes as one, and those beyond ASCII as one of a few. */
export const FOLDED = new Uint16Array(0x10000);
const LOWER = new Uint16Array(0x10000);
for (let code = 0; code < 0x10000; code++) {
  const lower = String.fromCharCode(code).toLowerCase();
  LOWER[code] = lower.length === 1 ? lower.charCodeAt(0) : code;
  const own = LOWER[code] as number;
  const folded = own < FIRST_BEYOND_ASCII ? own : FIRST_BEYOND_ASCII + (own % CLASSES);
  FOLDED[code] = DASHES.includes(String.fromCharCode(code)) ? 45 : folded;
}

/** A value of a rule with its wildcards: pieces of text in their order, with anything between them. */
export interface TextPattern {
  readonly pieces: readonly string[];
  /** The first piece is at the start of the text. */
  readonly fromStart: boolean;
  /** The last piece is at the end of the text. */
  readonly toEnd: boolean;
  readonly cased: boolean;
}

/** A plain text, or a wildcard, of a written value. */
type Part = string | typeof STAR;
const STAR = Symbol('*');

/** Takes a written value apart (`*`, `?` and backslashes, "Escape Character" of the specification). */
function partsOf(value: string): Part[] {
  const parts: Part[] = [];
  let text = '';
  for (let i = 0; i < value.length; i++) {
    const char = value[i] as string;
    const next = value[i + 1];
    if (char === '\\' && (next === '*' || next === '?' || next === '\\')) {
      text += next;
      i++;
    } else if (char === '*') {
      parts.push(text, STAR);
      text = '';
    } else text += char === '?' ? ANY : char;
  }
  return [...parts, text];
}

export type Place = 'equals' | 'contains' | 'startsWith' | 'endsWith';

/** Rules by which a written value becomes a pattern. */
export interface PatternOptions {
  readonly place: Place;
  readonly cased: boolean;
  /** Dashes before words are any dashes. */
  readonly anyDash: boolean;
}

/** The pattern of a written value. */
export function parseText(value: string, { place, cased, anyDash }: PatternOptions): TextPattern {
  const parts = partsOf(value);
  const pieces: string[] = [];
  let fromStart = place === 'equals' || place === 'startsWith';
  let toEnd = place === 'equals' || place === 'endsWith';
  if (parts[0] === '' && parts.length > 1) fromStart = false;
  if (parts.at(-1) === '' && parts.length > 1) toEnd = false;
  for (const part of parts) if (part !== STAR && part !== '') pieces.push(anyDash ? part.replaceAll(FLAG, DASH) : part);
  return { pieces: cased ? pieces : pieces.map(lowerOf), fromStart, toEnd, cased };
}

/** A text without wildcards. */
export const plainText = (text: string, place: Place, cased: boolean): TextPattern => ({
  pieces: text === '' ? [] : [cased ? text : lowerOf(text)],
  fromStart: place === 'equals' || place === 'startsWith',
  toEnd: place === 'equals' || place === 'endsWith',
  cased,
});

function lowerOf(text: string): string {
  let lower = '';
  for (let i = 0; i < text.length; i++) lower += String.fromCharCode(LOWER[text.charCodeAt(i)] as number);
  return lower;
}

/** A value without its backslashes before wildcards. */
export const unescaped = (value: string): string =>
  partsOf(value)
    .filter((part) => part !== STAR)
    .join('');

/** Whether a text fits: in time that is at most its length by that of the pattern. */
export function fits({ pieces, fromStart, toEnd, cased }: TextPattern, text: string): boolean {
  const last = pieces.length - 1;
  if (last < 0) return !(fromStart && toEnd) || text === '';
  let at = 0;
  for (const [i, piece] of pieces.entries()) {
    const isFirst = i === 0 && fromStart;
    if (i === last && toEnd) {
      const start = text.length - piece.length;
      return start >= at && (!isFirst || start === 0) && isAt(text, start, piece, cased);
    }
    if (isFirst) {
      if (!isAt(text, 0, piece, cased)) return false;
      at = piece.length;
      continue;
    }
    const found = find(text, at, piece, cased);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return true;
}

function find(text: string, from: number, piece: string, cased: boolean): number {
  for (let at = from; at + piece.length <= text.length; at++) if (isAt(text, at, piece, cased)) return at;
  return -1;
}

function isAt(text: string, at: number, piece: string, cased: boolean): boolean {
  if (at < 0 || at + piece.length > text.length) return false;
  for (let i = 0; i < piece.length; i++) {
    const wanted = piece.charCodeAt(i);
    const code = text.charCodeAt(at + i);
    if (wanted === code || wanted === ANY_CODE) continue;
    if (wanted === DASH_CODE ? FOLDED[code] !== 45 : cased || LOWER[code] !== wanted) return false;
  }
  return true;
}

/** Units of the longest text that the automaton looks for. */
const LONGEST = 20;

/** The text in a pattern that the automaton looks for. */
export interface Fragment {
  readonly text: string;
  /** The fragment is all that is asked for: the pattern fits where it is found, at the places that are said. */
  readonly isWhole: boolean;
}

/** The longest text that each fitting text has, as the automaton takes it; null: there is none. */
export function fragmentOf({ pieces, cased }: TextPattern): Fragment | null {
  let best = '';
  for (const piece of pieces) for (const run of piece.split(ANY)) if (run.length > best.length) best = run;
  if (best === '') return null;
  const text = foldedOf(best.slice(0, LONGEST));
  const isExact = !cased && pieces.length === 1 && text === pieces[0] && !text.includes('-');
  return { text, isWhole: isExact };
}

/** A text as the automaton takes it. */
export function foldedOf(text: string): string {
  let folded = '';
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    folded += String.fromCharCode(code === DASH_CODE ? 45 : (FOLDED[code] as number));
  }
  return folded;
}
