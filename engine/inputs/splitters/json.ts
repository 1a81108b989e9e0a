import {
  characterBoundary,
  MAX_BATCH_BYTES,
  MAX_BATCH_RECORDS,
  type Cuts,
  type CutState,
  type Outlook,
  type Splitter,
} from '../splitter.ts';

const [NUL, TAB, LF, CR, SEPARATOR, BLANK, QUOTE, COMMA, OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN, CLOSE] = [
  0, 9, 10, 13, 30, 32, 34, 44, 91, 92, 93, 123, 125,
];
/** Bytes around and between objects: white space, commas, and the marks of text sequences (RFC 7464) and of holes. */
const BETWEEN: ReadonlySet<number | undefined> = new Set([NUL, TAB, LF, CR, SEPARATOR, BLANK, COMMA]);
/** Bytes behind the bracket of a list of objects, and behind the end of one. */
const IN_LIST: ReadonlySet<number | undefined> = new Set([...BETWEEN, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE]);
const MARK = '\xef\xbb\xbf';
/** The beginning of an object that has nothing in front of its list of records, as services export them. */
const EXPORT = /^\{\s*"(?:records|Records|logs|events|entries|value)"\s*:\s*\[\s*(?=\{)/;
const LONGEST_EXPORT = 256;
/** The object has no end yet. */
const NO_END = -1;

/**
 * Objects of JSON (RFC 8259), over several lines or several in one: one behind the other, or in a list, perhaps in that of an export. What stands between them is no
 * part of them. An object that does not end before a line with a brace that is indented no further ends there, and any other line is a record.
 */
export class JsonSplitter implements Splitter {
  readonly maxRecord: number;

  constructor(maxRecord: number) {
    this.maxRecord = maxRecord;
  }

  cut(bytes: Buffer, from: number, outlook: Outlook, state: CutState, cuts: Cuts): number {
    cuts.reset();
    cuts.firstLine = state.line;
    let at = from;
    if (state.skipping) {
      at = nextObject(bytes, from);
      if (at === bytes.length) return at;
      state.skipping = false;
    }
    while (cuts.count < MAX_BATCH_RECORDS && !cuts.truncated) {
      const start = recordStart(bytes, at);
      if (start === bytes.length) {
        if (cuts.count > 0 || outlook === 'end') at = start;
        break;
      }
      const end = this.#end(bytes, start, outlook);
      const isLong = end === NO_END && bytes.length - start > this.maxRecord;
      if (end === NO_END && outlook !== 'end' && !isLong) break;
      const to = end === NO_END ? bytes.length : end;
      if (cuts.count > 0 && to - cuts.textStart > MAX_BATCH_BYTES) break;
      this.#add(bytes, start, trimmedEnd(bytes, start, to), cuts);
      state.skipping = isLong;
      at = to;
    }
    if (state.line > 0) state.line += cuts.count;
    return at;
  }

  /** The end of the record at `start`. */
  #end(bytes: Buffer, start: number, outlook: Outlook): number {
    if (bytes[start] === OPEN) return objectEnd(bytes, start);
    const lineEnd = bytes.indexOf(LF, start);
    return lineEnd < 0 && outlook === 'end' ? bytes.length : lineEnd;
  }

  /** Adds the record [start, end), cut to the longest length. */
  #add(bytes: Buffer, start: number, end: number, cuts: Cuts): void {
    if (cuts.count === 0) cuts.textStart = start;
    const isLong = end - start > this.maxRecord;
    cuts.add(start, isLong ? Math.max(start, characterBoundary(bytes, start + this.maxRecord)) : end);
    cuts.truncated = isLong;
  }
}

/** The position of the next object or of other text. */
function recordStart(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const code = bytes[at];
    if (BETWEEN.has(code) || ((code === OPEN_LIST || code === CLOSE_LIST || code === CLOSE) && isInList(bytes, at + 1))) at++;
    else if (code === 0xef && bytes.toString('latin1', at, at + MARK.length) === MARK) at += MARK.length;
    else break;
  }
  const head = bytes[at] === OPEN ? EXPORT.exec(bytes.toString('latin1', at, at + LONGEST_EXPORT)) : null;
  return head === null ? at : at + head[0].length;
}

/** Whether the bracket in front of `at` is one of a list: its line goes on with nothing else. */
function isInList(bytes: Buffer, at: number): boolean {
  let next = at;
  while (bytes[next] === BLANK || bytes[next] === TAB) next++;
  return next === bytes.length || IN_LIST.has(bytes[next]);
}

/** The position behind the object at `start`. */
function objectEnd(bytes: Buffer, start: number): number {
  const indent = indentOf(bytes, start);
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const code = bytes[at];
    if (code === QUOTE) {
      at = stringEnd(bytes, at + 1);
      if (bytes[at] === LF) return at;
    } else if (code === OPEN) depth++;
    else if (code === CLOSE && --depth === 0) return at + 1;
    else if (code === LF && isNewObject(bytes, at + 1, indent)) return at;
  }
  return NO_END;
}

/** The position of the quote that ends a string, or of a line feed, which no string has. */
function stringEnd(bytes: Buffer, from: number): number {
  let at = from;
  for (; at < bytes.length && bytes[at] !== QUOTE && bytes[at] !== LF; at++) if (bytes[at] === BACKSLASH) at++;
  return at;
}

/** Whether a line begins with an object that is indented by so many bytes at most. */
function isNewObject(bytes: Buffer, line: number, indent: number): boolean {
  let at = line;
  while (bytes[at] === BLANK || bytes[at] === TAB) at++;
  return bytes[at] === OPEN && at - line <= indent;
}

/** The white space at the beginning of the line in which an object stands. */
function indentOf(bytes: Buffer, start: number): number {
  const line = start === 0 ? 0 : bytes.lastIndexOf(LF, start - 1) + 1;
  let at = line;
  while (bytes[at] === BLANK || bytes[at] === TAB) at++;
  return at - line;
}

/** The beginning of the next line with an object; the end of the bytes: there is none yet. */
function nextObject(bytes: Buffer, from: number): number {
  for (let line = bytes.indexOf(LF, from); line >= 0; line = bytes.indexOf(LF, line + 1))
    if (isNewObject(bytes, line + 1, bytes.length)) return line;
  return bytes.length;
}

function trimmedEnd(bytes: Buffer, start: number, end: number): number {
  let at = end;
  while (at > start && BETWEEN.has(bytes[at - 1]) && bytes[at - 1] !== COMMA) at--;
  return at;
}
