/** Columns and lines of one page of a dialog: they fit on the smallest screen that the window supports. */
const COLUMNS = 90;
const LINES = 18;

/**
 * Characters that would change how a text looks without being seen: controls, marks of direction, invisible and combining ones, line and paragraph separators,
 * private and unassigned ones, and every space but the usual one.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Mn}\p{Me}\p{Zl}\p{Zp}]|(?! )\p{Zs}|[\u115F\u1160\u2800\u3164\uFFA0]/gu;

/** Makes every character of a text visible; line breaks stay. */
export function visible(text: string): string {
  return text.replaceAll(UNSEEN, (char) => (char === '\n' ? char : `\\u{${(char.codePointAt(0) as number).toString(16)}}`));
}

/** Cuts a text into pages that a dialog can show whole; lines that are too long are broken. There is at least one page. */
export function pagesOf(text: string): string[] {
  const lines = visible(text).split('\n').flatMap(broken);
  const count = Math.ceil(lines.length / LINES);
  return Array.from({ length: count }, (_, i) => lines.slice(i * LINES, (i + 1) * LINES).join('\n'));
}

function broken(line: string): string[] {
  const characters = [...line];
  const count = Math.max(1, Math.ceil(characters.length / COLUMNS));
  return Array.from({ length: count }, (_, i) => characters.slice(i * COLUMNS, (i + 1) * COLUMNS).join(''));
}
