import * as chars from './charset.ts';
import type { CharSet } from './charset.ts';
import { EMPTY_REGEX, sequence, type Regex } from './syntax.ts';

/** Groups deeper than this are left to the fallback engine, which knows its own bound. */
const MAX_DEPTH = 200;

/** The state that `(?flags)` changes; it ends with its group. */
interface Flags {
  readonly fold: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
}

/**
 * Parses RE2 syntax (https://github.com/google/re2/wiki/Syntax) as far as it decides *whether* a text matches. Returns null for what is
 * left to the fallback engine: Unicode classes (`\pL`), case folding outside ASCII, very deep nesting, and anything malformed. The
 * fallback engine also judges which expressions are malformed, so the caller asks it first.
 */
export function parseRegex(source: string): Regex | null {
  try {
    return new Parser(source).parse();
  } catch (error) {
    if (error === UNSUPPORTED) return null;
    throw error;
  }
}

const UNSUPPORTED = new Error('left to the fallback engine');

const ESCAPED_SETS: Readonly<Record<string, CharSet>> = {
  d: chars.DIGIT,
  D: chars.negate(chars.DIGIT),
  s: chars.SPACE,
  S: chars.negate(chars.SPACE),
  w: chars.WORD,
  W: chars.negate(chars.WORD),
};
const CONTROLS: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

class Parser {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  #flags: Flags = { fold: false, multiline: false, dotAll: false };

  constructor(text: string) {
    this.#text = text;
  }

