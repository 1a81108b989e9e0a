import type { Gatherer } from '../net/gatherer.ts';
import { trimRecord } from '../net/framing.ts';
import { Records } from '../net/records.ts';
import { characterBoundary } from '../splitter.ts';
import { SessionError, type Peer, type Session, type Step } from './session.ts';
import { WaitingBytes } from './waiting-bytes.ts';

/** Reads one connection of RELP: `NUMBER COMMAND LENGTH DATA\n`, where a command without data has length 0 and nothing behind it. */

export interface RelpOptions {
  /** Bytes of a record; longer ones are cut. */
  readonly maxRecord: number;
  /** Collects the records of one call, for all sessions. */
  readonly gatherer: Gatherer;
}

const HEAD = /^(\d{1,9}) ([A-Za-z]{1,32}) (\d{1,9})[ \n]/;
const HEAD_BEGUN = /^\d{1,9}(?: (?:[A-Za-z]{1,32}(?: \d{0,9})?)?)?$/;
/** Bytes of a head at most. */
const MOST_HEAD = 9 + 1 + 32 + 1 + 9 + 1;
/** A frame above this is a fault of the sender. */
export const MOST_DATA = 16 << 20;
const LF = 10;
const VERSIONS = new Set(['0', '1']);

interface Frame {
  readonly number: string;
  readonly command: string;
  /** Places of its data in the bytes, and the end of the whole. */
  readonly from: number;
  readonly to: number;
  readonly end: number;
}

export class RelpSession implements Session {
  readonly farewell = Buffer.from('0 serverclose 0\n');
  readonly #options: RelpOptions;
  readonly #peer: Peer;
  readonly #bytes = new WaitingBytes();
  readonly #record = new Records();
  #isOpen = false;
  /** Answers to the records that are gathered. */
  #answers: string[] = [];
  #truncated = 0;

  constructor(options: RelpOptions, peer: Peer) {
    this.#options = options;
    this.#peer = peer;
  }

  get waiting(): number {
    return this.#bytes.length;
  }

  *push(chunk: Buffer): Generator<Step, void, undefined> {
    this.#bytes.add(chunk);
    const bytes = this.#bytes.all;
    let at = 0;
    try {
      for (let frame = frameAt(bytes, at); frame !== null; frame = frameAt(bytes, at)) {
        at = frame.end;
        if (frame.command === 'syslog' && this.#isOpen) {
          this.#add(bytes, frame);
          if (this.#options.gatherer.isFull) yield this.#gathered();
          continue;
        }
        if (this.#answers.length > 0) yield this.#gathered();
        yield this.#command(frame, bytes.toString('latin1', frame.from, frame.to));
        if (frame.command === 'close') return;
      }
    } catch (error) {
      if (this.#answers.length > 0) yield this.#gathered();
      throw error;
    }
    if (this.#answers.length > 0) yield this.#gathered();
    this.#bytes.skip(at);
  }

  #add(bytes: Buffer, { number, from, to }: Frame): void {
    const { maxRecord, gatherer } = this.#options;
    const { start, end } = trimRecord(bytes, from, to);
    this.#answers.push(`${number} rsp 6 200 OK\n`);
    if (start === end) return;
    const isLong = end - start > maxRecord;
    if (isLong) this.#truncated++;
    this.#record.add(start, isLong ? Math.max(start, characterBoundary(bytes, start + maxRecord)) : end);
    gatherer.add(bytes, this.#record, 0, this.#peer.host, this.#peer.port);
    this.#record.clear();
  }

  #gathered(): Step {
    const { gatherer } = this.#options;
    const answer = Buffer.from(this.#answers.join(''));
    const truncated = this.#truncated;
    this.#answers = [];
    this.#truncated = 0;
    return gatherer.count === 0 ? { batch: null, answer } : { ...gatherer.take(), truncated, answer };
  }

  /** @throws {SessionError} for a command that has no place here */
  #command({ number, command }: Frame, data: string): Step {
    if (command === 'open') return { batch: null, answer: this.#opened(number, data) };
    if (command === 'close') return { batch: null, answer: Buffer.concat([responseTo(number, ''), this.farewell]), isLast: true };
    if (!this.#isOpen) throw new SessionError(`it sends ${command} before open`);
    return { batch: null, answer: responseTo(number, `500 ${command} is not known`) };
  }

  /** @throws {SessionError} for offers that this side cannot take */
  #opened(number: string, data: string): Buffer {
    const offers = new Map(data.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const));
    const version = offers.get('relp_version') ?? '';
    if (!VERSIONS.has(version))
      throw new SessionError(`it speaks version ${version.slice(0, 20) || 'none'} of RELP, and this input 0 and 1`);
    if (offers.get('commands')?.split(',').includes('syslog') !== true) throw new SessionError('it does not offer the command syslog');
    this.#isOpen = true;
    return responseTo(number, `200 OK\nrelp_version=${version}\nrelp_software=sluicebox\ncommands=syslog`);
  }
}

const responseTo = (number: string, text: string): Buffer => Buffer.from(`${number} rsp ${text.length}${text === '' ? '' : ' '}${text}\n`);

/** The frame at a place; null: its end is not there yet. @throws {SessionError} for what is none */
function frameAt(bytes: Buffer, at: number): Frame | null {
  const text = bytes.toString('latin1', at, Math.min(bytes.length, at + MOST_HEAD));
  const [head, number = '', command = '', digits = ''] = HEAD.exec(text) ?? [];
  if (head === undefined) {
    if (text === '' || HEAD_BEGUN.test(text)) return null;
    throw new SessionError('it is not RELP');
  }
  const length = Number(digits);
  if (length > MOST_DATA) throw new SessionError(`a frame of ${length} bytes is longer than ${MOST_DATA}`);
  // Some senders have the blank also where no data follows.
  const from = length > 0 || head.endsWith(' ') ? at + head.length : at + head.length - 1;
  const to = from + length;
  if (to >= bytes.length) return null;
  if (bytes[to] !== LF) throw new SessionError('the length of a frame is wrong');
  return { number, command, from, to, end: to + 1 };
}
