import type { Expression, Token, TokenType } from 'acorn';
import { once } from '../base/once.ts';
import { acorn } from '../sandbox/code/parser.ts';

/** A name that a script takes from elsewhere. */
export interface ImportedName {
  /** Its name there. */
  readonly name: string;
  readonly specifier: string;
  /** Position of the import in the text. */
  readonly at: number;
}

/** A token of acorn; the value is not in its types. */
interface ScriptToken extends Token {
  readonly value?: unknown;
}

/** The tokenizer of acorn; the second property is not in its types. */
interface Tokens {
  getToken(): ScriptToken;
  exprAllowed: boolean;
}

/** Characters that are looked at; a meta and what it needs stand in front. */
const MAX_CHARACTERS = 1 << 20;
const OPTIONS = { ecmaVersion: 'latest', sourceType: 'module' } as const;

/**
 * The constants, imports and exports at the top level of a script of JavaScript or TypeScript. It is read token by token, so that comments and texts are not
 * taken for code, and only as far as something is asked for. Types are passed over: removing them from a stranger's text may crash the process's only
 * copy of the code that does it.
 */
export class ScriptOutline {
  readonly #text: string;
  readonly #types = tokenTypes();
  readonly #tokens: Tokens;
  /** Positions of the values of constants. */
  readonly #constants = new Map<string, number>();
  /** The same of those within functions, the first of each name. */
  readonly #inner = new Map<string, number>();
  /** Names that are taken out of objects: a script that was packed into one file takes those of its modules so. */
  readonly #unpacked = new Set<string>();
  readonly #values = new Map<string, Expression>();
  readonly #imports = new Map<string, ImportedName>();
  /** Exported names that are those of imports or of other constants, with the names here. */
  readonly #exports = new Map<string, string>();
  #before: ScriptToken | null = null;
  #token: ScriptToken | null;
  #depth = 0;

  constructor(text: string) {
    this.#text = text.slice(0, MAX_CHARACTERS);
    this.#tokens = acorn().tokenizer(this.#text, OPTIONS) as unknown as Tokens;
    this.#token = this.#read();
  }

  /** The value of a constant at the top level, or of a module of a packed script. @throws {SyntaxError} @throws {TypeInValueError} */
  constant(name: string): Expression | undefined {
    const start = this.#find(this.#constants, name) ?? (this.#unpacked.has(name) ? this.#inner.get(name) : undefined);
    if (start === undefined) return undefined;
    const value = this.#values.get(name) ?? parseValue(this.#text, start);
    this.#values.set(name, value);
    return value;
  }

  /** The origin of an imported name. */
  imported(name: string): ImportedName | undefined {
    return this.#find(this.#imports, name);
  }

  /** The name here of what is exported under a name. */
  exported(name: string): string | undefined {
    return this.#find(this.#exports, name);
  }

