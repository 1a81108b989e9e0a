/** A syntax error in a configuration text, at an offset. */
export class ConfigTextError extends Error {
  override readonly name = 'ConfigTextError';
  readonly offset: number;

  constructor(offset: number, text: string, options?: ErrorOptions) {
    super(text, options);
    this.offset = offset;
  }
}

/** Variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A text with its variables replaced. */
export interface Expanded {
  readonly text: string;
  /** Variables that are not set, with the offset in the expanded text at which they would stand. */
  readonly unset: readonly { readonly name: string; readonly offset: number }[];
  /** Offset in the original text for one in the expanded text. */
  originalOffset(offset: number): number;
}

const OPEN = '%ENV[';
/** Stands between a name and the text in place of a variable that is not set. */
const DEFAULT = ':-';

/**
 * Replaces `%ENV[NAME]` everywhere, also in comments, by the value of the variable; an unset one is empty. `%ENV[NAME:-TEXT]` is TEXT where the
 * variable is unset or empty, as in a shell. Throws `ConfigTextError` for a missing `]` and for a name with white space.
 */
export function expandEnvironment(text: string, environment: Environment): Expanded {
  /** End of each replacement in the expanded and the original text; `from`: its start in the original. */
  const ends: { readonly expanded: number; readonly original: number; readonly from: number }[] = [];
  const unset: { readonly name: string; readonly offset: number }[] = [];
  let expanded = '';
  let from = 0;
  for (let at = text.indexOf(OPEN); at >= 0; at = text.indexOf(OPEN, from)) {
    const close = text.indexOf(']', at);
    const inner = text.slice(at + OPEN.length, close < 0 ? undefined : close);
    const [name = '', ...parts] = inner.split(DEFAULT);
    const usual = parts.length === 0 ? undefined : parts.join(DEFAULT);
    if (/[ \t\r\n]/.test(name) || /[\r\n]/.test(inner))
      throw new ConfigTextError(at, `%ENV[ needs a name without white space and a ] behind it`);
    if (close < 0) throw new ConfigTextError(at, `%ENV[${name} is not closed by ]`);
    expanded += text.slice(from, at);
    // Own properties only: `toString` and other inherited ones are not variables.
    const given = Object.hasOwn(environment, name) ? environment[name] : undefined;
    const value = given === undefined || (given === '' && usual !== undefined) ? usual : given;
    if (value === undefined) unset.push({ name, offset: expanded.length });
    else expanded += value;
    from = close + 1;
    ends.push({ expanded: expanded.length, original: from, from: at });
  }
  return {
    text: expanded + text.slice(from),
    unset,
    originalOffset(offset) {
      const last = ends.findLast((end) => end.expanded <= offset);
      const next = ends.find((end) => end.expanded > offset);
      const original = offset - (last?.expanded ?? 0) + (last?.original ?? 0);
      return next ? Math.min(original, next.from) : original;
    },
  };
}

/** 1-based line and column of an offset. */
export function positionOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

/** Offset of a 1-based line and column. */
export function offsetOf(text: string, line: number, column: number): number {
  let at = 0;
  for (let i = 1; i < line; i++) {
    const newline = text.indexOf('\n', at);
    if (newline < 0) break;
    at = newline + 1;
  }
  return Math.min(at + column - 1, text.length);
}
