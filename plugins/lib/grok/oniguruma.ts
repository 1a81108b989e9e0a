/**
 * Regular expressions in Ruby's syntax (Oniguruma), as grok patterns have them, and in that of PCRE, written in JavaScript's.
 *
 * V8 continues an expression that backtracks too often in linear time, but not one with lookahead, references, or the flag i. Inline flags
 * therefore become classes. Lookahead, and atomic groups, which are made of it, can be left out (`relaxed`): what such an expression does not match, the exact one
 * does not match either.
 */
import { numberedPattern } from '../../base/numbered_pattern.ts';
import { ASCII_CLASSES, unicodeClass } from './posix_classes.ts';
import type { Repetition } from './repeated_groups.ts';

export interface Translated {
  readonly expression: RegExp;
  /** The names of the groups by their numbers. Groups without a name do not capture. */
  readonly names: readonly (string | undefined)[];
  /** The repetitions with named groups in them, and the names of all groups in these. */
  readonly repetitions: readonly Repetition[];
  readonly places: readonly (string | undefined)[];
}

export interface Dialect {
  /** Whether `^` and `$` match at line ends without a flag, as in Ruby; in PCRE they do with the flag m. */
  readonly lines: boolean;
  /** Whether the dot takes line ends from the beginning. */
  readonly dotAll?: boolean;
  /** Whether lookahead is left out, and atomic groups are plain ones. */
  readonly relaxed?: boolean;
}

interface Flags {
  /** Any case. */
  readonly i: boolean;
  /** The dot takes line ends. */
  readonly s: boolean;
  /** Blanks and comments do not count. */
  readonly x: boolean;
  /** `^` and `$` match at line ends. */
  readonly m: boolean;
}

