import { visibleText } from '../api/printable.ts';
import type { Incident, IncidentRecord } from '../api/incident-types.ts';

/** Bytes of the records of a page: with all else in it, it stays below 3 MB. */
const ROOM = 2_200_000;
/** Characters of a value of a column, and the fewest of a text. */
const MOST_VALUE = 80;
const FEWEST = 120;
const MOST = 20_000;

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
export function fitted({ records, columns }: Pick<Incident, 'records' | 'columns'>, room = ROOM): Fitted {
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
function cutTo(text: string, bytes: number): string {
  if (bytesOf(text) <= bytes) return text;
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
