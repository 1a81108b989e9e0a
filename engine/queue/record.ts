import { crc32 } from 'node:zlib';
import { findFrame } from '../message/protobuf/framing.ts';
import type { ClockKind } from '../message/types.ts';

/**
 * A record of a queue: a framed message, as in any stream of them, whose header also holds the message's path and a checksum.
 * Readers of streams skip these fields as unknown ones: 15, the path (`loop`, `injected` and `clock`), and 16, the
 * CRC-32 (as of gzip) of the header before it and the message. Framing of a stream: see `frame`; encoding of the header: protobuf.
 */

const RECORD_SEPARATOR = 0x1e;
const UNIT_SEPARATOR = 0x1f;
/** Keys of the header: field number << 3 | wire type. */
const LENGTH_KEY = 0x08;
const PATH_KEY = 0x78;
const CHECKSUM_KEY = 0x85;
const CHECKSUM_KEY_END = 0x01;
/** The key of the checksum and its value. */
const CHECKSUM_BYTES = 6;
/** In the path: the input of the message is on the clock of the messages. Loops never come near. */
const MESSAGE_CLOCK = 2 ** 24;
/** Largest message: a damaged length must not make a reader look for more bytes than this. */
export const MAX_MESSAGE_BYTES = 64 << 20;

/** The way by which a message came to the queue. */
export interface MessagePath {
  /** Number of times that it went around by being injected. */
  readonly loop: number;
  /** It comes from a filter or the service, not from an input. */
  readonly injected: boolean;
  /** The clock of its input; absent: it is injected, or not known. */
  readonly clock?: ClockKind | undefined;
}

export interface QueueRecord extends MessagePath {
  readonly message: Uint8Array;
  /** Position behind it. */
  readonly end: number;
}

/** A message as a record. */
export function encodeRecord(message: Uint8Array, { loop, injected, clock }: MessagePath): Uint8Array {
  let end = writeVarint(head, 1, message.length);
  head[end++] = PATH_KEY;
  end = writeVarint(head, end, loop * 2 + (injected ? 1 : 0) + (clock === 'message' ? MESSAGE_CLOCK : 0));
  const checksum = crc32(message, crc32(head.subarray(0, end)));
  head[end] = CHECKSUM_KEY;
  head[end + 1] = CHECKSUM_KEY_END;
  head.writeUInt32LE(checksum, end + 2);
  const length = end + CHECKSUM_BYTES;
  const record = Buffer.allocUnsafe(length + 3 + message.length);
  record[0] = RECORD_SEPARATOR;
  record[1] = length;
  for (let i = 0; i < length; i++) record[2 + i] = head[i] as number;
  record[2 + length] = UNIT_SEPARATOR;
  record.set(message, 3 + length);
  return record;
}

/** The header of the record that is being written. */
const head = Buffer.alloc(64);
head[0] = LENGTH_KEY;

/** The result of a search in a piece of a segment. */
export type FoundRecord =
  | { readonly record: QueueRecord; readonly start: number }
  /** There is no whole record up to the end of the piece; one may begin at `start`. */
  | { readonly record: null; readonly start: number };

/**
 * Searches a piece of a segment from `from` on for the next intact record: damaged bytes are skipped, one separator at a
 * time, so that the next record is found wherever it begins.
 * @param final there is nothing behind this piece
 */
export function findRecord(bytes: Uint8Array, from: number, final: boolean): FoundRecord {
  let at = from;
  for (;;) {
    const found = findFrame(bytes, at, final, MAX_MESSAGE_BYTES);
    if (found.record === null) return { record: null, start: found.at };
    const { message, headerBytes } = found.record;
    const path = pathOf(bytes.subarray(found.start + 2, found.start + headerBytes - 1), message);
    if (path !== null) return { record: { message, ...path, end: found.at }, start: found.start };
    at = found.start + 1;
  }
}

/** Reads the path in the header; null: the header is not that of this message. Records without a checksum count as coming from an input. */
function pathOf(header: Uint8Array, message: Uint8Array): MessagePath | null {
  const at = header.length - CHECKSUM_BYTES;
  if (at < 0 || header[at] !== CHECKSUM_KEY || header[at + 1] !== CHECKSUM_KEY_END) return { loop: 0, injected: false };
  const checksum = new DataView(header.buffer, header.byteOffset + at + 2, 4).getUint32(0, true);
  if (checksum !== checksumOf(header.subarray(0, at), message)) return null;
  const length = varintAt(header, 1);
  if (header[0] !== LENGTH_KEY || header[length.end] !== PATH_KEY) return { loop: 0, injected: false };
  const { value } = varintAt(header, length.end + 1);
  const loop = Math.floor((value % MESSAGE_CLOCK) / 2);
  return { loop, injected: (value & 1) === 1, clock: value >= MESSAGE_CLOCK ? 'message' : undefined };
}

const checksumOf = (header: Uint8Array, message: Uint8Array): number => crc32(message, crc32(header));

/** Returns the place behind it. */
function writeVarint(bytes: Uint8Array, from: number, value: number): number {
  let at = from;
  let left = value;
  for (; left > 127; left = Math.floor(left / 128)) bytes[at++] = (left % 128) | 128;
  bytes[at++] = left;
  return at;
}

function varintAt(bytes: Uint8Array, from: number): { readonly value: number; readonly end: number } {
  let value = 0;
  let at = from;
  for (let scale = 1; at < bytes.length; scale *= 128) {
    const byte = bytes[at++] as number;
    value += (byte & 127) * scale;
    if (byte < 128) break;
  }
  return { value, end: at };
}
