import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { BatchBuilder } from '../../message/batch/builder.ts';
import { errorText } from '../notices.ts';
import { MAX_BATCH_BYTES, MAX_BATCH_RECORDS } from '../splitter.ts';
import { messageOfBeat } from './beats-event.ts';
import { SessionError, type Peer, type Session, type Step } from './session.ts';
import { WaitingBytes } from './waiting-bytes.ts';

/**
 * Reads one connection of Beats, the protocol `lumberjack` in version 2. A window (`2W` and the number of its events) has events (`2J`, number, length and
 * JSON), all or some of them compressed (`2C`, length and frames in zlib). Its answer is `2A` and the number of its last event.
 */

export interface BeatsOptions {
  /** Name of the input: Logger of its messages. */
  readonly name: string;
  readonly type: string;
  /** Bytes of a frame, and of what it has when it is unpacked. */
  readonly maxMessage: number;
}

const unpack = promisify(inflate);
const VERSION = '2';
const [HEAD, NUMBERS] = [6, 4];

/** The kinds of frames, by their letter. */
type Kind = 'W' | 'J' | 'C';

interface Frame {
  readonly kind: Kind;
  /** Of the window: its events; of an event: its number; of a compressed frame: its bytes. */
  readonly number: number;
  readonly data: Buffer;
  readonly end: number;
}

const acknowledgement = (number: number): Buffer => {
  const bytes = Buffer.from(`${VERSION}A\0\0\0\0`, 'latin1');
  bytes.writeUInt32BE(number, 2);
  return bytes;
};

export class BeatsSession implements Session {
  /** Filebeat gives a connection up that is silent for long. */
  readonly patience = acknowledgement(0);
  readonly #options: BeatsOptions;
  readonly #peer: Peer;
  readonly #bytes = new WaitingBytes();
  readonly #builder = new BatchBuilder();
  /** Events that the present window still has. */
  #left = 0;
  #last = 0;
  #rejected = 0;
  #reason = '';

  constructor(options: BeatsOptions, peer: Peer) {
    this.#options = options;
    this.#peer = peer;
  }

  get waiting(): number {
    return this.#bytes.length;
  }

  async *push(chunk: Buffer): AsyncGenerator<Step, void, undefined> {
    this.#bytes.add(chunk);
    for (;;) {
      const frame = frameAt(this.#bytes.all, 0, this.#options.maxMessage);
      if (frame === null) return;
      if (frame.kind === 'C') yield* this.#frames(await this.#unpacked(frame.data));
      else yield* this.#take(frame);
      this.#bytes.skip(frame.end);
    }
  }

  async #unpacked(data: Buffer): Promise<Buffer> {
    const { maxMessage } = this.#options;
    try {
      return await unpack(data, { maxOutputLength: maxMessage });
    } catch (error) {
      throw new SessionError(`a compressed frame is damaged, or has more than ${maxMessage} bytes: ${errorText(error)}`, { cause: error });
    }
  }

  *#frames(bytes: Buffer): Generator<Step, void, undefined> {
    for (let at = 0; at < bytes.length;) {
      const frame = frameAt(bytes, at, this.#options.maxMessage);
      if (frame === null) throw new SessionError('a compressed frame ends amid a frame');
      if (frame.kind === 'C') throw new SessionError('a compressed frame is in another one');
      yield* this.#take(frame);
      at = frame.end;
    }
  }

  *#take({ kind, number, data }: Frame): Generator<Step, void, undefined> {
    if (kind === 'W') {
      if (this.#left > 0) throw new SessionError(`a window ends ${this.#left} events too early`);
      this.#left = number;
      this.#last = number;
      return;
    }
    if (this.#left === 0) throw new SessionError('an event is in no window');
    this.#left--;
    this.#last = number;
    this.#add(data);
    const { length, weight } = this.#builder;
    if (this.#left === 0 || length >= MAX_BATCH_RECORDS || weight >= MAX_BATCH_BYTES) yield this.#gathered();
  }

  #add(json: Buffer): void {
    const { name, type } = this.#options;
    try {
      this.#builder.append(messageOfBeat(json.toString(), type, name, this.#peer.host));
    } catch (error) {
      this.#rejected++;
      this.#reason = errorText(error);
    }
  }

  #gathered(): Step {
    const rejected = this.#rejected === 0 ? {} : { rejected: { count: this.#rejected, reason: this.#reason } };
    this.#rejected = 0;
    return { batch: this.#builder.build(), ...rejected, answer: acknowledgement(this.#last) };
  }
}

/** The frame at a place; null: its end is not there yet. @throws {SessionError} for what is none */
function frameAt(bytes: Buffer, at: number, most: number): Frame | null {
  const [version, letter] = bytes.toString('latin1', at, at + 2);
  if (version === undefined) return null;
  if (version === '1')
    throw new SessionError('it speaks version 1 of the protocol, and this input version 2: use a Beat, or Logstash output of version 2');
  if (version !== VERSION || (letter !== undefined && !/[WJC]/.test(letter)))
    throw new SessionError('it is not the protocol of Beats, or it is encrypted');
  if (bytes.length < at + HEAD) return null;
  const kind = letter as Kind;
  const number = bytes.readUInt32BE(at + 2);
  if (kind === 'W') return { kind, number, data: bytes.subarray(at, at), end: at + HEAD };
  const from = kind === 'J' ? at + HEAD + NUMBERS : at + HEAD;
  if (bytes.length < from) return null;
  const length = bytes.readUInt32BE(from - NUMBERS);
  if (length > most) throw new SessionError(`a frame of ${length} bytes is longer than ${most}`);
  if (bytes.length < from + length) return null;
  return { kind, number, data: bytes.subarray(from, from + length), end: from + length };
}
