/** A Markdown table with aligned columns, as the formatter writes it; the first row is the head. Ends with a line end. */
export function markdownTable(cells: readonly (readonly string[])[]): string {
  const escaped = cells.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = (escaped[0] ?? []).map((_, column) => Math.max(3, ...escaped.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[], fill: string): string =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0, fill)).join(' | ')} |\n`;
  const [head = [], ...body] = escaped;
  const rule = head.map(() => '-');
  return [line(head, ' '), line(rule, '-'), ...body.map((row) => line(row, ' '))].join('');
}

/** Pages of a folder of the documentation, by their paths below it. */
export type Pages = Readonly<Record<string, string>>;

/** The first sentence of a text; a full stop behind a capital, as of a name, ends none. */
export const firstSentence = (text: string): string => /^[^]*?[^A-Z]\.(?=\s|$)/.exec(text)?.[0] ?? text;
