import { characterBoundary } from '../splitter.ts';
import { Records, type TakeRecords } from './records.ts';
import { isSingle } from './zlib.ts';

/** A fault of a stream; the rest of the stream is read all the same. `packed`: a message that cannot be unpacked is left out. */
export type StreamFault = 'framing' | 'truncated' | 'packed';

const LF = 10;
const NUL = 0;
const [ONE, NINE] = [0x31, 0x39];
/** A count, the space, and what tells that it is one. */
const HEAD_BYTES = 14;
/** A count above this is taken as a fault of the sender. */
const MAX_COUNT = 16 << 20;
const NOTHING = Buffer.alloc(0);
const COUNT = /^([1-9]\d{0,9}) $/;

/**
 * Cuts one stream of syslog messages into records (RFC 6587). Octet counting or a trailing \n or NUL is recognised by the first bytes: with
 * octet counting they are a number, a space and `<`. A message that is too long is delivered cut. Line ends, and NUL around
 * a record, are no part of it; empty records are left out. rsyslog counts the octets of the messages that it packs one by one, and ends others with \n:
 * with `singles`, each message is recognised by itself, and packed ones come as they are.
 */
export class SyslogFraming {
  readonly #maxRecord: number;
  readonly #take: TakeRecords;
  readonly #fault: (fault: StreamFault) => void;
  readonly #singles: boolean;
  readonly #records = new Records();
  #pending: Buffer = NOTHING;
  #mode: 'unknown' | 'counted' | 'delimited' = 'unknown';
  #delimiter: number | null = null;
  /** Octets of a cut message that are still to come. */
  #skipOctets = 0;
  /** The rest of a cut record up to its delimiter is to be dropped. */
  #skipRecord = false;

  /** `maxRecord`: bytes. */
  constructor(maxRecord: number, take: TakeRecords, fault: (fault: StreamFault) => void, { singles = false } = {}) {
    this.#maxRecord = maxRecord;
    this.#take = take;
    this.#fault = fault;
    this.#singles = singles;
  }

