import fc from 'fast-check';
import { MessageBatch } from '../../../engine/message/batch/batch.ts';
import type { FieldColumn, IntColumn, TextColumn, TextValues } from '../../../engine/message/batch/columns.ts';
import { ValueType, type Field, type Message } from '../../../engine/message/types.ts';

/** The bytes of a UUID in its usual form. */
export function uuid(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text.replaceAll('-', ''), 'hex'));
}

/** Texts that stand with gaps in one backing string, as values cut from raw input do. */
function textValues(values: readonly string[], gap = '·'): TextValues {
  let text = gap;
  const starts = new Uint32Array(values.length);
  const ends = new Uint32Array(values.length);
  values.forEach((value, i) => {
    starts[i] = text.length;
    text += value;
    ends[i] = text.length;
    text += gap;
  });
  return { text, starts, ends };
}

function entries<T>(values: readonly (T | undefined)[]): { rows: Uint32Array | null; set: T[] } {
  const rows = Uint32Array.from(values.keys()).filter((row) => values[row] !== undefined);
  const set = values.filter((value) => value !== undefined);
  return { rows: rows.length === values.length ? null : rows, set };
}

function textColumn(values: readonly (string | undefined)[], gap?: string): TextColumn | null {
  const { rows, set } = entries(values);
  if (set.length === 0) return null;
  if (rows === null && new Set(set).size === 1) return { constant: set[0] as string };
  return { rows, ...textValues(set, gap) };
}

function intColumn(values: readonly (number | undefined)[]): IntColumn | null {
  const { rows, set } = entries(values);
  if (set.length === 0) return null;
  if (rows === null && new Set(set).size === 1) return { constant: set[0] as number };
  return { rows, values: Int32Array.from(set) };
}

/** A batch that holds exactly these messages. Columns are filled as a writer would: each field goes to the first column that fits and is free. */
export function batchOf(messages: readonly Message[], gap?: string): MessageBatch {
  return new MessageBatch({
    length: messages.length,
    timestamps: BigInt64Array.from(messages, (message) => message.timestamp),
    uuids: Uint8Array.from(messages.flatMap((message) => [...message.uuid])),
    type: textColumn(
      messages.map((message) => message.type),
      gap,
    ),
    logger: textColumn(
      messages.map((message) => message.logger),
      gap,
    ),
    payload: textColumn(
      messages.map((message) => message.payload),
      gap,
    ),
    envVersion: textColumn(
      messages.map((message) => message.envVersion),
      gap,
    ),
    hostname: textColumn(
      messages.map((message) => message.hostname),
      gap,
    ),
    severity: intColumn(messages.map((message) => message.severity)),
    pid: intColumn(messages.map((message) => message.pid)),
    fields: fieldColumns(messages),
  });
}

type Slot = { name: string; valueType: ValueType; cells: Map<number, Field> };

function fieldColumns(messages: readonly Message[]): FieldColumn[] {
  const slots: Slot[] = [];
  messages.forEach((message, row) => {
    let from = 0;
    for (const field of message.fields) {
      const fits = (slot: Slot, i: number): boolean => i >= from && slot.name === field.name && slot.valueType === field.valueType;
      let found = slots.findIndex(fits);
      if (found < 0) found = slots.push({ name: field.name, valueType: field.valueType, cells: new Map() }) - 1;
      slots[found]?.cells.set(row, field);
      from = found + 1;
    }
  });
  return slots.map((slot) => fieldColumn(slot, messages.length));
}

function fieldColumn({ name, valueType, cells }: Slot, length: number): FieldColumn {
  const fields = [...cells.values()];
  const single = fields.every((field) => field.values.length === 1);
  const offsets = single
    ? null
    : Uint32Array.from([
        0,
        ...fields.map(
          (
            (sum) => (field) =>
              (sum += field.values.length)
          )(0),
        ),
      ]);
  const base = { name, representation: null, offsets, rows: fields.length === length ? null : Uint32Array.from(cells.keys()) };
  const all = fields.flatMap((field) => [...(field.values as readonly unknown[])]);
  switch (valueType) {
    case ValueType.STRING:
      return { ...base, valueType, values: textValues(all as string[]) };
    case ValueType.BYTES: {
      const parts = all as Uint8Array[];
      const ends = Uint32Array.from(
        parts.map(
          (
            (sum) => (part) =>
              (sum += part.length)
          )(0),
        ),
      );
      const starts = ends.map((end, i) => end - (parts[i] as Uint8Array).length);
      return { ...base, valueType, values: { bytes: Uint8Array.from(parts.flatMap((part) => [...part])), starts, ends } };
    }
    case ValueType.INTEGER:
      return { ...base, valueType, values: BigInt64Array.from(all as bigint[]) };
    case ValueType.DOUBLE:
      return { ...base, valueType, values: Float64Array.from(all as number[]) };
    case ValueType.BOOL:
      return { ...base, valueType, values: Uint8Array.from(all as boolean[], Number) };
  }
}