const PROPERTIES = new Map<string, string | undefined>(
  Object.entries({ l: 'A-Za-z', lu: 'A-Z', ll: 'a-z', n: '0-9', nd: '0-9', p: ASCII_CLASSES.get('punct') }),
);
const SPACES = ' \\t-\\r';
const HEX = '0-9A-Fa-f';
const CONTROLS: Readonly<Record<string, string>> = { a: '\\x07', e: '\\x1b', n: '\\n', r: '\\r', t: '\\t', f: '\\f', v: '\\v', '0': '\\0' };
const SPECIAL = /[\\^$.*+?()[\]{}|/]/;
const GROUP_NAME = /^\(\?(?:P?<(?![=!])([^>]*)>|'([^']*)')/;
const GROUP_FLAGS = /^\(\?([imsxJUn]*)(?:-([imsxJUn]*))?([:)])/;
const COUNT = /^\{(\d*)(,?)(\d*)\}/;
const CODE = /^\\(?:x\{([0-9A-Fa-f]{1,6})\}|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{4}))/;
/** An escape, a range of letters of one case, or a letter, in a class. */
const ITEM = /\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|[^])|([a-z](?=-[a-z])|[A-Z](?=-[A-Z]))-([A-Za-z])|([A-Za-z])/g;
/** Escapes and classes, beginnings of groups with names, and references to them, in the result. */
const NAMED = /\\(?!k<)[^]|\[(?:\\[^]|[^\]\\])*\]|\(\?<([agr]\d+)>|\\k<([agr]\d+)>/g;
const MAX_LENGTH = 200_000;

/** Translates an expression. Raises an error for what JavaScript has no counterpart of, and for what is not closed. */
export function translate(pattern: string, dialect: Dialect): Translated {
  if (pattern.length > MAX_LENGTH) throw new SyntaxError(`an expression of more than ${MAX_LENGTH} characters`);
  return new Translation(pattern, dialect).run();
}

class Translation {
  readonly #pattern: string;
  readonly #dialect: Dialect;
  /** The names of the groups, which have their places in this list as names in the meantime. */
  readonly #names: string[] = [];
  readonly #repetitions: Repetition[] = [];
  #out = '';
  /** Start of the last item in the result: what a quantifier repeats. */
  #item = 0;
  /** End of the result when the last item was a repetition. */
  #repeatedTo = -1;
  #atoms = 0;
  #at = 0;
  #flags: Flags;
  /** The flags outside of each open group, and what closes it. */
  readonly #open: { readonly flags: Flags; readonly close: string; readonly from: number; readonly dropped: boolean }[] = [];

  constructor(pattern: string, dialect: Dialect) {
    this.#pattern = pattern;
    this.#dialect = dialect;
    this.#flags = { i: false, s: dialect.dotAll ?? false, x: false, m: dialect.lines };
  }

  run(): Translated {
    while (this.#at < this.#pattern.length) this.#step();
    if (this.#open.length > 0) throw new SyntaxError(`a group that does not end in: ${excerpt(this.#pattern)}`);
    return this.#numbered();
  }

  /** The result with numbers for the names. */
  #numbered(): Translated {
    const flags = this.#dialect.lines ? 'm' : '';
    const { names } = numberedPattern(new RegExp(this.#out, flags));
    const numberOf = (name: string): string => `(?:\\${names.indexOf(name)})`;
    const source = this.#out.replace(NAMED, (whole, begun?: string, referred?: string) =>
      begun !== undefined ? '(' : referred !== undefined ? numberOf(referred) : whole,
    );
    const own = names.map((name) => (name?.startsWith('g') === true ? this.#names[Number(name.slice(1))] : undefined));
    return { expression: new RegExp(source, flags), names: own, repetitions: this.#repetitions, places: names };
  }

  #rest(): string {
    return this.#pattern.slice(this.#at);
  }

  #step(): void {
    const mark = this.#pattern[this.#at] as string;
    if (mark === '\\') this.#escape();
    else if (mark === '[') this.#class();
    else if (mark === '(') this.#group();
    else if (mark === ')') this.#close();
    else if (mark === '*' || mark === '+' || mark === '?' || mark === '{') this.#quantifier();
    else if (mark === '.') this.#put(this.#flags.s ? '[^]' : '[^\\n]', 1);
    else if (mark === '^') this.#put(this.#lineMark('^', '(?<![^\\n])'), 1);
    else if (mark === '$') this.#put(this.#lineMark('$', '(?=\\n|$)'), 1);
    else if (mark === '|') this.#put('|', 1);
    else if (this.#flags.x && /\s/.test(mark)) this.#at++;
    else if (this.#flags.x && mark === '#') this.#comment();
    else this.#literal(mark);
  }

  #put(text: string, length: number): void {
    this.#item = this.#out.length;
    this.#out += text;
    this.#at += length;
  }

  /** `^` or `$`: the flag m of the whole expression is that of the dialect. */
  #lineMark(plain: string, ofLines: string): string {
    return this.#flags.m && !this.#dialect.lines ? ofLines : plain;
  }

  #comment(): void {
    const end = this.#pattern.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.#pattern.length : end + 1;
  }

  #literal(mark: string): void {
    this.#put(this.#cased(SPECIAL.test(mark) ? `\\${mark}` : mark), 1);
  }

  /** The letter, or a class of both of its cases. */
  #cased(text: string): string {
    if (!this.#flags.i || !/^[A-Za-z]$/.test(text)) return text;
    return `[${text.toLowerCase()}${text.toUpperCase()}]`;
  }

  #escape(): void {
    const rest = this.#rest();
    const code = CODE.exec(rest);
    if (code !== null) return this.#put(`\\u${(code[1] ?? code[2] ?? code[3] ?? '').padStart(4, '0')}`, code[0].length);
    const mark = rest[1];
    if (mark === undefined) throw new SyntaxError(`a backslash at the end of: ${excerpt(this.#pattern)}`);
    const reference = /^\\k(?:<(\w+)>|'(\w+)'|\{(\w+)\})/.exec(rest);
    if (reference !== null)
      return this.#put(`\\k<${this.#groupOf(reference[1] ?? reference[2] ?? reference[3] ?? '')}>`, reference[0].length);
    if (/[1-9]/.test(mark))
      throw new SyntaxError(`a reference to a group by its number, \\${mark}: give the group a name and write \\k<name>`);
    if (mark === 'Q') return this.#quoted();
    const property = /^\\[pP]\{\^?(\w+)\}/.exec(rest);
    if (property !== null) return this.#put(`[${this.#property(rest, property[1] as string)}]`, property[0].length);
    this.#put(this.#escaped(mark), 2);
  }

  #escaped(mark: string): string {
    switch (mark) {
      case 'h':
        return this.#dialect.lines ? `[${HEX}]` : '[ \\t]';
      case 'H':
        return this.#dialect.lines ? `[^${HEX}]` : '[^ \\t]';
      case 's':
        return `[${SPACES}]`;
      case 'S':
        return `[^${SPACES}]`;
      case 'R':
        return '(?:\\r\\n|[\\n-\\r])';
      case 'N':
        return '[^\\n]';
      case 'A':
        return this.#dialect.lines ? '(?<![^])' : '^';
      case 'z':
        return this.#dialect.lines ? '(?![^])' : '$';
      case 'Z':
        return this.#dialect.lines ? '(?=\\n?(?![^]))' : '$';
      case 'd':
      case 'D':
      case 'w':
      case 'W':
      case 'b':
      case 'B':
        return `\\${mark}`;
      case 'E':
        return '';
      default:
        if (Object.hasOwn(CONTROLS, mark)) return CONTROLS[mark] as string;
        if (/[A-Za-z]/.test(mark)) throw new SyntaxError(`\\${mark} has no counterpart in JavaScript`);
        return SPECIAL.test(mark) ? `\\${mark}` : mark;
    }
  }

  /** `\Q…\E`: a text that stands for itself. */
  #quoted(): void {
    const end = this.#pattern.indexOf('\\E', this.#at + 2);
    const to = end < 0 ? this.#pattern.length : end;
    const text = this.#pattern.slice(this.#at + 2, to);
    this.#at = end < 0 ? to : end + 2;
    for (const mark of text) this.#out += this.#cased(SPECIAL.test(mark) ? `\\${mark}` : mark);
  }

  /** The items of a class by its name: of Unicode in Ruby, of ASCII in PCRE. */
  #named(name: string): string | null {
    return this.#dialect.lines ? unicodeClass(name) : (ASCII_CLASSES.get(name.toLowerCase()) ?? PROPERTIES.get(name.toLowerCase()) ?? null);
  }

  /** The class of a property. */
  #property(written: string, name: string): string {
    const known = this.#named(name);
    if (known === null) throw new SyntaxError(`the property ${name} has no counterpart`);
    return written.startsWith('\\P') !== written.startsWith('\\p{^') && (written.startsWith('\\P') || written.startsWith('\\p{^'))
      ? `^${known}`
      : known;
  }

  #groupOf(name: string): string {
    const place = this.#names.lastIndexOf(name);
    if (place < 0) throw new SyntaxError(`a reference to the group ${name}, which is not in front of it`);
    return `g${place}`;
  }

  #group(): void {
    const rest = this.#rest();
    const named = GROUP_NAME.exec(rest);
    if (named !== null) {
      const place = this.#names.push(named[1] ?? named[2] ?? '') - 1;
      return this.#begin(`(?<g${place}>`, named[0].length);
    }
    if (rest.startsWith('(?#')) {
      const end = rest.indexOf(')');
      this.#at += end < 0 ? rest.length : end + 1;
      return;
    }
    const flags = GROUP_FLAGS.exec(rest);
    if (flags !== null) return this.#flagGroup(flags);
    const referred = /^\(\?P=(\w+)\)/.exec(rest);
    if (referred !== null) return this.#put(`\\k<${this.#groupOf(referred[1] as string)}>`, referred[0].length);
    const { relaxed = false } = this.#dialect;
    if (rest.startsWith('(?>')) {
      const atom = `a${this.#atoms++}`;
      return relaxed ? this.#begin('(?:', 3) : this.#begin(`(?:(?=(?<${atom}>`, 3, `))\\k<${atom}>)`);
    }
    const around = /^\(\?<?[=!]/.exec(rest)?.[0];
    if (around !== undefined) return this.#begin(around, around.length, ')', relaxed && around.length === 3);
    if (rest.startsWith('(?') || rest.startsWith('(*'))
      throw new SyntaxError(`groups of the form ${rest.slice(0, 4)} have no counterpart in JavaScript`);
    this.#begin('(?:', 1);
  }

  /** @param dropped whether the group is left out */
  #begin(text: string, length: number, close = ')', dropped = false): void {
    this.#open.push({ flags: this.#flags, close, from: this.#out.length, dropped });
    this.#put(text, length);
  }

  /** `(?i)` holds to the end of the group around it, `(?i:…)` in it. */
  #flagGroup([whole, on = '', off = '', end]: RegExpExecArray): void {
    const before = this.#flags;
    const is = (flag: string, was: boolean): boolean => (on.includes(flag) ? true : off.includes(flag) ? false : was);
    // Ruby's m is the s of others, and its ^ and $ are always those of lines.
    const { lines } = this.#dialect;
    const flags = { i: is('i', before.i), x: is('x', before.x), s: is(lines ? 'm' : 's', before.s), m: lines || is('m', before.m) };
    if (end === ':') this.#begin('(?:', whole.length);
    else this.#at += whole.length;
    this.#flags = flags;
  }

  #close(): void {
    const group = this.#open.pop();
    if (group === undefined) throw new SyntaxError(`a parenthesis that closes no group in: ${excerpt(this.#pattern)}`);
    this.#flags = group.flags;
    this.#put(group.close, 1);
    this.#item = group.from;
    if (group.dropped) this.#out = `${this.#out.slice(0, group.from)}(?:)`;
  }

  #quantifier(): void {
    const rest = this.#rest();
    const count = COUNT.exec(rest);
    const counted = count !== null && (count[1] !== '' || count[3] !== '');
    if (rest.startsWith('{') && !counted) return this.#put('\\{', 1);
    const [length, text] = counted ? [count[0].length, `{${count[1] || 0}${count[2]}${count[3]}}`] : [1, rest[0] as string];
    const lazy = rest[length] === '?' ? '?' : '';
    const possessive = rest[length] === '+';
    // In Ruby a plus behind braces repeats what they have counted.
    if (possessive && counted && this.#dialect.lines) throw new SyntaxError(`{…}+ repeats a repetition in: ${excerpt(this.#pattern)}`);
    const item = this.#item;
    // In Ruby a quantifier behind another one repeats the repetition.
    if (this.#out.length === this.#repeatedTo) this.#out = `${this.#out.slice(0, item)}(?:${this.#out.slice(item)})`;
    const repeated = this.#dialect.lines && !/^(?:\?|\{[01]?(?:,1)?\})$/.test(text) && this.#out.includes('(?<g', item);
    if (repeated) this.#out = `${this.#out.slice(0, item)}(?<${this.#noteRepetition(this.#out.slice(item))}>${this.#out.slice(item)}`;
    this.#put(text + lazy, length + (lazy === '' ? Number(possessive) : 1));
    if (repeated) this.#out += ')';
    if (this.#dialect.lines) this.#repeatedTo = this.#out.length;
    this.#item = item;
    if (!possessive || this.#dialect.relaxed === true) return;
    const atom = `a${this.#atoms++}`;
    this.#out = `${this.#out.slice(0, item)}(?:(?=(?<${atom}>${this.#out.slice(item)}))\\k<${atom}>)`;
  }

  /** Returns the name of the group around a repetition. */
  #noteRepetition(turn: string): string {
    const name = `r${this.#repetitions.length}`;
    this.#repetitions.push({ name, turn });
    return name;
  }

  #class(): void {
    const { text, to } = this.#classAt(this.#at);
    this.#put(text, to - this.#at);
  }

  /** The class at a position. */
  #classAt(at: number): { readonly text: string; readonly to: number } {
    const pattern = this.#pattern;
    const negated = pattern[at + 1] === '^';
    let to = at + (negated ? 2 : 1);
    let items = '';
    for (let first = true; pattern[to] !== ']' || first; first = false) {
      if (to >= pattern.length) throw new SyntaxError(`a class that does not end in: ${excerpt(pattern)}`);
      const item = this.#classItem(to);
      items += item.text;
      to = item.to;
    }
    return { text: `[${negated ? '^' : ''}${this.#flags.i ? bothCases(items) : items}]`, to: to + 1 };
  }

  #classItem(at: number): { readonly text: string; readonly to: number } {
    const rest = this.#pattern.slice(at, at + 40);
    const posix = /^\[:(\^?)(\w+):\]/.exec(rest);
    if (posix !== null) {
      const known = this.#named(posix[2] as string);
      if (known === null || posix[1] === '^') throw new SyntaxError(`the class ${posix[0]} has no counterpart`);
      return { text: known, to: at + posix[0].length };
    }
    if (rest.startsWith('[') && this.#dialect.lines) {
      const inner = this.#classAt(at);
      if (inner.text.startsWith('[^')) throw new SyntaxError('a negated class inside of another one has no counterpart');
      return { text: inner.text.slice(1, -1), to: inner.to };
    }
    if (rest.startsWith('&&') && this.#dialect.lines) throw new SyntaxError('an intersection of classes, &&, has no counterpart');
    if (!rest.startsWith('\\')) return { text: /[\\[\]^]/.test(rest[0] as string) ? `\\${rest[0]}` : (rest[0] as string), to: at + 1 };
    const code = CODE.exec(rest);
    if (code !== null) return { text: `\\u${(code[1] ?? code[2] ?? code[3] ?? '').padStart(4, '0')}`, to: at + code[0].length };
    const property = /^\\p\{(\w+)\}/.exec(rest);
    if (property !== null) return { text: this.#property(rest, property[1] as string), to: at + property[0].length };
    const mark = rest[1] ?? '';
    if (mark === 'h') return { text: this.#dialect.lines ? HEX : ' \\t', to: at + 2 };
    if (mark === 's') return { text: SPACES, to: at + 2 };
    if (mark === 'b') return { text: '\\x08', to: at + 2 };
    if (/[dDwWS]/.test(mark)) return { text: `\\${mark}`, to: at + 2 };
    if (Object.hasOwn(CONTROLS, mark)) return { text: CONTROLS[mark] as string, to: at + 2 };
    if (/[A-Za-z]/.test(mark)) throw new SyntaxError(`\\${mark} in a class has no counterpart in JavaScript`);
    return { text: `\\${mark}`, to: at + 2 };
  }
}

/** The items of a class with the other case of their letters. */
function bothCases(items: string): string {
  let others = '';
  for (const [, from, to, single] of items.matchAll(ITEM)) {
    if (from !== undefined && to !== undefined) others += `${swapped(from)}-${swapped(to)}`;
    else if (single !== undefined) others += swapped(single);
  }
  return items + others;
}

function swapped(letter: string): string {
  return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
}

function excerpt(pattern: string): string {
  return pattern.length > 80 ? `${pattern.slice(0, 80)}…` : pattern;
}
