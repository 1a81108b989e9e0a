import { LineSplitter } from './line.ts';
import type { Cuts, CutState, Outlook } from '../splitter.ts';

const [LF, CR, BLANK, ZERO, NINE, LESS] = [10, 13, 32, 48, 57, 60];
const MOST_DIGITS = 7;

/**
 * Messages of syslog with their count of octets in front (RFC 5425, and RFC 6587 over plain TCP), which have no line ends between them and may have some in them. Where the
 * count is not that of what follows, a line is a record.
 */
export class OctetSplitter extends LineSplitter {
  override cut(bytes: Buffer, from: number, outlook: Outlook, state: CutState, cuts: Cuts): number {
    if (state.skipping || state.midLine) return super.cut(bytes, from, outlook, state, cuts);
    const start = behindLineEnds(bytes, from);
    const end = this.#messagesEnd(bytes, start, outlook, cuts);
    if (end === null) return super.cut(bytes, start, outlook, state, cuts);
    cuts.firstLine = state.line;
    if (state.line > 0) state.line += cuts.count;
    return end;
  }

  /** Adds messages. The position behind them; null: none begins here. */
  #messagesEnd(bytes: Buffer, from: number, outlook: Outlook, cuts: Cuts): number | null {
    cuts.reset();
    cuts.textStart = from;
    let at = from;
    while (cuts.count < cuts.starts.length && at < bytes.length) {
      const end = messageEnd(bytes, at);
      if (end > bytes.length && outlook !== 'end' && end - at <= this.maxRecord) return at;
      const isEnded = end >= 0 && end <= bytes.length && end - at <= this.maxRecord ? isEnd(bytes, end) : false;
      if (outlook !== 'end' && (isEnded === null || (end === bytes.length && outlook === 'more'))) return at;
      if (isEnded === false) break;
      cuts.add(at, trimmed(bytes, end));
      at = behindLineEnds(bytes, end);
    }
    return cuts.count === 0 ? null : at;
  }
}

/** The end of the message at `at` by its count of octets; -1: it has none. */
function messageEnd(bytes: Buffer, at: number): number {
  let count = 0;
  let digits = at;
  for (; digits < at + MOST_DIGITS && isDigit(bytes[digits]); digits++) count = count * 10 + (bytes[digits] as number) - ZERO;
  return digits > at && bytes[digits] === BLANK && bytes[digits + 1] === LESS ? digits + 1 + count : -1;
}

function behindLineEnds(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === LF || bytes[at] === CR) at++;
  return at;
}

/** Whether a message can end here: another count, a line end, or nothing follows. null: there are too few bytes. */
function isEnd(bytes: Buffer, at: number): boolean | null {
  if (at >= bytes.length || bytes[at] === LF || bytes[at] === CR) return true;
  let digits = at;
  while (isDigit(bytes[digits])) digits++;
  if (digits + 1 >= bytes.length) return digits === at ? false : null;
  return digits > at && bytes[digits] === BLANK && bytes[digits + 1] === LESS;
}

function trimmed(bytes: Buffer, end: number): number {
  const line = bytes[end - 1] === LF ? end - 1 : end;
  return line < end && bytes[line - 1] === CR ? line - 1 : line;
}

const isDigit = (code: number | undefined): boolean => code !== undefined && code >= ZERO && code <= NINE;
