import { ProtoReader, WireType } from '../message/protobuf/proto-reader.ts';
import { readUtf8 } from '../message/utf8.ts';
import { MAX_VARINT_BYTES, writeVarint } from '../message/protobuf/varint.ts';

/** Numbers of the fields of a metric: its name, description and unit, and its points of one kind or another. */
const HEAD: ReadonlySet<number> = new Set([1, 2, 3]);
const DATA: ReadonlySet<number> = new Set([5, 7, 9, 10, 11]);
/** Numbers of the fields within the points of a kind: a point, the temporality, and whether a sum only grows. */
const POINT = 1;
const KIND: ReadonlySet<number> = new Set([2, 3]);

/**
 * Cuts a metric in protobuf into several ones with some of its points each: one that collectors send may have thousands.
 * @param maxBytes of each
 * @returns null for each point that is larger by itself
 * @throws {Error} while it is walked, for bytes that are no metric
 */
export function* metricParts(metric: Uint8Array, maxBytes: number): Iterable<Uint8Array | null> {
  const data = rawFields(metric, DATA).at(-1);
  if (data === undefined) return;
  const content = contentOf(data.raw);
  const head = rawFields(metric, HEAD).map(({ raw }) => raw);
  const kind = rawFields(content, KIND).map(({ raw }) => raw);
  const points = Buffer.alloc(Math.max(0, maxBytes - lengthOf(head) - lengthOf(kind) - 1 - MAX_VARINT_BYTES));
  let length = 0;
  const part = (): Uint8Array => Buffer.concat([...head, keyOf(data.tag, lengthOf(kind) + length), ...kind, points.subarray(0, length)]);
  for (const { tag, wireType, raw } of eachField(content)) {
    if (tag !== POINT || wireType !== WireType.LENGTH) continue;
    if (raw.length > points.length) {
      yield null;
      continue;
    }
    if (length + raw.length > points.length) {
      yield part();
      length = 0;
    }
    points.set(raw, length);
    length += raw.length;
  }
  if (length > 0) yield part();
}

interface RawField {
  readonly tag: number;
  readonly wireType: number;
  /** With its key. */
  readonly raw: Uint8Array;
}

function* eachField(bytes: Uint8Array): Iterable<RawField> {
  const reader = new ProtoReader(bytes, readUtf8);
  while (reader.next()) {
    const { tag, wireType, tagOffset } = reader;
    reader.skip();
    yield { tag, wireType, raw: bytes.subarray(tagOffset, reader.offset) };
  }
}

/** The last field of each of these numbers, in the order in which they come. */
function rawFields(bytes: Uint8Array, tags: ReadonlySet<number>): RawField[] {
  const found = new Map<number, RawField>();
  for (const field of eachField(bytes)) {
    if (!tags.has(field.tag)) continue;
    found.delete(field.tag);
    found.set(field.tag, field);
  }
  return [...found.values()];
}

function contentOf(raw: Uint8Array): Uint8Array {
  const reader = new ProtoReader(raw, readUtf8);
  reader.next();
  if (reader.wireType !== WireType.LENGTH) throw reader.error('points of another type');
  return reader.bytes();
}

/** Key of an embedded message with its length. */
function keyOf(tag: number, length: number): Uint8Array {
  const bytes = new Uint8Array(1 + MAX_VARINT_BYTES);
  bytes[0] = (tag << 3) | WireType.LENGTH;
  return bytes.subarray(0, writeVarint(bytes, 1, length, 0));
}

const lengthOf = (fields: readonly Uint8Array[]): number => fields.reduce((sum, { length }) => sum + length, 0);
