import { fieldOf, readMessage } from './message-reader.ts';
import { writeMessage, type WriterRules } from './message-writer.ts';
import { MessageDecodeError, ProtoReader } from './proto-reader.ts';
import { ProtoWriter } from './proto-writer.ts';
import type { Field, Message } from './types.ts';
import { writeUtf8 } from './utf8.ts';

/**
 * The message format (schema/message.proto) as the service reads and writes it. Written by hand: it is several times faster than
 * the generated code, which goes through Long objects for every int64; the tests hold it against that code.
 */

export { MessageDecodeError } from './proto-reader.ts';

const SERVICE_RULES: WriterRules = { stringType: true, alwaysPacked: true };

/** Up to this many code units a text is written by a loop; beyond, the call into Node's encoder pays. */
const SHORT = 12;

const SLAB = 65_536;

const writer = new ProtoWriter(
  { write: (text, target, at) => (text.length <= SHORT ? writeUtf8(text, target, at) : at + bufferOf(target).write(text, at)) },
  SLAB,
);

let lastBuffer: Buffer = Buffer.alloc(0);

/** The same memory as a Buffer. Made anew only when the writer's memory has grown. */
function bufferOf(bytes: Uint8Array): Buffer {
  if (lastBuffer.buffer !== bytes.buffer) lastBuffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return lastBuffer;
}

/**
 * A message as the service writes it: the value type is always written, numbers and bools are always packed, and a
 * representation is written also when it is empty. An absent representation is not written, so that what was
 * decoded is encoded again as it was; whoever makes fields in the service gives them a representation, mostly ''.
 */
export function encodeMessage(message: Message): Uint8Array {
  writer.reset();
  writeMessage(writer, message, SERVICE_RULES);
  return writer.finish();
}

/**
 * The message that these bytes hold. Fields that the schema does not have are skipped; packed and unpacked lists are read alike, also
 * mixed. A missing uuid, timestamp or field name, a uuid of another length than 16, and anything cut off is a
 * MessageDecodeError. The message shares no memory with the bytes.
 */
export function decodeMessage(bytes: Uint8Array): Message {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const fields: Field[] = [];
  const wire = readMessage(new ProtoReader(buffer, readText), 'skip', (field) => fields.push(fieldOf(field)));
  if (wire.uuid === undefined) throw new MessageDecodeError('no uuid (tag 1)', 0, 0, bytes.length);
  if (wire.timestamp === undefined) throw new MessageDecodeError('no timestamp (tag 2)', 0, 0, bytes.length);
  const message: { -readonly [K in keyof Message]: Message[K] } = { uuid: wire.uuid, timestamp: wire.timestamp, fields };
  if (wire.type !== undefined) message.type = wire.type;
  if (wire.logger !== undefined) message.logger = wire.logger;
  if (wire.severity !== undefined) message.severity = wire.severity;
  if (wire.payload !== undefined) message.payload = wire.payload;
  if (wire.envVersion !== undefined) message.envVersion = wire.envVersion;
  if (wire.pid !== undefined) message.pid = wire.pid;
  if (wire.hostname !== undefined) message.hostname = wire.hostname;
  return message;
}

/** Texts up to this many bytes are looked for among those read before: names and hosts come again and again. */
const CACHED_BYTES = 32;
const cache: string[] = new Array<string>(1024).fill('');

function readText(bytes: Uint8Array, start: number, end: number): string {
  const length = end - start;
  if (length === 0) return '';
  if (length > CACHED_BYTES) return (bytes as Buffer).toString('utf8', start, end);
  let hash = length;
  for (let i = start; i < end; i++) hash = (Math.imul(hash, 31) + (bytes[i] as number)) | 0;
  const slot = (hash ^ (hash >>> 10)) & 1023;
  const cached = cache[slot] as string;
  if (cached.length === length && sameAscii(cached, bytes, start)) return cached;
  const text = (bytes as Buffer).toString('utf8', start, end);
  if (text.length === length) cache[slot] = text;
  return text;
}

/** Only a text of ASCII has as many code units as bytes, apart from replaced ones, which never equal a byte. */
function sameAscii(text: string, bytes: Uint8Array, start: number): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== bytes[start + i]) return false;
  return true;
}
