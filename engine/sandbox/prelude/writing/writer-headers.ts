import { trunc } from '../intrinsics.ts';
import { output } from './output.ts';
import type { RowMessage } from '../reading/row-message.ts';
import { state } from '../state/state.ts';

/** The headers of the message that a writer is building. null: not set. */
export class WriterHeaders {
  type: string | null = null;
  logger: string | null = null;
  payload: string | null = null;
  hostname: string | null = null;
  severity: number | null = null;
  pid: number | null = null;
  /** The payload as a piece of an input text: the text, its number, and the range; -1: none. */
  #text = '';
  #input = -1;
  #start = -1;
  #end = -1;

  /** Sets the payload to the piece [start, end) of an input text with this number. */
  setPayloadPiece(text: string, input: number, start: number, end: number): void {
    this.payload = null;
    this.#text = text;
    this.#input = input;
    this.#start = trunc(start);
    this.#end = trunc(end);
  }

  /** Number of code units of the headers' texts. */
  units(): number {
    const payload = this.payload === null ? this.#end - this.#start : this.payload.length;
    return (this.type?.length ?? 0) + (this.logger?.length ?? 0) + (this.hostname?.length ?? 0) + payload;
  }

  /** Writes the headers of message `number` to the output; those that are not set come from the rewritten row, if any. */
  write(number: number): void {
    const { edited } = state;
    const type = this.type ?? (edited === null ? null : edited.type);
    const logger = this.logger ?? (edited === null ? null : edited.logger);
    const hostname = this.hostname ?? (edited === null ? null : edited.hostname);
    const severity = this.severity ?? (edited === null ? null : edited.severity);
    const pid = this.pid ?? (edited === null ? null : edited.pid);
    if (type !== null) output.type.set(number, type);
    if (logger !== null) output.logger.set(number, logger);
    if (this.payload !== null) output.payload.set(number, this.payload);
    else if (this.#start >= 0) output.payload.setSlice(number, this.#input, this.#text, this.#start, this.#end);
    if (hostname !== null) output.hostname.set(number, hostname);
    if (severity !== null) output.severity.set(number, severity);
    if (pid !== null) output.pid.set(number, pid);
  }

  /** Copies the headers into a message. */
  fill(message: RowMessage): void {
    message.type = this.type;
    message.logger = this.logger;
    message.hostname = this.hostname;
    message.payload = this.payload ?? (this.#start < 0 ? null : this.#text.slice(this.#start, this.#end));
    message.severity = this.severity;
    message.pid = this.pid;
  }

  reset(): void {
    this.type = null;
    this.logger = null;
    this.payload = null;
    this.#start = -1;
    this.#end = -1;
    this.hostname = null;
    this.severity = null;
    this.pid = null;
  }
}
