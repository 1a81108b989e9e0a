/** Records as code units, for readers that look at numbers only: where the bytes of a batch are at hand, no text is made of it. */

/** Bytes, or code units of two bytes. */
export type Units = Uint8Array | Uint16Array;

const FIRST_SIZE = 1 << 10;

/** The code units of the current record: those of the batch, or a copy of the record's text. */
export class RecordUnits {
  units: Units = new Uint8Array(0);
  /** The record is [start, end) of the units. */
  start = 0;
  end = 0;
  /** The position in the text of the first of the units. */
  shift = 0;
  #copy = new Uint16Array(FIRST_SIZE);

  take(span: PayloadSpan): void {
    const { units, start, end } = span;
    this.units = units ?? this.#copied(span.text, start, end - start);
    this.shift = units === null ? start : 0;
    this.start = start - this.shift;
    this.end = end - this.shift;
  }

  /** Takes a text instead. */
  takeText(text: string): void {
    this.units = this.#copied(text, 0, text.length);
    [this.start, this.end, this.shift] = [0, text.length, 0];
  }

  #copied(text: string, start: number, length: number): Uint16Array {
    if (length > this.#copy.length) this.#copy = new Uint16Array(2 * length);
    for (let i = 0; i < length; i++) this.#copy[i] = text.charCodeAt(start + i);
    return this.#copy;
  }
}

/** Whether a text stands at a position. */
export function stands(text: string, units: Units, at: number): boolean {
  for (let i = 0; i < text.length; i++) if (units[at + i] !== text.charCodeAt(i)) return false;
  return true;
}
