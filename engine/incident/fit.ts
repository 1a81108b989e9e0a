import { visibleText } from '../api/printable.ts';
import type { Incident, IncidentRecord } from '../api/incident-types.ts';

/** Bytes of a page, but for its head, the words of someone, and what stands between the records. */
const ROOM = 2_800_000;
/** Bytes of the records of a page at most. */
const MOST_RECORDS = 2_200_000;
/** Characters of a value of a column, and the fewest of a text. */
const MOST_VALUE = 80;
const FEWEST = 120;
const MOST = 20_000;

/** Bytes that the other parts of a page may take, each. */
const PARTS = { marks: 500_000, charts: 700_000, queries: 300_000 } as const;

/** Bytes that the records have beside so many of other parts. */
export const roomBeside = (used: number): number => Math.min(MOST_RECORDS, ROOM - used);

/** The first parts of a section that have room in it, and how many have none. */
export function withRoom(
  section: keyof typeof PARTS,
  parts: readonly string[],
): { readonly kept: readonly string[]; readonly left: number; readonly bytes: number } {
  let bytes = 0;
  let count = 0;
  for (; count < parts.length; count++) {
    const size = Buffer.byteLength(parts[count] as string);
    if (bytes + size > PARTS[section]) break;
    bytes += size;
  }
  return { kept: parts.slice(0, count), left: parts.length - count, bytes };
}

/** Records that fit into a page, and what had to be cut. */
export interface Fitted {
  readonly records: readonly IncidentRecord[];
  readonly columns: readonly string[];
  /** Longer texts are cut to so many characters; null: none is. */
  readonly cut: number | null;
  /** Columns and records that had no room. */
  readonly dropped: { readonly columns: readonly string[]; readonly records: number };
}

/** The records with their texts as they are shown: columns go first where there is too little room, then the ends of long texts, then records. */
export function fitted({ records, columns }: Pick<Incident, 'records' | 'columns'>, room: number): Fitted {
  const shown = records.map((record) => ({
    ...record,
    source: visibleText(record.source),
    text: visibleText(record.text.slice(0, MOST + 1)),
    values: record.values.map((value) => cutTo(visibleText(value), MOST_VALUE)),
  }));
  const sizes = shown.map(({ text, values }) => ({ text: bytesOf(text), values: values.map(bytesOf) }));
  const fixed = shown.length * 40;
  let kept = columns.length;
  const valueBytes = (count: number): number =>
    sizes.reduce((sum, { values }) => sum + values.slice(0, count).reduce((a, b) => a + b, 0), 0);
  const shortest = sizes.reduce((sum, { text }) => sum + Math.min(text, FEWEST), 0);
  while (kept > 0 && valueBytes(kept) > Math.min((room - fixed) / 3, room - fixed - shortest)) kept--;
  const left = room - fixed - valueBytes(kept);
  const cut = levelOf(
    sizes.map(({ text }) => text),
    left,
  );
  const most = cut === null || cut >= FEWEST ? shown.length : Math.max(1, Math.floor(room / (FEWEST + 40)));
  const isLong = records.some(({ text }) => text.length > MOST);
  const at = cut === null ? (isLong ? MOST : null) : Math.max(FEWEST, isLong ? Math.min(cut, MOST) : cut);
  return {
    records: shown
      .slice(0, most)
      .map((record) => ({ ...record, text: at === null ? record.text : cutTo(record.text, at), values: record.values.slice(0, kept) })),
    columns: columns.slice(0, kept),
    cut: at,
    dropped: { columns: columns.slice(kept), records: shown.length - Math.min(most, shown.length) },
  };
}

/** The length to which all longer ones are to be cut, so that they have room together; null: they have. */
function levelOf(lengths: readonly number[], room: number): number | null {
  if (lengths.reduce((sum, length) => sum + length, 0) <= room) return null;
  let left = room;
  const ascending = lengths.toSorted((a, b) => a - b);
  for (const [i, length] of ascending.entries()) {
    const level = left / (ascending.length - i);
    if (length > level) return Math.max(0, Math.floor(level));
    left -= length;
  }
  return null;
}

/** Bytes of a text in the data of the page. */
const bytesOf = (text: string): number =>
  Buffer.byteLength(text) + 5 * (text.match(/[<>&]/g)?.length ?? 0) + (text.match(/["\\\n\t]/g)?.length ?? 0);

/** The text in so many bytes of the page's data at most. */
export function cutTo(text: string, bytes: number): string {
  // A letter has a byte at least.
  if (text.length <= bytes && bytesOf(text) <= bytes) return text;
  let [low, high] = [0, Math.min(bytes, text.length)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (bytesOf(text.slice(0, middle)) <= bytes - 3) low = middle;
    else high = middle - 1;
  }
  return `${text
    .slice(0, low)
    .toWellFormed()
    .replace(/\ufffd$/, '')}…`;
}
