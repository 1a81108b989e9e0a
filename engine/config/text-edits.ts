/** Replaces the characters [start, end) of a text. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits that do not overlap; insertions at the same place keep their order. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = '';
  let from = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    result += text.slice(from, edit.start) + edit.text;
    from = edit.end;
  }
  return result + text.slice(from);
}

/** Joins overlapping and adjacent cuts, given in ascending order. */
export function joinCuts(cuts: readonly Edit[]): Edit[] {
  const joined: Edit[] = [];
  for (const cut of cuts) {
    const last = joined.at(-1);
    if (last && cut.start <= last.end) joined[joined.length - 1] = { ...last, end: Math.max(last.end, cut.end) };
    else joined.push(cut);
  }
  return joined;
}

/** The line end that a text uses. */
export function newlineOf(text: string): '\r\n' | '\n' {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

export function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

/** Offset after the blank lines that begin at `at`. */
export function blanksAfter(text: string, at: number): number {
  return at + (/^(?:[ \t]*\r?\n)*/.exec(text.slice(at))?.[0].length ?? 0);
}

/** Start of the comment lines directly above the line of `at`. A comment at the top of the file belongs to the file and is not included. */
export function withComment(text: string, at: number): number {
  const own = lineStart(text, at);
  let start = own;
  while (start > 0) {
    const above = lineStart(text, start - 1);
    if (!/^[ \t]*#/.test(text.slice(above, start))) return start;
    start = above;
  }
  return own;
}
