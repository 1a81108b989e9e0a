export interface Segment {
  readonly text: string;
  readonly hit: boolean;
}

/** Finds the next hit at or after a position. */
export type Find = (text: string, from: number) => { readonly start: number; readonly end: number } | null;

/** Makes a finder of a regular expression; null: it does not compile. */
export type CompileRegex = (pattern: string, caseSensitive: boolean) => Find | null;

/** Hits that are marked in one line; a pattern that hits everywhere must not make thousands of elements. */
const MOST = 50;

export interface Search {
  readonly text: string;
  readonly regex: boolean;
  readonly caseSensitive: boolean;
}

/**
 * Splits texts at the hits of a search. A pattern that does not compile hits nothing.
 * @param compile for regular expressions; null: not there yet
 */
export function highlighter(search: Search, compile: CompileRegex | null): (text: string) => readonly Segment[] {
  const find = search.text === '' ? null : search.regex ? (compile?.(search.text, search.caseSensitive) ?? null) : textFind(search);
  return (text) => (find === null ? whole(text) : split(text, find));
}

function whole(text: string): readonly Segment[] {
  return [{ text, hit: false }];
}

function textFind({ text: wanted, caseSensitive }: Search): Find {
  const needle = caseSensitive ? wanted : wanted.toLowerCase();
  return (text, from) => {
    const hay = caseSensitive ? text : text.toLowerCase();
    // Lower case can be longer than upper case in a few scripts; then positions do not fit.
    if (hay.length !== text.length) return null;
    const start = hay.indexOf(needle, from);
    return start === -1 ? null : { start, end: start + needle.length };
  };
}

function split(text: string, find: Find): readonly Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  for (let from = 0; from <= text.length && segments.length < 2 * MOST;) {
    const hit = find(text, from);
    if (hit === null) break;
    if (hit.end > hit.start) {
      if (hit.start > at) segments.push({ text: text.slice(at, hit.start), hit: false });
      segments.push({ text: text.slice(hit.start, hit.end), hit: true });
      at = hit.end;
    }
    from = Math.max(hit.end, from + 1);
  }
  if (at < text.length || segments.length === 0) segments.push({ text: text.slice(at), hit: false });
  return segments;
}
