/** A row of a CSV file (RFC 4180), in the line where it begins. */
interface CsvRow {
  readonly line: number;
  /** Its cells, without blanks around them; a text instead says what is wrong with the row. */
  readonly cells: readonly string[] | string;
}

const CELL = /[ \t]*(?:"([^"]*(?:""[^"]*)*)"[ \t]*|([^,\r\n]*))/y;
const BEHIND = /,|\r?\n|$/y;

/** The rows of a text. Empty lines, and those that begin with `#`, are none. */
export function* csvRows(text: string): Generator<CsvRow> {
  let line = 1;
  for (let at = text.startsWith('\ufeff') ? 1 : 0; at < text.length; line++) {
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found;
    const written = text.slice(at, end);
    if (!written.includes('"') || written.startsWith('#')) {
      const row = written.trim();
      if (row !== '' && !row.startsWith('#')) yield { line, cells: row.split(',').map((cell) => cell.trim()) };
      at = end + 1;
      continue;
    }
    const row = quotedRow(text, at);
    yield { line, cells: row?.cells ?? 'a quote is not closed, or stands inside of a cell' };
    // After a mistake the next line begins anew.
    const next = row?.end ?? end + 1;
    for (let i = at; i < next - 1; i++) if (text.charCodeAt(i) === LINE_FEED) line++;
    at = next;
  }
}

const LINE_FEED = 10;

/** The row from a place on, of which some cell is in quotes, and the place behind it; null: it is none. */
function quotedRow(text: string, start: number): { readonly cells: string[]; readonly end: number } | null {
  const cells: string[] = [];
  for (let at = start; ;) {
    CELL.lastIndex = at;
    const [whole = '', quoted, plain = ''] = CELL.exec(text) ?? [];
    if (quoted === undefined && plain.includes('"')) return null;
    cells.push(quoted?.replaceAll('""', '"') ?? plain.trim());
    BEHIND.lastIndex = at + whole.length;
    const behind = BEHIND.exec(text)?.[0];
    if (behind === undefined) return null;
    at += whole.length + behind.length;
    if (behind !== ',') return { cells, end: Math.max(at, start + 1) };
  }
}
