import { characterBoundary, type Cuts, type CutState, type Outlook, type Splitter } from '../splitter.ts';

/** Splits nothing: the whole source is one record. An empty source has none. */
export class WholeSplitter implements Splitter {
  readonly maxRecord: number;

  constructor(maxRecord: number) {
    this.maxRecord = maxRecord;
  }

  cut(bytes: Buffer, from: number, outlook: Outlook, state: CutState, cuts: Cuts): number {
    cuts.reset();
    if (state.skipping) return bytes.length;
    const tooLong = bytes.length - from > this.maxRecord;
    if (bytes.length === from || (outlook !== 'end' && !tooLong)) return from;
    cuts.firstLine = state.line;
    cuts.textStart = from;
    cuts.add(from, tooLong ? characterBoundary(bytes, from + this.maxRecord) : bytes.length);
    cuts.truncated = tooLong;
    state.skipping = tooLong;
    if (state.line > 0) state.line++;
    return bytes.length;
  }
}