  parse(): Regex {
    const regex = this.#choice();
    if (this.#at < this.#text.length) throw UNSUPPORTED;
    return regex;
  }

  #choice(): Regex {
    if (++this.#depth > MAX_DEPTH) throw UNSUPPORTED;
    const parts = [this.#sequence()];
    while (this.#take('|')) parts.push(this.#sequence());
    this.#depth--;
    return parts.length === 1 ? (parts[0] as Regex) : { kind: 'choice', parts };
  }

  #sequence(): Regex {
    const parts: Regex[] = [];
    while (this.#at < this.#text.length && !this.#sees('|') && !this.#sees(')')) this.#piece(parts);
    return sequence(parts);
  }

  /** One atom with its repetition, or a run of literal text, appended to `parts`. */
  #piece(parts: Regex[]): void {
    if (this.#take('\\Q')) {
      const end = this.#text.indexOf('\\E', this.#at);
      const literal = this.#text.slice(this.#at, end < 0 ? undefined : end);
      this.#at = end < 0 ? this.#text.length : end + 2;
      for (const char of literal) parts.push(this.#literal(char.codePointAt(0) as number));
      // A repetition after \E belongs to the last character.
      const last = parts.pop();
      if (last) parts.push(this.#repeated(last));
      return;
    }
    if (this.#sees('(?')) {
      const group = this.#flagGroup();
      if (group === 'set') return;
      if (group !== null) {
        parts.push(this.#repeated(group));
        return;
      }
    }
    parts.push(this.#repeated(this.#atom()));
  }

  #repeated(part: Regex): Regex {
    const bounds = this.#bounds();
    if (bounds === null) return part;
    this.#take('?');
    const at = this.#at;
    if (this.#bounds() !== null) throw UNSUPPORTED;
    this.#at = at;
    const [min, max] = bounds;
    if (part.kind === 'empty' || max === 0) return EMPTY_REGEX;
    return min === 1 && max === 1 ? part : { kind: 'repeat', part, min, max };
  }

  #bounds(): readonly [number, number] | null {
    if (this.#take('*')) return [0, -1];
    if (this.#take('+')) return [1, -1];
    if (this.#take('?')) return [0, 1];
    const counted = /^\{(\d+)(,?)(\d*)\}/.exec(this.#text.slice(this.#at, this.#at + 24));
    if (counted === null || (counted[2] === '' && counted[3] !== '')) return null;
    const min = Number(counted[1]);
    const max = counted[2] === '' ? min : counted[3] === '' ? -1 : Number(counted[3]);
    if (min > 1000 || max > 1000 || (max >= 0 && min > max)) throw UNSUPPORTED;
    this.#at += counted[0].length;
    return [min, max];
  }

  #atom(): Regex {
    const { multiline } = this.#flags;
    if (this.#take('(')) return this.#group();
    if (this.#take('[')) return { kind: 'set', set: this.#class() };
    if (this.#take('.')) return { kind: 'set', set: this.#flags.dotAll ? chars.ANY : chars.NOT_NEWLINE };
    if (this.#take('^')) return { kind: 'assertion', assertion: multiline ? 'lineStart' : 'textStart' };
    if (this.#take('$')) return { kind: 'assertion', assertion: multiline ? 'lineEnd' : 'textEnd' };
    if (this.#sees('\\')) return this.#escape();
    if (this.#sees('*') || this.#sees('+') || this.#sees('?')) throw UNSUPPORTED;
    return this.#literal(this.#codePoint());
  }

  #escape(): Regex {
    if (this.#take('\\A')) return { kind: 'assertion', assertion: 'textStart' };
    if (this.#take('\\z')) return { kind: 'assertion', assertion: 'textEnd' };
    if (this.#take('\\b')) return { kind: 'assertion', assertion: 'word' };
    if (this.#take('\\B')) return { kind: 'assertion', assertion: 'notWord' };
    const set = this.#escapedSet();
    return set === null ? this.#literal(this.#escapedCode()) : { kind: 'set', set };
  }

  /** `\d`, `\W` and so on; null when no set stands here. */
  #escapedSet(): CharSet | null {
    const letter = this.#text.charAt(this.#at + 1);
    if (letter === 'p' || letter === 'P') throw UNSUPPORTED;
    const set = ESCAPED_SETS[letter];
    if (set === undefined) return null;
    this.#at += 2;
    if (!this.#flags.fold || (letter !== 'w' && letter !== 'W')) return set;
    const folded = this.#fold(chars.WORD);
    return letter === 'w' ? folded : chars.negate(folded);
  }

  /** The character that an escape such as `\n`, `\x41`, `\x{1F600}`, `\101` or `\.` stands for. */
  #escapedCode(): number {
    const rest = this.#text.slice(this.#at + 1, this.#at + 12);
    const hex = /^x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,8})\})/.exec(rest);
    const octal = hex ? null : (/^[1-7][0-7]{1,2}/.exec(rest) ?? /^0[0-7]{0,2}/.exec(rest));
    const token = hex?.[0] ?? octal?.[0] ?? rest.charAt(0);
    this.#at += 1 + token.length;
    const code = hex ? parseInt(hex[1] ?? (hex[2] as string), 16) : octal ? parseInt(octal[0], 8) : (CONTROLS[token] ?? punctuation(token));
    if (code > chars.MAX_CODE_POINT) throw UNSUPPORTED;
    return code;
  }

  #group(): Regex {
    const outer = this.#flags;
    if (this.#sees('?P<') || this.#sees('?<')) {
      const end = this.#text.indexOf('>', this.#at);
      if (end < 0) throw UNSUPPORTED;
      this.#at = end + 1;
    }
    const inner = this.#choice();
    if (!this.#take(')')) throw UNSUPPORTED;
    this.#flags = outer;
    return inner;
  }

  /** `(?i)` sets flags for the rest of the group and yields 'set'; `(?i:…)` and `(?:…)` yield what is inside; null: another group. */
  #flagGroup(): Regex | 'set' | null {
    const match = /^\(\?([imsU]*)(-[imsU]+)?([:)])/.exec(this.#text.slice(this.#at, this.#at + 64));
    if (match === null) return null;
    const [whole, on = '', off = '', end] = match;
    const flag = (letter: string, now: boolean): boolean => (now || on.includes(letter)) && !off.includes(letter);
    const outer = this.#flags;
    this.#at += whole.length;
    this.#flags = { fold: flag('i', outer.fold), multiline: flag('m', outer.multiline), dotAll: flag('s', outer.dotAll) };
    if (end === ')') return 'set';
    const inner = this.#choice();
    if (!this.#take(')')) throw UNSUPPORTED;
    this.#flags = outer;
    return inner;
  }

  #class(): CharSet {
    const negated = this.#take('^');
    const ranges: number[] = [];
    for (let first = true; first || !this.#sees(']'); first = false) {
      if (this.#at >= this.#text.length) throw UNSUPPORTED;
      ranges.push(...(this.#posixSet() ?? (this.#sees('\\') ? this.#escapedSet() : null) ?? this.#range()));
    }
    this.#at++;
    const set = chars.normalize(ranges);
    return negated ? chars.negate(set) : set;
  }

  /** `[:alpha:]` or `[:^alpha:]` inside of brackets. */
  #posixSet(): CharSet | null {
    if (!this.#sees('[:')) return null;
    const end = this.#text.indexOf(':]', this.#at + 2);
    if (end < 0) return null;
    const name = this.#text.slice(this.#at + 2, end);
    const negated = name.startsWith('^');
    const set = chars.POSIX[negated ? name.slice(1) : name];
    if (set === undefined) throw UNSUPPORTED;
    this.#at = end + 2;
    const folded = this.#fold(set);
    return negated ? chars.negate(folded) : folded;
  }

  #range(): CharSet {
    const low = this.#classCode();
    let high = low;
    if (this.#sees('-') && this.#at + 1 < this.#text.length && this.#text.charAt(this.#at + 1) !== ']') {
      this.#at++;
      high = this.#classCode();
      if (high < low) throw UNSUPPORTED;
    }
    return this.#fold([low, high]);
  }

  #classCode(): number {
    return this.#sees('\\') ? this.#escapedCode() : this.#codePoint();
  }

  #literal(code: number): Regex {
    return { kind: 'set', set: this.#fold([code, code]) };
  }

  #fold(set: CharSet): CharSet {
    if (!this.#flags.fold) return set;
    const folded = chars.foldCase(set);
    if (folded === null) throw UNSUPPORTED;
    return folded;
  }

  #codePoint(): number {
    const code = this.#text.codePointAt(this.#at);
    if (code === undefined) throw UNSUPPORTED;
    this.#at += code > 0xffff ? 2 : 1;
    return code;
  }

  #sees(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }

  #take(text: string): boolean {
    if (!this.#sees(text)) return false;
    this.#at += text.length;
    return true;
  }
}

/** RE2 takes a backslash before any ASCII character that is neither letter nor digit. */
function punctuation(char: string): number {
  const code = char.charCodeAt(0);
  if (!(code < 0x80) || chars.contains(chars.ALNUM, code)) throw UNSUPPORTED;
  return code;
}