  push(chunk: Buffer): void {
    const pending = this.#pending;
    this.#pending = NOTHING;
    if (pending.length === 0) return this.#cut(chunk);
    // Of a record that began in earlier bytes only the rest is put behind them, where that is known.
    const isKnown = this.#mode === 'delimited' && this.#delimiter !== null && !this.#singles;
    const end = isKnown ? chunk.indexOf(this.#delimiter as number) + 1 : 0;
    if (end === 0) return this.#cut(Buffer.concat([pending, chunk]));
    this.#cut(Buffer.concat([pending, chunk.subarray(0, end)]));
    this.#cut(chunk.subarray(end));
  }

  /** Ends the stream: the beginning of a last record counts as a record. */
  end(): void {
    const bytes = this.#pending;
    this.#pending = NOTHING;
    if (this.#skipRecord || bytes.length === 0) return;
    const header = this.#mode === 'counted' ? /^\d+ /.exec(bytes.toString('latin1', 0, 12)) : null;
    this.#emit(bytes, header?.[0].length ?? 0, bytes.length);
    this.#give(bytes);
  }

  /** Takes the records out of some bytes, and keeps what is left. */
  #cut(bytes: Buffer): void {
    let at = 0;
    for (;;) {
      const next = this.#next(bytes, at);
      if (next === at) break;
      at = next;
    }
    this.#give(bytes);
    if (at < bytes.length) this.#pending = Buffer.from(bytes.subarray(at));
  }

  #give(bytes: Buffer): void {
    if (this.#records.count > 0) this.#take(bytes, this.#records);
    this.#records.clear();
  }

  /** Takes one step from a position and returns the position behind it; the same one when more bytes are needed. */
  #next(bytes: Buffer, at: number): number {
    if (at === bytes.length) return at;
    if (this.#skipOctets > 0) {
      const skipped = Math.min(this.#skipOctets, bytes.length - at);
      this.#skipOctets -= skipped;
      return at + skipped;
    }
    if (this.#mode === 'unknown' || (this.#singles && !this.#skipRecord)) {
      const mode = recognise(bytes, at, this.#singles);
      if (mode === null) return at;
      this.#mode = mode;
    }
    return this.#mode === 'counted' ? this.#nextCounted(bytes, at) : this.#nextDelimited(bytes, at, this.#delimiterIn(bytes, at));
  }

  #nextCounted(bytes: Buffer, at: number): number {
    if (this.#skipRecord) return this.#nextDelimited(bytes, at, LF);
    // Some senders end counted messages with a line end too.
    if (bytes[at] === LF || bytes[at] === 13 || bytes[at] === NUL) return at + 1;
    const space = bytes.indexOf(32, at);
    const header = bytes.toString('latin1', at, Math.min(space === -1 ? bytes.length : space + 1, at + 12));
    const count = Number(COUNT.exec(header)?.[1] ?? NaN);
    if (!(count <= MAX_COUNT)) {
      if (space === -1 && /^[1-9]?\d{0,9}$/.test(header)) return at;
      this.#fault('framing');
      return this.#nextDelimited(bytes, at, LF);
    }
    const start = space + 1;
    if (this.#singles && isSingle(bytes, start, start + count)) return this.#nextSingle(bytes, at, start, count);
    const available = bytes.length - start;
    if (available >= count) {
      this.#emit(bytes, start, start + count);
      return start + count;
    }
    if (available <= this.#maxRecord || count <= this.#maxRecord) return at;
    this.#emit(bytes, start, start + available);
    this.#skipOctets = count - available;
    return bytes.length;
  }

  /** A packed message is not cut, and its last bytes are no line end. */
  #nextSingle(bytes: Buffer, at: number, start: number, count: number): number {
    const end = start + count;
    if (count > this.#maxRecord) {
      this.#fault('packed');
      this.#skipOctets = count;
      return start;
    }
    if (end > bytes.length) return at;
    this.#records.add(start, end);
    return end;
  }

  #nextDelimited(bytes: Buffer, at: number, delimiter: number): number {
    const end = bytes.indexOf(delimiter, at);
    if (end === -1) {
      if (this.#skipRecord) return bytes.length;
      if (bytes.length - at <= this.#maxRecord + 2) return at;
      this.#emit(bytes, at, bytes.length);
      this.#skipRecord = true;
      return bytes.length;
    }
    if (!this.#skipRecord) this.#emit(bytes, at, end);
    this.#skipRecord = false;
    return end + 1;
  }

  /** Finds the delimiter of records. Text has no NUL: once one is there, records end with NUL. Packed messages have both: only the first one tells. */
  #delimiterIn(bytes: Buffer, at: number): number {
    if (this.#delimiter === null) {
      const [nul, lineEnd] = [bytes.indexOf(NUL, at), bytes.indexOf(LF, at)];
      if (nul !== -1 && (!this.#singles || lineEnd === -1 || nul < lineEnd)) this.#delimiter = NUL;
      else if (lineEnd !== -1) this.#delimiter = LF;
    }
    return this.#delimiter ?? LF;
  }

  #emit(bytes: Buffer, from: number, to: number): void {
    if (!addRecord(this.#records, bytes, from, to, this.#maxRecord)) this.#fault('truncated');
  }
}

/** Adds a record unless it is empty, without what is around it, and cut to `most` bytes. Returns whether it is whole. */
export function addRecord(records: Records, bytes: Uint8Array, from: number, to: number, most: number): boolean {
  const { start, end } = trimRecord(bytes, from, to);
  const isWhole = end - start <= most;
  if (start < end) records.add(start, isWhole ? end : Math.max(start, characterBoundary(bytes, start + most)));
  return isWhole;
}

/** A record without the line end or the NUL bytes around it. */
export function trimRecord(bytes: Uint8Array, from: number, to: number): { readonly start: number; readonly end: number } {
  let start = from;
  let end = to;
  while (start < end && bytes[start] === NUL) start++;
  while (end > start && bytes[end - 1] === NUL) end--;
  if (end > start && bytes[end - 1] === LF) end--;
  if (end > start && bytes[end - 1] === 13) end--;
  return { start, end };
}

function recognise(bytes: Buffer, at: number, singles: boolean): 'counted' | 'delimited' | null {
  const first = bytes[at] ?? 0;
  if (first < ONE || first > NINE) return 'delimited';
  const head = bytes.toString('latin1', at, at + HEAD_BYTES);
  const count = /^[1-9]\d{0,9}( |$)/.exec(head)?.[0];
  if (count === undefined) return 'delimited';
  const rest = head.slice(count.length);
  if (rest.startsWith('<') || (singles && isSingle(bytes, at + count.length, bytes.length))) return 'counted';
  const mayBegin = (singles ? 'zx' : '').startsWith(rest);
  return mayBegin && at + head.length === bytes.length ? null : 'delimited';
}
