import { MessageKey } from '../message/protobuf/message-writer.ts';

const FIRST_BYTES = 64 << 10;
/** Memory that is kept for the next messages. */
const KEPT_BYTES = 16 << 20;
const UUID_BYTES = 16;

/** Messages in protobuf, one behind the other in memory that is used again. */
export class JoinedMessages {
  #memory = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #ends: number[] = [];
  length = 0;

  /** The bytes of all; others when something is added. */
  get bytes(): Buffer {
    return this.#memory.subarray(0, this.length);
  }

  /** Messages that have ended. */
  get count(): number {
    return this.#ends.length;
  }

  startOf(i: number): number {
    return i === 0 ? 0 : (this.#ends[i - 1] as number);
  }

  endOf(i: number): number {
    return this.#ends[i] as number;
  }

  add(bytes: Uint8Array, from: number, to: number): void {
    this.#need(to - from);
    if (bytes instanceof Buffer) bytes.copy(this.#memory, this.length, from, to);
    else this.#memory.set(bytes.subarray(from, to), this.length);
    this.length += to - from;
  }

  /** Adds the fields of a Uuid, which lies at a place, and of a time, of which the varint is given. */
  addHead(uuids: Buffer, uuid: number, times: Buffer, time: number, timeEnd: number): void {
    this.#need(UUID_BYTES + 2);
    this.#memory[this.length++] = MessageKey.uuid;
    this.#memory[this.length++] = UUID_BYTES;
    this.add(uuids, uuid, uuid + UUID_BYTES);
    this.#need(1);
    this.#memory[this.length++] = MessageKey.timestamp;
    this.add(times, time, timeEnd);
  }

  addVarint(value: number): void {
    this.#need(8);
    let left = value;
    for (; left > 127; left = Math.floor(left / 128)) this.#memory[this.length++] = (left % 128) | 128;
    this.#memory[this.length++] = left;
  }

  /** Ends a message. */
  end(): void {
    this.#ends.push(this.length);
  }

  /** Forgets the messages behind the first `count`. */
  cut(count: number): void {
    this.#ends.length = count;
    this.length = this.startOf(count);
  }

  clear(): void {
    this.cut(0);
    if (this.#memory.length > KEPT_BYTES) this.#memory = Buffer.allocUnsafeSlow(FIRST_BYTES);
  }

  #need(more: number): void {
    if (this.length + more <= this.#memory.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.length + more, this.#memory.length * 2));
    this.#memory.copy(larger, 0, 0, this.length);
    this.#memory = larger;
  }
}
