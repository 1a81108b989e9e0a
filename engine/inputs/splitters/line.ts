import {
  characterBoundary,
  MAX_BATCH_BYTES,
  MAX_BATCH_RECORDS,
  type Cuts,
  type CutState,
  type Outlook,
  type Splitter,
} from '../splitter.ts';

const LF = 10;
const CR = 13;

/**
 * One record a line. The line end (\n or \r\n) is no part of it; empty lines are records, so that line numbers stay true. NUL bytes in
 * front of a line are dropped: a crash, or a truncation under a writer that does not append, leaves a hole there.
 */
export class LineSplitter implements Splitter {
  readonly maxRecord: number;

  constructor(maxRecord: number) {
    this.maxRecord = maxRecord;
  }

  cut(bytes: Buffer, from: number, outlook: Outlook, state: CutState, cuts: Cuts): number {
    cuts.reset();
    let at = finishLine(bytes, from, outlook, state);
    if (state.skipping || state.midLine) return at;
    cuts.firstLine = state.line;
    cuts.textStart = at;
    while (at < bytes.length && cuts.count < MAX_BATCH_RECORDS) {
      if (bytes[at] === 0) {
        at = skipNul(bytes, at);
        if (cuts.count === 0) cuts.textStart = at;
        continue;
      }
      const found = this.lineEnd(bytes, at, outlook);
      if (found === -1) return this.#cutRest(bytes, at, outlook, state, cuts);
      const end = found > at && bytes[found - 1] === CR ? found - 1 : found;
      if (cuts.count > 0 && end - cuts.textStart > MAX_BATCH_BYTES) break;
      this.#add(bytes, at, end, cuts);
      at = found + 1;
      if (state.line > 0) state.line++;
      if (cuts.truncated) break;
    }
    return at;
  }

  /** Position of the line end of the record at `at`; -1: it is not there yet. */
  protected lineEnd(bytes: Buffer, at: number, _outlook: Outlook): number {
    return bytes.indexOf(LF, at);
  }

  /** The bytes behind the last line end. */
  #cutRest(bytes: Buffer, at: number, outlook: Outlook, state: CutState, cuts: Cuts): number {
    const rest = bytes.length - at;
    // One byte more than allowed can still be the \r of a line end.
    const tooLong = rest > this.maxRecord + 1;
    if (outlook !== 'end' && !tooLong) return at;
    if (cuts.count > 0 && bytes.length - cuts.textStart > MAX_BATCH_BYTES) return at;
    this.#add(bytes, at, bytes[bytes.length - 1] === CR && !tooLong ? bytes.length - 1 : bytes.length, cuts);
    if (cuts.truncated) state.skipping = true;
    else state.midLine = true;
    return bytes.length;
  }

  /** Adds the record [start, end), cut to the longest length. */
  #add(bytes: Buffer, start: number, end: number, cuts: Cuts): void {
    if (end - start <= this.maxRecord) {
      cuts.add(start, end);
      return;
    }
    cuts.add(start, Math.max(start, characterBoundary(bytes, start + this.maxRecord)));
    cuts.truncated = true;
  }
}

/** Skips the rest of the line that was delivered last; returns the start of the next one, or the position up to which bytes are used up. */
function finishLine(bytes: Buffer, from: number, outlook: Outlook, state: CutState): number {
  if (state.skipping) {
    const found = bytes.indexOf(LF, from);
    if (found === -1) return bytes.length;
    state.skipping = false;
    if (state.line > 0) state.line++;
    return found + 1;
  }
  if (!state.midLine || from === bytes.length) return from;
  const lineEnd = bytes[from] === CR ? from + 1 : from;
  if (lineEnd === bytes.length && outlook !== 'end') return from;
  state.midLine = false;
  if (bytes[lineEnd] !== LF) return from;
  if (state.line > 0) state.line++;
  return lineEnd + 1;
}

function skipNul(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] === 0) at++;
  return at;
}