  /** Line of a character, from 1 on. */
  lineAt(position: number): number {
    return acorn().getLineInfo(this.#text, position).line;
  }

  #find<Entry>(entries: ReadonlyMap<string, Entry>, name: string): Entry | undefined {
    while (!entries.has(name) && this.#token !== null) this.#takeStatement();
    return entries.get(name);
  }

  /** Takes one token, or a whole declaration that begins there. */
  #takeStatement(): void {
    const before = this.#before;
    const token = this.#token as ScriptToken;
    this.#advance();
    if (this.#depth > 0) {
      if (token.type === this.#types.all._const && before?.value !== 'as') this.#takeConstant(false, this.#inner);
      return;
    }
    if (token.type === this.#types.all._import) this.#takeImport(token);
    else if (token.type === this.#types.all._export) this.#takeExport(token);
    else if (token.type === this.#types.all._const && before?.value !== 'as') this.#takeConstant(false);
  }

  #takeExport(start: Token): void {
    if (this.#is(this.#types.all._const)) {
      this.#advance();
      this.#takeConstant(true);
    } else if (this.#is(this.#types.all.braceL)) {
      const names = this.#takeNames();
      const specifier = this.#takeFrom();
      for (const { from, to } of names) {
        // A name that is only passed on is not known here, so it gets one that no script has.
        if (specifier !== null) this.#imports.set(`export ${to}`, { name: from, specifier, at: start.start });
        this.#exports.set(to, specifier === null ? from : `export ${to}`);
      }
    }
  }

  /** `const NAME = …`, also with a type. */
  #takeConstant(isExported: boolean, constants = this.#constants): void {
    const depth = this.#depth;
    if (depth === 0 && this.#is(this.#types.all.braceL)) for (const { to } of this.#takeNames()) this.#unpacked.add(to);
    const name = this.#name();
    if (name === null) return;
    this.#advance();
    if (!this.#is(this.#types.all.eq) && !this.#is(this.#types.all.colon)) return;
    while (this.#token !== null && !(this.#depth <= depth && this.#types.ends.has(this.#token.type))) this.#advance();
    const token = this.#token;
    if (token?.type !== this.#types.all.eq || constants.has(name)) return;
    constants.set(name, token.end);
    if (isExported) this.#exports.set(name, name);
  }

  /** `import { … } from '…'`; other imports bring no constants. */
  #takeImport(start: Token): void {
    if (!this.#is(this.#types.all.braceL)) return;
    const names = this.#takeNames();
    const specifier = this.#takeFrom();
    if (specifier === null) return;
    for (const { from, to } of names) this.#imports.set(to, { name: from, specifier, at: start.start });
  }

  /** `{ A, B as C, type D }`; types are left out. */
  #takeNames(): { readonly from: string; readonly to: string }[] {
    const names: { from: string; to: string }[] = [];
    let words: string[] = [];
    while (this.#token !== null) {
      this.#advance();
      const word = this.#name();
      if (word !== null) words.push(word);
      else {
        const [from, as, to = from] = words;
        if (from !== undefined && (words.length === 1 || (words.length === 3 && as === 'as'))) names.push({ from, to: to as string });
        words = [];
        if (!this.#is(this.#types.all.comma)) break;
      }
    }
    this.#advance();
    return names;
  }

  /** `from '…'` */
  #takeFrom(): string | null {
    if (this.#name() !== 'from') return null;
    this.#advance();
    return this.#is(this.#types.all.string) ? String((this.#token as ScriptToken).value) : null;
  }

  #is(type: TokenType): boolean {
    return this.#token?.type === type;
  }

  #name(): string | null {
    return this.#token?.type === this.#types.all.name ? String(this.#token.value) : null;
  }

  #advance(): void {
    const token = this.#token;
    if (token === null) return;
    if (this.#types.opening.has(token.type)) this.#depth++;
    if (this.#types.closing.has(token.type)) this.#depth--;
    // `value!` of TypeScript is no operator that stands before a value.
    if (token.type === this.#types.all.prefix && token.value === '!' && endsValue(this.#before)) this.#tokens.exprAllowed = false;
    else this.#before = token;
    this.#token = this.#read();
  }

  /** null at the end, and where the text is no code. */
  #read(): ScriptToken | null {
    try {
      const token = this.#tokens.getToken();
      return token.type === this.#types.all.eof ? null : token;
    } catch (error) {
      if (error instanceof SyntaxError) return null;
      throw error;
    }
  }
}

/** Outlines that are kept, and the characters of the longest text of one. */
const MOST_KEPT = 16;
const LONGEST_KEPT = 1 << 16;
const kept = new Map<string, ScriptOutline>();

/** The outline of a text. A start reads the meta of a script several times, with the files that it uses. */
export function outlineOf(text: string): ScriptOutline {
  const known = kept.get(text);
  if (known !== undefined) return known;
  const outline = new ScriptOutline(text);
  if (kept.size >= MOST_KEPT) kept.clear();
  if (text.length <= LONGEST_KEPT) kept.set(text, outline);
  return outline;
}

/** Kinds of tokens. */
const tokenTypes = once(() => {
  const { tokTypes: all } = acorn();
  return {
    all,
    opening: new Set<TokenType>([all.braceL, all.parenL, all.bracketL, all.dollarBraceL]),
    closing: new Set<TokenType>([all.braceR, all.parenR, all.bracketR]),
    valueEnds: new Set<TokenType>([all.name, all.parenR, all.bracketR]),
    /** Those behind the type of a constant: its value, or another statement. */
    ends: new Set<TokenType>([...[all.eq, all.semi, all._const, all._var, all._function, all._class, all._export, all._import]]),
  };
});

/** Names after which a value begins. */
const WORDS: ReadonlySet<unknown> = new Set(['await', 'yield', 'of']);

const endsValue = (token: ScriptToken | null): boolean =>
  token !== null && tokenTypes().valueEnds.has(token.type) && !WORDS.has(token.value);

/** `as const`, `satisfies Limits`, `as Record<string, number>[]`. */
const ASSERTION = /(?:as|satisfies)\s+[\w.$]+(?:<[\w\s.,|$<>[\]]*>)?(?:\[\])*/y;
const ANY_ASSERTION = /(?:as|satisfies)\b/y;
/** Characters that are parsed again, for all assertions of a value. */
const MAX_AGAIN = 1 << 22;

/** A value has a type in it that is not read over. */
export class TypeInValueError extends Error {
  override readonly name = 'TypeInValueError';
  readonly position: number;

  constructor(position: number) {
    super('this type cannot be read over: write the value without it');
    this.position = position;
  }
}

function isAssertion(text: string, position: number): boolean {
  ANY_ASSERTION.lastIndex = position;
  return ANY_ASSERTION.test(text);
}

/** Parses a value, in which simple types may be asserted. @throws {SyntaxError} @throws {TypeInValueError} */
function parseValue(text: string, start: number): Expression {
  let plain = text;
  for (let left = MAX_AGAIN; ;) {
    try {
      return acorn().parseExpressionAt(plain, start, OPTIONS);
    } catch (error) {
      if (error instanceof RangeError) throw new SyntaxError('it is nested too deeply', { cause: error });
      const { pos = start } = error as { readonly pos?: number };
      left -= pos - start;
      ASSERTION.lastIndex = pos;
      const [assertion] = left > 0 ? (ASSERTION.exec(plain) ?? []) : [];
      if (assertion === undefined) throw isAssertion(plain, pos) ? new TypeInValueError(pos) : error;
      const at = ASSERTION.lastIndex - assertion.length;
      plain = plain.slice(0, at) + assertion.replaceAll(/[^\n]/g, ' ') + plain.slice(at + assertion.length);
    }
  }
}
