/** Columns and lines of one page of a dialog: they fit on the smallest screen that the window supports. */
const COLUMNS = 60;
const LINES = 24;
/** Stands before each line of what is asked about, so that it cannot pass for a line of the dialog itself. */
const MARK = '│ ';

/**
 * Characters that would change how a text looks without being seen: controls, marks of direction, invisible and combining ones, line and paragraph separators,
 * private and unassigned ones, and every space but the usual one.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Mn}\p{Me}\p{Zl}\p{Zp}]|(?! )\p{Zs}|[\u115F\u1160\u2800\u3164\uFFA0]/gu;

/** Makes every character of a text visible; line breaks stay. */
export function visible(text: string): string {
  return text.replaceAll(UNSEEN, (char) => (char === '\n' ? char : `\\u{${(char.codePointAt(0) as number).toString(16)}}`));
}

/** The lines of a text that is asked about, marked as such; those that are too long are broken. There is at least one. */
export function markedLines(text: string): string[] {
  return visible(text).split('\n').flatMap(broken);
}

/** Cuts lines into pages that a dialog can show whole. */
export function pagesOf(lines: readonly string[]): string[] {
  const count = Math.ceil(lines.length / LINES);
  return Array.from({ length: count }, (_, i) => lines.slice(i * LINES, (i + 1) * LINES).join('\n'));
}

function broken(line: string): string[] {
  const characters = [...line];
  const count = Math.max(1, Math.ceil(characters.length / COLUMNS));
  return Array.from({ length: count }, (_, i) => MARK + characters.slice(i * COLUMNS, (i + 1) * COLUMNS).join(''));
}
