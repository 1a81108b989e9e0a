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
