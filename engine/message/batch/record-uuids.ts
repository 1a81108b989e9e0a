import { hash } from 'node:crypto';
import type { TextValues } from './columns.ts';
import { markRandomUuid } from '../uuid.ts';

/** Place of records: who reads a record again finds it at the same place, and gives it the same UUID. */
export interface RecordPlaces {
  /** 16 random bytes that tell the contents of one file from those of all others. */
  readonly contents: Uint8Array;
  /** Position of the byte that `starts` count from; can be below 0. */
  readonly base: number;
  /** First byte of each record. */
  readonly starts: Uint32Array;
  readonly texts: TextValues;
}

/**
 * Makes UUIDs from a random number, the places of records and hashes of their texts. Within one file no two places get the same; between files they
 * differ as random ones do, and they have the form of these (version 4). The hash is there so that the same UUID means the same record, even if the
 * contents of a file were taken for others.
 */
export function recordUuids({ contents, base, starts, texts: { text, starts: from, ends: to } }: RecordPlaces): Uint8Array {
  const uuids = new Uint8Array(starts.length * 16);
  const view = new DataView(uuids.buffer);
  // A copy: a Buffer is a part of what others use, too.
  const own = markRandomUuid(Uint8Array.from(contents));
  const [a = 0, b = 0, c = 0, d = 0] = [0, 4, 8, 12].map((at) => new DataView(own.buffer).getUint32(at));
  for (let i = 0, at = 0; i < starts.length; i++, at += 16) {
    const place = base + (starts[i] as number);
    const low = place | 0;
    // 48 bits of the place in the first six bytes, which leaves the bits of the version alone.
    view.setUint32(at, a ^ ((Math.floor(place / 0x100000000) << 16) | (low >>> 16)));
    view.setUint32(at + 4, b ^ (low << 16));
    view.setUint32(at + 8, c);
    view.setUint32(at + 12, d ^ textHash(text, from[i] as number, to[i] as number));
  }
  return uuids;
}

/**
 * UUIDs of the messages that were made of records: the first one of a record gets that of the record, each further one a UUID of a hash of the record's and
 * its number, from 1 on.
 * @param origins the row of the record of each message, ascending; null: message i is of record i
 */
export function uuidsOfMade(records: Uint8Array, origins: Uint32Array | null): Uint8Array {
  if (origins === null) return records;
  const uuids = new Uint8Array(origins.length * 16);
  let last = -1;
  let number = 0;
  for (let i = 0; i < origins.length; i++) {
    const origin = origins[i] as number;
    number = origin === last ? number + 1 : 0;
    last = origin;
    const record = records.subarray(origin * 16, origin * 16 + 16);
    uuids.set(number === 0 ? record : namedUuid(record, String(number)), i * 16);
  }
  return uuids;
}

function namedUuid(namespace: Uint8Array, name: string): Uint8Array {
  const digest = hash('sha1', Buffer.concat([namespace, Buffer.from(name)]), 'buffer');
  return markRandomUuid(digest.subarray(0, 16));
}

/** Odd constants of MurmurHash2 and FNV-1a. */
const FACTOR = 0x5bd1e995;
const OTHER_FACTOR = 0x01000193;

/** A hash of 32 bits of the characters [start, end). Two that do not wait for each other take half the time. */
function textHash(text: string, start: number, end: number): number {
  let even = end - start;
  let odd = FACTOR;
  let i = start;
  for (; i + 4 <= end; i += 4) {
    even = Math.imul(even ^ (text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16)), FACTOR);
    odd = Math.imul(odd ^ (text.charCodeAt(i + 2) | (text.charCodeAt(i + 3) << 16)), OTHER_FACTOR);
    even ^= even >>> 15;
    odd ^= odd >>> 17;
  }
  for (; i < end; i++) even = Math.imul(even ^ text.charCodeAt(i), FACTOR) ^ (even >>> 15);
  const mixed = Math.imul(even ^ (odd << 7) ^ (odd >>> 25), FACTOR);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
