import { Extension, type MsgpackValue } from '../../../../engine/inputs/fluent/msgpack.ts';

export type Plain = MsgpackValue;

/** A value as a sender encodes it: in the shortest form. */
export function encoded(value: Plain): Buffer {
  if (value === null) return Buffer.of(0xc0);
  if (typeof value === 'boolean') return Buffer.of(value ? 0xc3 : 0xc2);
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return integer(BigInt(value as number | bigint));
  if (typeof value === 'number') return withNumber(0xcb, 8, (bytes) => bytes.writeDoubleBE(value, 1));
  if (typeof value === 'string')
    return Buffer.concat([lengthOf(Buffer.byteLength(value), [0xa0, 32], 0xd9, 0xda, 0xdb), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([lengthOf(value.length, null, 0xc4, 0xc5, 0xc6), value]);
  if (value instanceof Extension) return Buffer.concat([Buffer.of(0xc7, value.bytes.length, value.type & 255), value.bytes]);
  if (Array.isArray(value)) return Buffer.concat([lengthOf(value.length, [0x90, 16], null, 0xdc, 0xdd), ...value.map(encoded)]);
  const members = [...value].flatMap(([key, member]) => [encoded(key), encoded(member)]);
  return Buffer.concat([lengthOf(value.size, [0x80, 16], null, 0xde, 0xdf), ...members]);
}

/** Seconds and nanoseconds as a time of the protocol. */
export function eventTime(seconds: number, nanoseconds: number): Extension {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32BE(seconds, 0);
  bytes.writeUInt32BE(nanoseconds, 4);
  return new Extension(0, bytes);
}

/** A record of members. */
export const record = (members: Readonly<Record<string, Plain>>): Map<string, Plain> => new Map(Object.entries(members));

function integer(value: bigint): Buffer {
  if (value >= 0n && value < 128n) return Buffer.of(Number(value));
  if (value < 0n && value >= -32n) return Buffer.of(Number(value + 256n));
  return value < 0n
    ? withNumber(0xd3, 8, (bytes) => bytes.writeBigInt64BE(value, 1))
    : withNumber(0xcf, 8, (bytes) => bytes.writeBigUInt64BE(value, 1));
}

function lengthOf(
  length: number,
  fix: readonly [first: number, count: number] | null,
  one: number | null,
  two: number,
  four: number,
): Buffer {
  if (fix !== null && length < fix[1]) return Buffer.of(fix[0] + length);
  if (one !== null && length < 256) return Buffer.of(one, length);
  if (length < 65_536) return withNumber(two, 2, (bytes) => bytes.writeUInt16BE(length, 1));
  return withNumber(four, 4, (bytes) => bytes.writeUInt32BE(length, 1));
}

function withNumber(kind: number, size: number, write: (bytes: Buffer) => unknown): Buffer {
  const bytes = Buffer.alloc(1 + size);
  bytes[0] = kind;
  write(bytes);
  return bytes;
}
