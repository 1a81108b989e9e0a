/** Text files that are no plain lines of UTF-8: UTF-16 that goes on in ASCII, and lines that end with another byte than a line feed. */
import type { Chunks } from './chunks.ts';
import { utf16ToUtf8, type TextEncoding } from './probe.ts';

type Utf16 = Exclude<TextEncoding, 'utf-8'>;

const [LF, CR, TAB, BLANK, DELETE] = [10, 13, 9, 32, 127];
/** Bytes by which a line of ASCII is told from one of UTF-16, where it is longer. */
const ENOUGH = 32;
/** Bytes that wait for the end of their line, at most. */
const LONGEST_REST = 1 << 20;
const MARKS: Readonly<Record<Utf16, string>> = { 'utf-16le': '\xff\xfe', 'utf-16be': '\xfe\xff' };

/** UTF-16 as UTF-8. Lines of plain ASCII among it stay as they are: PowerShell 5 and tools of Unix append to one file so. */
export async function* utf16Chunks(source: Chunks, encoding: Utf16): Chunks {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const lines = bytes.length > LONGEST_REST ? bytes.length & ~1 : lastLineEnd(bytes, encoding);
    yield* parts(bytes.subarray(0, lines), encoding);
    rest = Buffer.from(bytes.subarray(lines));
  }
  yield* parts(rest, encoding);
}

/** The position behind the last line end of which all bytes are there; 0: there is none. */
function lastLineEnd(bytes: Buffer, encoding: Utf16): number {
  for (let at = bytes.lastIndexOf(LF); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf(LF, at - 1)) {
    if (encoding === 'utf-16be') return at + 1;
    if (at + 1 < bytes.length) return bytes[at + 1] === 0 ? at + 2 : at + 1;
  }
  return 0;
}

function* parts(bytes: Buffer, encoding: Utf16): Generator<Buffer> {
  let from = 0;
  for (let at = 0; at < bytes.length;) {
    if (!isAsciiLine(bytes, at, encoding)) {
      at = utf16LineEnd(bytes, at, encoding);
      continue;
    }
    if (at > from) yield converted(bytes.subarray(from, at), encoding);
    const end = bytes.indexOf(LF, at);
    from = end < 0 ? bytes.length : end + 1;
    yield bytes.subarray(at, from);
    at = from;
  }
  if (bytes.length > from) yield converted(bytes.subarray(from), encoding);
}

function converted(bytes: Buffer, encoding: Utf16): Buffer {
  const unmarked = bytes.toString('latin1', 0, 2) === MARKS[encoding] ? bytes.subarray(2) : bytes;
  return utf16ToUtf8(unmarked.subarray(0, unmarked.length & ~1), encoding);
}

/** Whether plain ASCII begins here: text in UTF-16 has NUL bytes at its line ends at least. */
function isAsciiLine(bytes: Buffer, from: number, encoding: Utf16): boolean {
  for (let at = from; at < bytes.length && at < from + ENOUGH; at++) {
    const code = bytes[at] as number;
    if (code === LF) return encoding === 'utf-16be' || bytes[at + 1] !== 0;
    if ((code < BLANK && code !== TAB && code !== CR) || code >= DELETE) return false;
  }
  return bytes.length - from >= ENOUGH;
}

/** The position behind the next line end in UTF-16. */
function utf16LineEnd(bytes: Buffer, from: number, encoding: Utf16): number {
  const low = encoding === 'utf-16le' ? 0 : 1;
  for (let at = bytes.indexOf(LF, from); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    const unit = at - low;
    if ((unit - from) % 2 === 0 && bytes[unit + 1 - low] === 0) return unit + 2;
  }
  return bytes.length;
}

/** Text with line feeds in place of the bytes that end its lines, but for those right in front of one. */
export async function* withLineFeeds(source: Chunks, lineEnd: number): Chunks {
  for await (const chunk of source) {
    const bytes = Buffer.from(chunk);
    for (let at = bytes.indexOf(lineEnd); at >= 0; at = bytes.indexOf(lineEnd, at + 1)) if (bytes[at + 1] !== LF) bytes[at] = LF;
    yield bytes;
  }
}

/**
 * The byte other than a line feed that ends the lines of a text: a carriage return alone, as old programs of the Macintosh write it, or NUL, as GELF and syslog
 * have it over TCP. null: there is none.
 */
export function otherLineEnd(head: Buffer): number | null {
  if (head.includes(LF)) return null;
  if (isBetween(head, CR) && !head.includes(0)) return CR;
  return isBetween(head, 0) && head.every((code) => code === 0 || code === TAB || (code >= BLANK && code !== DELETE)) ? 0 : null;
}

/** Whether text stands in front of a byte and behind it. */
function isBetween(head: Buffer, byte: number): boolean {
  const first = head.indexOf(byte);
  return first > 0 && first < head.length - 1 && head[first + 1] !== byte;
}
