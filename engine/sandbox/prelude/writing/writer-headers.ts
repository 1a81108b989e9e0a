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
  /** Some of them are set: most messages of most decoders have none. */
  #isSet = false;
  /** The payload as a piece of an input text: its number, and the range; -1: none. */
  #input = -1;
  #start = -1;
  #end = -1;

  set(place: number, value: string | number): void {
    this.values[place] = value;
    this.#isSet = true;
  }

  /** Sets the payload to the piece [start, end) of an input text with this number. */
  setPayloadPiece(input: number, start: number, end: number): void {
    if (this.#isSet) this.values[PAYLOAD] = undefined;
    this.#input = input;
    this.#start = trunc(start);
    this.#end = trunc(end);
  }

  /** Number of code units of the headers' texts. */
  units(): number {
    const piece = this.#end - this.#start;
    if (!this.#isSet) return piece;
    let units = this.values[PAYLOAD] === undefined ? piece : 0;
    for (let i = 0; i < this.values.length; i++) {
      const value = this.values[i];
      if (typeof value === 'string') units += value.length;
    }
    return units;
  }

  /** Writes the headers of message `number` to the output; those that are not set come from the rewritten row, if any. */
  write(number: number): void {
    const { edited } = state;
    for (let i = 0; (this.#isSet || edited !== null) && i < this.values.length; i++) {
      const value = this.values[i];
      setHeader(i, number, value === undefined && edited !== null && isInherited[i] === true ? edited.headers[i] : value);
    }
    if (this.#start < 0 || this.values[PAYLOAD] !== undefined) return;
    (output.headers[PAYLOAD] as OutText).setSlice(number, this.#input, this.#start, this.#end);
  }

  /** Copies the headers into a message. */
  fill(message: RowMessage): void {
    for (let i = 0; i < this.values.length; i++) message.headers[i] = this.values[i];
    if (this.#start >= 0) message.headers[PAYLOAD] ??= textNumbered(this.#input).slice(this.#start, this.#end);
  }

  reset(): void {
    for (let i = 0; this.#isSet && i < this.values.length; i++) this.values[i] = undefined;
    this.#isSet = false;
    this.#start = -1;
    this.#end = -1;
  }
}
