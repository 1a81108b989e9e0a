import { headerValues, type HeaderValues } from '../../../message/types.ts';
import { textNumbered } from '../batch.ts';
import { trunc } from '../intrinsics.ts';
import type { OutText } from './out-columns.ts';
import { output, setHeader } from './output.ts';
import { isInherited, PAYLOAD, type RowMessage } from '../reading/row-message.ts';
import { state } from '../state/state.ts';

/** The headers of the message that a writer is building. */
export class WriterHeaders {
  readonly values: HeaderValues = headerValues({});
  /** A bit for each of them that is set: most messages of most decoders have none. */
  #set = 0;
  /** The payload as a piece of an input text: its number, and the range; -1: none. */
  #input = -1;
  #start = -1;
  #end = -1;

  #has(place: number): boolean {
    return (this.#set & (1 << place)) !== 0;
  }

  set(place: number, value: string | number): void {
    this.values[place] = value;
    this.#set |= 1 << place;
  }

  /** Sets the payload to the piece [start, end) of an input text with this number. */
  setPayloadPiece(input: number, start: number, end: number): void {
    this.values[PAYLOAD] = undefined;
    this.#set &= ~(1 << PAYLOAD);
    this.#input = input;
    this.#start = trunc(start);
    this.#end = trunc(end);
  }

  /** Number of code units of the headers' texts. */
  units(): number {
    let units = this.#has(PAYLOAD) ? 0 : this.#end - this.#start;
    for (let i = 0; this.#set >> i !== 0; i++) {
      const value = this.#has(i) ? this.values[i] : 0;
      if (typeof value === 'string') units += value.length;
    }
    return units;
  }

  /** Writes the headers of message `number` to the output; those that are not set come from the rewritten row, if any. */
  write(number: number): void {
    const { edited } = state;
    if (edited === null) for (let i = 0; this.#set >> i !== 0; i++) if (this.#has(i)) setHeader(i, number, this.values[i]);
    for (let i = 0; edited !== null && i < this.values.length; i++)
      setHeader(i, number, this.#has(i) || isInherited[i] !== true ? this.values[i] : edited.headers[i]);
    if (this.#start < 0 || this.#has(PAYLOAD)) return;
    (output.headers[PAYLOAD] as OutText).setSlice(number, this.#input, this.#start, this.#end);
  }

  /** Copies the headers into a message. */
  fill(message: RowMessage): void {
    for (let i = 0; i < this.values.length; i++) message.headers[i] = this.values[i];
    if (this.#start >= 0) message.headers[PAYLOAD] ??= textNumbered(this.#input).slice(this.#start, this.#end);
  }

  reset(): void {
    for (let i = 0; this.#set >> i !== 0; i++) if (this.#has(i)) this.values[i] = undefined;
    this.#set = 0;
    this.#start = -1;
    this.#end = -1;
  }
}
