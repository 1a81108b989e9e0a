import { translate } from '../lib/grok/oniguruma.ts';

/** A pattern of a format, in the syntaxes of scripts. */
export interface LinePattern {
  /** For `RegExp`, with named groups. */
  readonly source: string;
  readonly names: readonly string[];
  /** For `looks` and `split`, in RE2's syntax: matches all that `source` does; null when RE2 has no counterpart. */
  readonly look: string | null;
  /** The same up to the end of the time, for the beginnings of records; null when the time is not at the beginning. */
  readonly before: string | null;
}

/** Escapes and classes, and beginnings of groups that capture. */
const TOKEN = /\\[^]|\[(?:\\[^]|[^\]\\])*\]|\((?!\?)/g;

/**
 * Translates a pattern of PCRE. Raises an error for what JavaScript has no counterpart of.
 * @param isRe2 whether an expression is of RE2's syntax
 */
export function linePattern(pattern: string, timeField: string, isRe2: (expression: string) => boolean): LinePattern {
  const { expression, names } = translate(pattern, { lines: false });
  let group = 0;
  const source = expression.source.replace(TOKEN, (token) => {
    if (token !== '(') return token;
    const name = names[++group];
    return name === undefined ? '(' : `(?<${name}>`;
  });
  const relaxed = translate(pattern, { lines: false, relaxed: true });
  const inRe2 = (source: string): string | null => {
    const text = withoutCaptures(source);
    return isRe2(text) ? text : null;
  };
  const look = inRe2(relaxed.expression.source);
  return {
    source,
    names: names.filter((name) => name !== undefined),
    look,
    before: look === null ? null : beginning(relaxed.expression.source, relaxed.names.indexOf(timeField), inRe2),
  };
}

/** The expression in RE2's syntax, as far as it has one, without groups that capture. */
function withoutCaptures(source: string): string {
  const plain = source.replace(TOKEN, (token) => (token === '(' ? '(?:' : token === '[^]' ? String.raw`[\s\S]` : token));
  return plain.replace(/\\u([0-9a-fA-F]{4})/g, String.raw`\x{$1}`).replaceAll('(?:)', '');
}

/** The expression up to the end of its group of this number, without a mark of the start; null when the group stands in others. */
function beginning(source: string, number: number, inRe2: (source: string) => string | null): string | null {
  let depth = 0;
  let group = 0;
  let inside = -1;
  for (let at = 0; at < source.length; at++) {
    const token = /^(?:\\[^]|\[(?:\\[^]|[^\]\\])*\])/.exec(source.slice(at))?.[0];
    if (token !== undefined) at += token.length - 1;
    else if (source[at] === '(') {
      if (source[at + 1] !== '?' && ++group === number && depth === 0) inside = depth;
      depth++;
    } else if (source[at] === ')') {
      depth--;
      if (inside === depth) return inRe2(source.slice(0, at + 1).replace(/^(\(*)\^/, '$1'));
    } else if (source[at] === '|' && depth === 0) return null;
  }
  return null;
}
