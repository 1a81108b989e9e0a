/** Headers whose parts end in bars, as the event formats of security products have them. */

const ESCAPED = /\\([\\|])/g;

/** Parts of a header, without escapes, and what stands behind them. */
export interface BarredHeader {
  readonly parts: readonly string[];
  readonly rest: string;
}

/** Takes up to `count` parts off a text. `\|` and `\\` are a bar and a backslash inside of a part. */
export function barredHeader(text: string, count: number): BarredHeader {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length && parts.length < count; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '|') {
      parts.push(unescaped(text.slice(from, at)));
      from = at + 1;
    }
  }
  if (parts.length === count) return { parts, rest: text.slice(from) };
  return { parts: [...parts, unescaped(text.slice(from))], rest: '' };
}

function unescaped(part: string): string {
  return part.trim().replace(ESCAPED, '$1');
}
