import type { ExactJson, ExactObject } from '../../plugins/modules/json.ts';
import { bigintOf, type Int64 } from './types.ts';

/** Bytes under these names are written in hexadecimal in OTLP's JSON, all others in Base64. */
const IDS: ReadonlySet<string> = new Set(['traceId', 'spanId', 'parentSpanId']);

/** A message that was read from protobuf, in the form of OTLP's JSON; integers of 64 bits are BigInts. */
export function plainObject(message: object): ExactObject {
  const plain: Record<string, ExactJson> = {};
  for (const key of Object.keys(message)) plain[key] = plainValue(key, (message as Readonly<Record<string, unknown>>)[key]);
  return plain;
}

function plainValue(key: string, value: unknown): ExactJson {
  if (typeof value !== 'object' || value === null) return value as ExactJson;
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.length).toString(IDS.has(key) ? 'hex' : 'base64');
  if (Array.isArray(value)) return value.map((item) => plainValue(key, item));
  return 'low' in value ? bigintOf(value as Int64) : plainObject(value);
}
