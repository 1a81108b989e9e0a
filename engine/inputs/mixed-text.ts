/** Text files that are no plain lines of UTF-8: UTF-16 that goes on in ASCII, and lines that end with another byte than a line feed. */
import type { Chunks } from './chunks.ts';
import { markLength, utf16Length, utf16ToUtf8, wholeUtf16, type TextEncoding } from './probe.ts';

type Utf16 = Exclude<TextEncoding, 'utf-8'>;

const [LF, CR, TAB, BLANK, DELETE] = [10, 13, 9, 32, 127];
/** Bytes by which a line of ASCII is told from one of UTF-16, where it is longer. */
const ENOUGH = 32;
/** Bytes between line feeds by which lines of ASCII are told from characters of UTF-16 that begin with such a byte. */
const FEW = 8;
/** Bytes that wait for the end of their line, at most. */
const LONGEST_REST = 1 << 20;
/** The line has no end yet. */
const NO_END = -1;

/** A part of bytes: lines of UTF-16, or one of plain ASCII. */
interface Part {
  readonly from: number;
  readonly to: number;
  readonly isAscii: boolean;
}

interface TextPart extends Part {
  /** Length of the byte order mark. */
  readonly mark: number;
  readonly text: Buffer;
}

/** Text in UTF-16 as UTF-8. Lines of plain ASCII among it stay as they are: PowerShell 5 and tools of Unix append to one file so. */
export class MixedText {
  readonly text: Buffer;
  /** How many of the bytes are in the text. */
  readonly length: number;
  readonly #parts: readonly TextPart[];
  /** The part in which the position was that was asked for last, where its text begins, and that position in the text and in the bytes. */
  #part = 0;
  #start = 0;
  #at = 0;
  #raw = 0;

  /** @param isAll nothing comes behind these bytes: the last line needs no end */
  constructor(bytes: Buffer, encoding: Utf16, isAll: boolean) {
    this.#parts = [...partsOf(bytes, encoding, isAll)].map((part) => {
      const content = bytes.subarray(part.from, part.to);
      const mark = part.isAscii ? 0 : markLength(content, encoding);
      return { ...part, mark, text: part.isAscii ? content : converted(content.subarray(mark), encoding) };
    });
    this.text = Buffer.concat(this.#parts.map(({ text }) => text));
    this.length = this.#parts.at(-1)?.to ?? 0;
  }

  /** The position in the bytes of one in the text, of which none may be before the last one. */
  rawAt(position: number): number {
    for (let part = this.#parts[this.#part]; part !== undefined; part = this.#parts[++this.#part]) {
      const end = this.#start + part.text.length;
      if (position < end) return this.#within(part, position);
      this.#start = this.#at = end;
      this.#raw = part.to;
      if (position === end) {
        this.#part++;
        return part.to;
      }
    }
    return this.length;
  }

  #within({ isAscii, mark, text }: TextPart, position: number): number {
    const between = text.subarray(this.#at - this.#start, position - this.#start);
    if (this.#at === this.#start && between.length > 0) this.#raw += mark;
    this.#raw += isAscii ? between.length : utf16Length(between);
    this.#at = position;
    return this.#raw;
  }
}

/** UTF-16 as UTF-8. See `MixedText`. */
export async function* utf16Chunks(source: Chunks, encoding: Utf16): Chunks {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const { text, length } = new MixedText(bytes, encoding, false);
    yield text;
    rest = Buffer.from(bytes.subarray(length));
  }
  yield new MixedText(rest, encoding, true).text;
}

/** Lines, up to the last one that has an end. */
function* partsOf(bytes: Buffer, encoding: Utf16, isAll: boolean): Generator<Part> {
  let from = 0;
  let at = 0;
  while (at < bytes.length) {
    const isAscii = isAsciiLine(bytes, at, encoding, isAll);
    const end = isAscii ? bytes.indexOf(LF, at) + 1 || NO_END : utf16LineEnd(bytes, at, encoding);
    if (end === NO_END) break;
    if (isAscii) {
      if (at > from) yield { from, to: at, isAscii: false };
      yield { from: at, to: end, isAscii };
      from = end;
    }
    at = end;
  }
  if (at > from) yield { from, to: at, isAscii: false };
  const rest = bytes.length - at;
  if (rest > 0 && (isAll || rest > LONGEST_REST)) {
    const isAscii = isAsciiLine(bytes, at, encoding, isAll);
    const to = isAll || isAscii ? bytes.length : at + wholeUtf16(bytes.subarray(at), encoding);
    yield { from: at, to, isAscii };
  }
}

const converted = (bytes: Buffer, encoding: Utf16): Buffer => utf16ToUtf8(bytes.subarray(0, bytes.length & ~1), encoding);

/**
 * Whether plain ASCII begins here: text in UTF-16 has NUL bytes at its line ends at least. Line feeds alone tell nothing, as characters of other scripts begin with
 * such a byte: a line behind them does.
 */
function isAsciiLine(bytes: Buffer, from: number, encoding: Utf16, isAll: boolean): boolean {
  let blank = from;
  for (let at = from; at < bytes.length && at < from + ENOUGH; at++) {
    const code = bytes[at] as number;
    if (code !== LF && ((code < BLANK && code !== TAB && code !== CR) || code >= DELETE)) return false;
    if (code === LF && at > blank) {
      const isLong = blank === from || at - blank > FEW;
      return isLong && (encoding === 'utf-16be' || at + 1 === bytes.length || bytes[at + 1] !== 0);
    }
    if (code === LF) blank++;
  }
  return bytes.length - from >= ENOUGH || (isAll && blank === bytes.length);
}

/** The position behind the next line end in UTF-16. */
function utf16LineEnd(bytes: Buffer, from: number, encoding: Utf16): number {
  const low = encoding === 'utf-16le' ? 0 : 1;
  for (let at = bytes.indexOf(LF, from); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    const unit = at - low;
    if ((unit - from) % 2 === 0 && bytes[unit + 1 - low] === 0) return unit + 2;
  }
  return NO_END;
}

/** Text with line feeds in place of the bytes that end its lines, but for those right in front of one. It has as many bytes. */
export function withLineFeeds(text: Buffer, lineEnd: number): Buffer {
  const bytes = Buffer.from(text);
  for (let at = bytes.indexOf(lineEnd); at >= 0; at = bytes.indexOf(lineEnd, at + 1)) if (bytes[at + 1] !== LF) bytes[at] = LF;
  return bytes;
}
