import { decodeRecord } from '../text.ts';
import { MAX_BATCH_BYTES, MAX_BATCH_RECORDS, type Cuts, type CutState, type Outlook, type Splitter } from '../splitter.ts';

const LF = 10;
const CR = 13;
const LENGTH_BYTES = 8;
/** The longest value of a field in binary form: a larger number behind a name is no length. */
const MOST_IN_FIELD = 1n << 32n;
/** The end of an entry, and the first field of the next one. */
const NEXT_ENTRY = '\n\n__CURSOR=';

/** One entry, as far as it is there. */
interface Entry {
  readonly text: string;
  readonly valid: boolean;
  /** The position behind it. */
  readonly end: number;
  /** Whether the empty line behind it was found. */
  readonly complete: boolean;
}

/**
 * Entries in the export format of the systemd journal (https://systemd.io/JOURNAL_EXPORT_FORMATS/): a line `FIELD=value` for each field, and an empty line
 * behind each entry. A field that holds line ends or bytes stands there in binary form: its name, its length and its bytes, which may look like other fields
 * and entries. It becomes a line `FIELD=value` with a blank in front of each further line; no field begins so.
 */
export class JournalSplitter implements Splitter {
  readonly maxRecord: number;

  constructor(maxRecord: number) {
    this.maxRecord = maxRecord;
  }

  cut(bytes: Buffer, from: number, outlook: Outlook, state: CutState, cuts: Cuts): number {
    cuts.reset();
    cuts.firstLine = state.line;
    cuts.texts = [];
    const start = state.skipping ? skipEntry(bytes, from, outlook, state) : from;
    const end = state.skipping ? start : this.#cutEntries(bytes, start, outlook, state, cuts);
    cuts.count = cuts.texts.length;
    if (state.line > 0) state.line += cuts.count;
    return end;
  }

  #cutEntries(bytes: Buffer, from: number, outlook: Outlook, state: CutState, cuts: Cuts): number {
    let at = from;
    for (let weight = 0; weight < MAX_BATCH_BYTES && (cuts.texts?.length ?? 0) < MAX_BATCH_RECORDS && !cuts.truncated;) {
      at = behindEmptyLines(bytes, at);
      if (at === bytes.length) return at;
      const entry = entryAt(bytes, at, outlook === 'end');
      const mayGoOn = !entry.complete && outlook !== 'end';
      if (mayGoOn && entry.text.length <= this.maxRecord) return at;
      this.#add(entry, at, cuts);
      state.skipping = mayGoOn;
      weight += entry.text.length;
      at = entry.end;
    }
    return at;
  }

  #add({ text, valid }: Entry, start: number, cuts: Cuts): void {
    const isLong = text.length > this.maxRecord;
    cuts.starts[cuts.texts?.length ?? 0] = start;
    cuts.texts?.push(isLong ? text.slice(0, this.maxRecord).toWellFormed() : text);
    cuts.invalid ||= !valid;
    cuts.truncated ||= isLong;
  }
}

/** Drops the rest of an entry that was delivered cut: up to the next one, as far as it can be told. */
function skipEntry(bytes: Buffer, from: number, outlook: Outlook, state: CutState): number {
  const found = bytes.indexOf(NEXT_ENTRY, from);
  if (found < 0) return outlook === 'end' ? bytes.length : Math.max(from, bytes.length - NEXT_ENTRY.length);
  state.skipping = false;
  return found;
}

function behindEmptyLines(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] === LF)) at += bytes[at] === LF ? 1 : 2;
  return at;
}

/** @param isRest no more bytes come */
function entryAt(bytes: Buffer, start: number, isRest: boolean): Entry {
  const fields: string[] = [];
  let valid = true;
  const take = (from: number, to: number): string => {
    const decoded = decodeRecord(bytes.subarray(from, to));
    valid &&= decoded.valid;
    return decoded.text;
  };
  /** Takes lines that stand there as they are. */
  const takeLines = (from: number, to: number): void => {
    if (to > from) fields.push(take(from, to).replace(/\r?\n$/, ''));
  };
  const ended = (end: number, complete: boolean): Entry => ({ text: fields.join('\n'), valid, end, complete });
  let linesFrom = start;
  for (let at = start; ;) {
    const lineEnd = bytes.indexOf(LF, at);
    const isEmpty = lineEnd === at || (lineEnd === at + 1 && bytes[at] === CR);
    const valueEnd = lineEnd < 0 || isEmpty ? null : binaryValue(bytes, at, lineEnd, isRest);
    if (lineEnd < 0 || isEmpty || valueEnd !== null) takeLines(linesFrom, isEmpty || valueEnd !== null ? at : bytes.length);
    if (lineEnd < 0) return ended(bytes.length, false);
    if (isEmpty) return ended(lineEnd + 1, true);
    if (valueEnd === null) {
      at = lineEnd + 1;
      continue;
    }
    fields.push(`${take(at, lineEnd)}=${take(lineEnd + 1 + LENGTH_BYTES, valueEnd).replaceAll('\n', '\n ')}`);
    if (valueEnd >= bytes.length) return ended(bytes.length, false);
    linesFrom = at = valueEnd + 1;
  }
}

/** The end of the value of a field in binary form, whose name is the line [start, lineEnd); beyond the bytes: not all of it is there. null: it is no such field. */
function binaryValue(bytes: Buffer, start: number, lineEnd: number, isRest: boolean): number | null {
  for (let at = start; at < lineEnd; at++) if (!isOfName(bytes[at] as number)) return null;
  const from = lineEnd + 1 + LENGTH_BYTES;
  if (bytes.length < from) return isRest ? null : bytes.length;
  const length = bytes.readBigUInt64LE(lineEnd + 1);
  if (length > MOST_IN_FIELD) return null;
  const end = from + Number(length);
  return end >= bytes.length || bytes[end] === LF ? end : null;
}

/** Whether a byte may stand in the name of a field: a capital, a digit or an underscore. */
const isOfName = (byte: number): boolean => (byte >= 65 && byte <= 90) || (byte >= 48 && byte <= 57) || byte === 95;
