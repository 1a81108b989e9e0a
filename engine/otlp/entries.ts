import { parseExactly, isObject, type ExactJson, type ExactObject } from '../../plugins/modules/json.ts';
import { LOGS, METRICS, SPANS, type OtlpSignal } from '../../plugins/lib/otlp/otlp_signals.ts';
import { ProtoReader, WireType } from '../message/protobuf/proto-reader.ts';
import { readUtf8 } from '../message/utf8.ts';
import { metricParts } from './metric-parts.ts';
import { plainObject } from './plain.ts';
import { OtlpType } from './schema.ts';
import { originOf, type Origin } from './to-message.ts';

/** The items of one resource and scope, in the form of OTLP's JSON; null: one that is too large to be read. */
export interface Entry {
  readonly origin: Origin;
  readonly items: Iterable<ExactObject | null>;
}

/** A kind of request: what it exports. */
interface SignalShape extends OtlpSignal {
  readonly item: OtlpType<object>;
  /** Cuts an item that is too large to be read into such that are not; null: one that cannot be cut. */
  readonly parts: (item: Uint8Array, maxBytes: number) => Iterable<Uint8Array | null>;
}

const whole = (): Iterable<null> => [null];

export const SHAPES = {
  logs: { ...LOGS, item: new OtlpType<object>('LogRecord'), parts: whole },
  metrics: { ...METRICS, item: new OtlpType<object>('Metric'), parts: metricParts },
  traces: { ...SPANS, item: new OtlpType<object>('Span'), parts: whole },
} as const satisfies Readonly<Record<string, SignalShape>>;

const resourceType = new OtlpType<object>('Resource');
const scopeType = new OtlpType<object>('InstrumentationScope');

/** Bytes of an item in protobuf: an object in memory takes many times as much. */
const MAX_ITEM_BYTES = 1 << 20;

/**
 * The parts of a request in protobuf. Items are read one by one, for bytes that are cheap to send may make objects by the million.
 * @throws {Error} while it is walked, for bytes that are no such request
 */
export function* protobufEntries(body: Uint8Array, shape: SignalShape): Iterable<Entry> {
  for (const ofResource of embedded(body, 1)) {
    const resource = plainObject(resourceType.decode(checked(last(ofResource, 1))));
    const schemaUrl = textOf(last(ofResource, 3));
    for (const ofScope of embedded(ofResource, 2)) {
      const scope = plainObject(scopeType.decode(checked(last(ofScope, 1))));
      const origin = originOf({ resource, schemaUrl }, { scope, schemaUrl: textOf(last(ofScope, 3)) });
      yield { origin, items: protobufItems(ofScope, shape) };
    }
  }
}

function* protobufItems(ofScope: Uint8Array, { item, parts }: SignalShape): Iterable<ExactObject | null> {
  for (const bytes of embedded(ofScope, 2)) {
    if (bytes.length <= MAX_ITEM_BYTES) yield plainObject(item.decode(bytes));
    else for (const part of parts(bytes, MAX_ITEM_BYTES)) yield part === null ? null : plainObject(item.decode(part));
  }
}

/** The embedded messages of one number. */
function* embedded(bytes: Uint8Array, tag: number): Iterable<Uint8Array> {
  const reader = new ProtoReader(bytes, readUtf8);
  while (reader.next()) {
    if (reader.tag === tag && reader.wireType === WireType.LENGTH) yield reader.bytes();
    else reader.skip();
  }
}

/** Of a field that comes several times, the last one counts. */
function last(bytes: Uint8Array, tag: number): Uint8Array {
  let found: Uint8Array = new Uint8Array();
  for (const each of embedded(bytes, tag)) found = each;
  return found;
}

function checked(bytes: Uint8Array): Uint8Array {
  if (bytes.length > MAX_ITEM_BYTES) throw new RangeError(`a resource or scope of ${bytes.length} bytes`);
  return bytes;
}

const textOf = (bytes: Uint8Array): string => readUtf8(bytes, 0, bytes.length);

/**
 * The parts of a request in JSON.
 * @throws {Error} while it is walked, for text that is no such request
 */
export function* jsonEntries(text: string, { resources, scopes, items }: SignalShape): Iterable<Entry> {
  const request = parseExactly(text);
  if (request === null) throw new TypeError('no JSON object');
  for (const ofResource of listIn(request, [resources])) {
    for (const ofScope of listIn(ofResource, scopes)) yield { origin: originOf(ofResource, ofScope), items: listIn(ofScope, items) };
  }
}

/** The objects of the first of these members that is there. */
function* listIn(object: ExactObject, names: readonly string[]): Iterable<ExactObject> {
  const name = names.find((each) => object[each] !== undefined) ?? '';
  const list = object[name] ?? [];
  if (!Array.isArray(list)) throw new TypeError(`${name} is not a list`);
  for (const each of list as readonly ExactJson[]) {
    if (!isObject(each)) throw new TypeError('an object was expected');
    yield each;
  }
}
