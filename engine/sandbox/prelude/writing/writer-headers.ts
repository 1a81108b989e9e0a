import { headerValues } from '../../../message/types.ts';
import { textNumbered } from '../batch.ts';
import { trunc } from '../intrinsics.ts';
import type { OutText } from './out-columns.ts';
import { output, setHeader } from './output.ts';
import { isInherited, PAYLOAD, type RowMessage } from '../reading/row-message.ts';
import { state } from '../state/state.ts';

/** A header: as an element of a list, it would be stored slowly, as the prototype of lists is frozen. */
class Cell {
  value: string | number | undefined = undefined;
}

/** The headers of the message that a writer is building. */
export class WriterHeaders {
  readonly #cells = headerValues({}).map(() => new Cell());
  /** A bit for each of them that is set: most messages of most decoders have none. */
  #set = 0;
  /** The payload as a piece of an input text: its number, and the range; -1: none. */
  #input = -1;
  #start = -1;
  #end = -1;

  #at(place: number): Cell {
    return this.#cells[place] as Cell;
  }

  #has(place: number): boolean {
    return (this.#set & (1 << place)) !== 0;
  }

  set(place: number, value: string | number): void {
    this.#at(place).value = value;
    this.#set |= 1 << place;
  }

  /** Sets the payload to the piece [start, end) of an input text with this number. */
  setPayloadPiece(input: number, start: number, end: number): void {
    this.#at(PAYLOAD).value = undefined;
    this.#set &= ~(1 << PAYLOAD);
    this.#input = input;
    this.#start = trunc(start);
    this.#end = trunc(end);
  }

  /** Number of code units of the headers' texts. */
  units(): number {
    let units = this.#has(PAYLOAD) ? 0 : this.#end - this.#start;
    for (let i = 0; this.#set >> i !== 0; i++) {
      const value = this.#has(i) ? this.#at(i).value : 0;
      if (typeof value === 'string') units += value.length;
    }
    return units;
  }

  /** Writes the headers of message `number` to the output; those that are not set come from the rewritten row, if any. */
  write(number: number): void {
    const { edited } = state;
    if (edited === null) for (let i = 0; this.#set >> i !== 0; i++) if (this.#has(i)) setHeader(i, number, this.#at(i).value);
    for (let i = 0; edited !== null && i < this.#cells.length; i++)
      setHeader(i, number, this.#has(i) || isInherited[i] !== true ? this.#at(i).value : edited.headers[i]);
    if (this.#start < 0 || this.#has(PAYLOAD)) return;
    (output.headers[PAYLOAD] as OutText).setSlice(number, this.#input, this.#start, this.#end);
  }

  /** Copies the headers into a message. */
  fill(message: RowMessage): void {
    for (let i = 0; i < this.#cells.length; i++) message.headers[i] = this.#at(i).value;
    if (this.#start >= 0) message.headers[PAYLOAD] ??= textNumbered(this.#input).slice(this.#start, this.#end);
  }

  reset(): void {
    for (let i = 0; this.#set >> i !== 0; i++) if (this.#has(i)) this.#at(i).value = undefined;
    this.#set = 0;
    this.#start = -1;
    this.#end = -1;
  }
}
