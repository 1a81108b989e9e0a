import { LineSplitter } from './line.ts';
import type { Outlook } from '../splitter.ts';

const [LF, BLANK, BACKSLASH, BRACE, LETTER_E, LETTER_F, LETTER_N, LETTER_O, LETTER_P] = [10, 32, 92, 123, 101, 70, 110, 111, 80];
/** The letters with which the name of a stream begins, and the length of that name in a line of CRI. */
const [LETTER_S, LETTER_T, LETTER_D] = [115, 116, 100];
const [TAB, LETTER_SMALL_T, LETTER_R] = [9, 116, 114];
/** Length of `{"log":`. */
const LOG_NAME = 7;
const STREAM_NAME = ' stdout '.length;
const LONGEST_TIME = 40;
/** Behind the text of a line of Docker's json-file: no text in JSON has these quotes. */
const BEHIND_LOG = Buffer.from('","stream":"std');
/** The same where a tool wrote the object anew, with blanks. */
const BEHIND_SPACED_LOG = Buffer.from('", "stream": "std');
const [STDOUT, STDERR] = [1, 2] as const;
/** Complete lines of the other stream that may stand between two pieces of a line. */
const MOST_BETWEEN = 100;

/** The beginning of a line of a stack trace that is not indented, and of the error in front of it. */
const FURTHER =
  /^(?:[)}\]]+[;,]?(?:\\[nr]|$)|Caused by: |Suppressed: |\.{3} \d|Stack trace:|#\d+ |goroutine \d|created by |Traceback |During handling |The above exception |[\w$.]*(?:Error|Exception|Interrupt|Exit|Iteration|Warning|Throwable)(?:$|[: \\])|[\w./$*()-]+\(.*\)(?:$|\\n"))/;
/** Bytes of a line by which one of a stack trace is told. */
const TRACE_HEAD = 160;

/** The stream of a line (0: no line of a container), and whether a further piece follows. */
interface LinePiece {
  stream: 0 | typeof STDOUT | typeof STDERR;
  /** A further piece of the line follows. */
  open: boolean;
  /** Position of the container's text; -1: not known. */
  text: number;
}

/**
 * Lines of logs of containers: of the Container Runtime Interface (`2021-03-05T13:07:59.25Z stdout P …`) and of Docker's json-file. The runtime writes long
 * lines in pieces, perhaps with lines of the other stream between them. All lines from the first piece to the last one are a record, with the lines of the
 * same stream behind them that may be those of a stack trace.
 */
export class ContainerSplitter extends LineSplitter {
  readonly #piece: LinePiece = { stream: 0, open: false, text: -1 };

  protected override lineEnd(bytes: Buffer, at: number, outlook: Outlook): number {
    let last = -1;
    let unfinished = 0;
    let between = 0;
    for (let from = at; ; from = last + 1) {
      const end = bytes.indexOf(LF, from);
      if (end < 0) return this.#withoutEnd(bytes, at, from, last, outlook);
      if (last >= 0 && end - at > this.maxRecord) return last;
      readPiece(bytes, from, end, this.#piece);
      const { stream, open } = this.#piece;
      if (stream === 0) return last < 0 ? end : last;
      between = (unfinished & stream) === 0 && !open ? between + 1 : 0;
      unfinished = open ? unfinished | stream : unfinished & ~stream;
      if (between > MOST_BETWEEN) return end;
      if (unfinished === 0) return this.#traceEnd(bytes, at, end, outlook);
      last = end;
    }
  }

  /** The end of the record at `at`, of which all is there up to `end`, with the lines behind it that go on with it. */
  #traceEnd(bytes: Buffer, at: number, end: number, outlook: Outlook): number {
    const piece = this.#piece;
    const { stream } = piece;
    for (let last = end; ;) {
      const from = last + 1;
      if (from >= bytes.length) return outlook === 'more' ? -1 : last;
      if (bytes[from] !== BRACE && bytes[from] !== bytes[at]) return last;
      const found = bytes.indexOf(LF, from);
      if (found < 0 && outlook !== 'end') return -1;
      const to = found < 0 ? bytes.length : found;
      readPiece(bytes, from, to, piece);
      if (piece.stream !== stream || piece.open || !isFurther(bytes, piece.text, to) || to - at > this.maxRecord) return last;
      if (found < 0) return -1;
      last = found;
    }
  }

  /** The end of the record at `at` when the line at `from` has none so far. */
  #withoutEnd(bytes: Buffer, at: number, from: number, last: number, outlook: Outlook): number {
    if (last < 0 || bytes.length - at > this.maxRecord) return last;
    return outlook === 'end' && from === bytes.length ? last : -1;
  }
}

function readPiece(bytes: Buffer, from: number, end: number, piece: LinePiece): void {
  piece.stream = 0;
  piece.open = false;
  piece.text = -1;
  if (bytes[from] === BRACE) readDocker(bytes, from, end, piece);
  else readCri(bytes, from, end, piece);
}

function readCri(bytes: Buffer, from: number, end: number, piece: LinePiece): void {
  let blank = from;
  while (blank < end && blank - from < LONGEST_TIME && bytes[blank] !== BLANK) blank++;
  const tag = blank + STREAM_NAME;
  if (tag >= end || bytes[blank + 1] !== LETTER_S || bytes[blank + 2] !== LETTER_T || bytes[blank + 3] !== LETTER_D) return;
  if (bytes[tag - 1] !== BLANK || (bytes[tag] !== LETTER_F && bytes[tag] !== LETTER_P)) return;
  piece.stream = streamOf(bytes[blank + 4]);
  piece.open = bytes[tag] === LETTER_P;
  piece.text = tag + 2;
}

/** A text without a line end at its end is a piece. */
function readDocker(bytes: Buffer, from: number, end: number, piece: LinePiece): void {
  const line = bytes.subarray(from, end);
  const compact = line.indexOf(BEHIND_LOG);
  const found = compact < 0 ? line.indexOf(BEHIND_SPACED_LOG) : compact;
  if (found < 0) return;
  const behind = from + found;
  piece.stream = streamOf(bytes[behind + (compact < 0 ? BEHIND_SPACED_LOG : BEHIND_LOG).length]);
  let backslash = behind - 1;
  while (bytes[backslash - 1] === BACKSLASH) backslash--;
  piece.open = bytes[behind - 1] !== LETTER_N || (behind - 1 - backslash) % 2 === 0;
  piece.text = bytes[from + LOG_NAME] === BLANK ? from + LOG_NAME + 2 : from + LOG_NAME + 1;
}

/** Whether a text goes on with the record before it, as lines of stack traces do. */
function isFurther(bytes: Buffer, at: number, end: number): boolean {
  const code = bytes[at];
  if (at >= end || code === BLANK || code === TAB) return true;
  if (code === BACKSLASH) return bytes[at + 1] === LETTER_SMALL_T || bytes[at + 1] === LETTER_N || bytes[at + 1] === LETTER_R;
  return FURTHER.test(bytes.toString('latin1', at, Math.min(end, at + TRACE_HEAD)));
}

function streamOf(letter: number | undefined): LinePiece['stream'] {
  if (letter === LETTER_O) return STDOUT;
  return letter === LETTER_E ? STDERR : 0;
}
