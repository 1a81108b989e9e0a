/** Keys from the root of a document; elements of an array of tables by number. */
export type Path = readonly (string | number)[];

/** A table header of a TOML text. Offsets are UTF-16 code units. */
export interface Header {
  readonly kind: 'header';
  readonly path: Path;
  readonly start: number;
  /** After the header, its comment and its line end. */
  readonly end: number;
}

export interface Pair {
  readonly kind: 'pair';
  /** Path of the table header above it. */
  readonly table: Path;
  /** Path of its value. */
  readonly path: Path;
  readonly start: number;
  readonly valueStart: number;
  readonly valueEnd: number;
  /** After the pair, its comment and its line end. */
  readonly end: number;
  /** Keys inside of an inline table, with their offsets. */
  readonly inner: readonly { readonly path: Path; readonly start: number }[];
}

export type Statement = Header | Pair;

/** Keys of the deepest value whose parts are looked at: a document with deeper ones is not read. */
const DEEPEST = 1000;

/**
 * Lists the headers and pairs of a TOML text (https://toml.io/en/v1.1.0) in order, for line numbers and for edits. It does not validate: for an
 * invalid text the list is a best effort.
 */
export function layoutOf(text: string): Statement[] {
  return new Scanner(text).statements();
}

class Scanner {
  readonly #text: string;
  readonly #statements: Statement[] = [];
  /** Number of tables so far in each array of tables, by its path. */
  readonly #counts = new Map<string, number>();
  #table: Path = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  statements(): Statement[] {
    for (this.#skipSpace(); this.#at < this.#text.length; this.#skipSpace()) {
      const before = this.#at;
      if (this.#text.charAt(this.#at) === '[') this.#header();
      else this.#pair();
      if (this.#at === before) this.#at++;
    }
    return this.#statements;
  }

  #header(): void {
    const start = this.#at;
    const array = this.#text.startsWith('[[', start);
    this.#at += array ? 2 : 1;
    const path = this.#resolve(this.#key());
    if (array) {
      const id = JSON.stringify(path);
      const count = this.#counts.get(id) ?? 0;
      this.#counts.set(id, count + 1);
      path.push(count);
    }
    this.#table = path;
    this.#toLineEnd();
    this.#statements.push({ kind: 'header', path, start, end: this.#at });
  }

  /** The path of a header, with the number of the latest table wherever it goes through an array of tables. */
  #resolve(key: readonly string[]): (string | number)[] {
    const path: (string | number)[] = [];
    for (const [i, part] of key.entries()) {
      path.push(part);
      const count = i < key.length - 1 ? this.#counts.get(JSON.stringify(path)) : undefined;
      if (count !== undefined) path.push(count - 1);
    }
    return path;
  }

  #pair(): void {
    const start = this.#at;
    const path = [...this.#table, ...this.#key()];
    if (this.#text.charAt(this.#at) === '=') this.#at++;
    this.#skipBlanks();
    const valueStart = this.#at;
    const inner: { path: Path; start: number }[] = [];
    this.#value(path, inner);
    const valueEnd = this.#at;
    this.#toLineEnd();
    this.#statements.push({ kind: 'pair', table: this.#table, path, start, valueStart, valueEnd, end: this.#at, inner });
  }

  /** Reads a dotted key and the blanks after it. */
  #key(): string[] {
    const key: string[] = [];
    for (;;) {
      this.#skipBlanks();
      key.push(this.#keyPart());
      this.#skipBlanks();
      if (this.#text.charAt(this.#at) !== '.') return key;
      this.#at++;
    }
  }

  #keyPart(): string {
    const start = this.#at;
    const quote = this.#text.charAt(start);
    if (quote === '"' || quote === "'") {
      this.#string();
      const inside = this.#text.slice(start + 1, this.#at - 1);
      return quote === "'" ? inside : unescape(inside);
    }
    while (/[A-Za-z0-9_-]/.test(this.#text.charAt(this.#at))) this.#at++;
    return this.#text.slice(start, this.#at);
  }

  #value(path: Path, inner: { path: Path; start: number }[]): void {
    const first = this.#text.charAt(this.#at);
    if (first === '"' || first === "'") this.#string();
    else if (path.length > DEEPEST) this.#bare();
    else if (first === '[') this.#list(']', (i) => this.#value([...path, i], inner));
    else if (first === '{') {
      this.#list('}', () => {
        const start = this.#at;
        const here = [...path, ...this.#key()];
        inner.push({ path: here, start });
        if (this.#text.charAt(this.#at) === '=') this.#at++;
        this.#skipBlanks();
        this.#value(here, inner);
      });
    } else this.#bare();
  }

  /** Reads comma-separated parts up to `close`, over any number of lines. */
  #list(close: string, part: (index: number) => void): void {
    this.#at++;
    for (let i = 0; ; i++) {
      this.#skipSpace();
      if (this.#at >= this.#text.length) return;
      if (this.#text.charAt(this.#at) === close) break;
      const before = this.#at;
      part(i);
      this.#skipSpace();
      if (this.#text.charAt(this.#at) === ',') this.#at++;
      else if (this.#at === before) return;
    }
    this.#at++;
  }

  /** Reads a number, date, boolean or unexpanded variable. */
  #bare(): void {
    const rest = /^(?:%ENV\[[^\]\n]*\]|[^,\]}#\r\n])*/.exec(this.#text.slice(this.#at));
    this.#at += (rest?.[0] ?? '').trimEnd().length;
  }

  #string(): void {
    const text = this.#text;
    const quote = text.charAt(this.#at);
    const triple = text.startsWith(quote.repeat(3), this.#at);
    this.#at += triple ? 3 : 1;
    while (this.#at < text.length) {
      if (text.charAt(this.#at) === '\\' && quote === '"') this.#at += 2;
      else if (!triple && text.charAt(this.#at) === '\n') return;
      else if (!text.startsWith(triple ? quote.repeat(3) : quote, this.#at)) this.#at++;
      else break;
    }
    this.#at = Math.min(this.#at + (triple ? 3 : 1), text.length);
    // Up to two quotes may stand before the closing three.
    if (triple) for (let i = 0; i < 2 && text.charAt(this.#at) === quote; i++) this.#at++;
  }

  #skipBlanks(): void {
    while (/[ \t]/.test(this.#text.charAt(this.#at))) this.#at++;
  }

  /** Skips blanks, line ends and comments. */
  #skipSpace(): void {
    for (;;) {
      while (/\s/.test(this.#text.charAt(this.#at))) this.#at++;
      if (this.#text.charAt(this.#at) !== '#') return;
      this.#toLineEnd();
    }
  }

  #toLineEnd(): void {
    const newline = this.#text.indexOf('\n', this.#at);
    this.#at = newline < 0 ? this.#text.length : newline + 1;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r', e: '\x1b', '"': '"', '\\': '\\' };

function unescape(text: string): string {
  return text.replace(/\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|x([0-9A-Fa-f]{2})|(.))/g, (whole, ...parts: (string | undefined)[]) => {
    const [short, long, byte, letter] = parts;
    const hex = short ?? long ?? byte;
    if (hex === undefined) return ESCAPES[letter ?? ''] ?? whole;
    const code = parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