/** Few different texts, so that tests hit: also the empty one, and characters whose UTF-16 and UTF-8 orders differ. */
const anyText = fc.oneof(
  fc.constantFrom('', 'a', 'ab', 'abc', 'b', 'web.access', '\uffee', '\u{1f600}', '\u{1f600}x', 'line\nline', 'é', "it's"),
  fc.string({ unit: fc.constantFrom('a', 'b', '.', ' ', '\u{10000}', '\ue000'), maxLength: 4 }),
);
const int64 = fc.oneof(fc.bigInt({ min: -5n, max: 5n }), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }));
const double = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double());
const fieldName = fc.constantFrom('n', 'm', 'a b');
const few = { maxLength: 3 };

const anyField: fc.Arbitrary<Field> = fc.oneof(
  fc.record({ name: fieldName, valueType: fc.constant(ValueType.STRING), values: fc.array(anyText, few) }),
  fc.record({
    name: fieldName,
    valueType: fc.constant(ValueType.BYTES),
    values: fc.array(
      anyText.map(Buffer.from).map((bytes) => Uint8Array.from(bytes)),
      few,
    ),
  }),
  fc.record({ name: fieldName, valueType: fc.constant(ValueType.INTEGER), values: fc.array(int64, few) }),
  fc.record({ name: fieldName, valueType: fc.constant(ValueType.DOUBLE), values: fc.array(double, few) }),
  fc.record({ name: fieldName, valueType: fc.constant(ValueType.BOOL), values: fc.array(fc.boolean(), few) }),
);
/** Most fields of real messages are single texts and numbers. */
const plainField: fc.Arbitrary<Field> = fc.oneof(
  fc.record({ name: fieldName, valueType: fc.constant(ValueType.STRING), values: fc.tuple(anyText) }),
  fc.record({ name: fieldName, valueType: fc.constant(ValueType.INTEGER), values: fc.tuple(int64) }),
);

const anyMessage: fc.Arbitrary<Message> = fc.record(
  {
    uuid: fc.uint8Array({ minLength: 16, maxLength: 16 }),
    timestamp: int64,
    type: anyText,
    logger: anyText,
    severity: fc.integer({ min: 0, max: 7 }),
    payload: anyText,
    envVersion: fc.constantFrom('', '1'),
    pid: fc.integer({ min: -2, max: 2 }),
    hostname: fc.constant('edge1'),
    fields: fc.array(fc.oneof(anyField, plainField, plainField), { maxLength: 4 }),
  },
  { requiredKeys: ['uuid', 'timestamp', 'fields'] },
);

/** Batches in which headers are more often constant and columns more often dense than chance would have it. */
export const anyMessages: fc.Arbitrary<Message[]> = fc.oneof(
  fc.array(anyMessage, { maxLength: 12 }),
  fc.tuple(anyMessage, fc.array(anyMessage, { minLength: 1, maxLength: 8 })).map(([like, all]) =>
    all.map((message) => ({
      ...message,
      ...(like.type === undefined ? {} : { type: like.type }),
      ...(like.severity === undefined ? {} : { severity: like.severity }),
    })),
  ),
);

const relation = fc.constantFrom('==', '!=', '>', '>=', '<', '<=');
const quoted = anyText.map((text) => `"${text.replaceAll('"', '\\"')}"`);
const number = fc.constantFrom('0', '1', '2.5', '7', '6', '1e3', '.5', '9223372036854775807', '4611686018427387905');
const pattern = fc.constantFrom(
  '/a/',
  '/^a/',
  '/a$/',
  '/^ab$/',
  '/^/',
  '/a|b/',
  '/^.$/',
  '/(?i)WEB/',
  '/a.*b/',
  '/[^a]/',
  '/\\bline\\b/',
  '/\\x{1F600}/',
  '/(?m)^line$/',
);
const matching = fc.constantFrom('=~', '!~');
const field = fc
  .tuple(fieldName, fc.constantFrom('', '[0]', '[1]', '[2]', '[0][1]', '[1][1]', '[0][2]'))
  .map(([name, index]) => `Fields[${name}]${index}`);
const textHeader = fc.constantFrom('Uuid', 'Type', 'Logger', 'Payload', 'EnvVersion', 'Hostname');
const numberHeader = fc.constantFrom('Timestamp', 'Severity', 'Pid');
const join = (parts: readonly string[]): string => parts.join(' ');

const test = fc.oneof(
  fc.constantFrom('TRUE', 'FALSE'),
  fc.tuple(textHeader, relation, quoted).map(join),
  fc.tuple(textHeader, matching, pattern).map(join),
  fc.tuple(numberHeader, relation, number).map(join),
  fc.tuple(field, relation, fc.oneof(quoted, number)).map(join),
  fc.tuple(field, matching, pattern).map(join),
  fc.tuple(fc.constant('*'), matching, pattern).map(join),
  fc.tuple(field, fc.constant('=='), fc.constantFrom('TRUE', 'FALSE')).map(join),
  fc.tuple(field, fc.constantFrom('==', '!='), fc.constant('NIL')).map(join),
);

/** Valid expressions over the names and values of `anyMessage`. */
export const anyExpression: fc.Arbitrary<string> = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    test,
    fc.tuple(tie('node'), fc.constantFrom(' && ', '&&', ' || ', '||'), tie('node')).map((parts) => parts.join('')),
    tie('node').map((inner) => `(${inner})`),
  ),
})).node;
