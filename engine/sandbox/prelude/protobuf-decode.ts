import { BOOL, BYTES, DOUBLE, INTEGER, STRING, newRowMessage, type RowField, type RowMessage } from './row-message.ts';
import { readUtf8 } from './utf8.ts';

/** A decoded message; `typed` says for each field whether its value_type was on the wire. */
export interface Decoded {
  readonly message: RowMessage;
  readonly typed: boolean[];
}

const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;

/** Bytes below which nothing can be a message: its uuid and a timestamp. */
const MIN_BYTES = 20;

/** Reads an unframed message. Throws an error that names tag, wire type and byte offset. */
export function decodeBytes(bytes: Uint8Array, caller: string): Decoded {
  if (bytes.length < MIN_BYTES) throw new RangeError(`${caller}: a message has at least ${MIN_BYTES} bytes, not ${bytes.length}`);
  const reader = new Reader(bytes, 0, bytes.length, caller);
  const message = newRowMessage(0n);
  const typed: boolean[] = [];
  let timed = false;
  while (!reader.done()) {
    reader.readTag();
    switch (reader.tag) {
      case 1:
        message.uuid = reader.uuid();
        break;
      case 2:
        message.timestamp = reader.int64();
        timed = true;
        break;
      case 3:
        message.type = reader.text();
        break;
      case 4:
        message.logger = reader.text();
        break;
      case 5:
        message.severity = reader.int32();
        break;
      case 6:
        message.payload = reader.text();
        break;
      case 7:
        message.envVersion = reader.text();
        break;
      case 8:
        message.pid = reader.int32();
        break;
      case 9:
        message.hostname = reader.text();
        break;
      case 10:
        readField(reader.nested(), message.fields, typed);
        break;
      default:
        reader.fail('unknown tag');
    }
  }
  if (message.uuid === null) throw new RangeError(`${caller}: the message has no uuid`);
  if (!timed) throw new RangeError(`${caller}: the message has no timestamp`);
  return { message, typed };
}

function readField(reader: Reader, fields: RowField[], typed: boolean[]): void {
  let name: string | null = null;
  let type = -1;
  const field: RowField = { name: '', representation: null, type: STRING, values: [] };
  const stores: RowField['values'][] = [[], [], [], [], []];
  while (!reader.done()) {
    reader.readTag();
    switch (reader.tag) {
      case 1:
        name = reader.text();
        break;
      case 2:
        type = reader.int32();
        if (type < STRING || type > BOOL) reader.fail(`unknown value type ${type}`);
        break;
      case 3:
        field.representation = reader.text();
        break;
      case 4:
        stores[STRING]?.push(reader.text());
        break;
      case 5:
        stores[BYTES]?.push(reader.bytesValue());
        break;
      case 6:
        reader.numbers(VARINT, stores[INTEGER] as bigint[], readInt64);
        break;
      case 7:
        reader.numbers(FIXED64, stores[DOUBLE] as number[], readDouble);
        break;
      case 8:
        reader.numbers(VARINT, stores[BOOL] as number[], readBool);
        break;
      default:
        reader.fail('unknown tag');
    }
  }
  if (name === null) throw new RangeError(`${reader.caller}: a field without name before byte ${reader.at}`);
  field.name = name;
  field.type = type < 0 ? STRING : type;
  field.values = stores[field.type] as RowField['values'];
  fields.push(field);
  typed.push(type >= 0);
}

const readInt64 = (reader: Reader): bigint => BigInt.asIntN(64, reader.varint());
const readBool = (reader: Reader): number => (reader.varint() === 0n ? 0 : 1);
const readDouble = (reader: Reader): number => reader.double();

const doubleBytes = new Uint8Array(8);
const doubleValue = new Float64Array(doubleBytes.buffer);

class Reader {
  readonly bytes: Uint8Array;
  readonly end: number;
  readonly caller: string;
  at: number;
  tag = 0;
  wireType = 0;

  constructor(bytes: Uint8Array, at: number, end: number, caller: string) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
    this.caller = caller;
  }

  done(): boolean {
    return this.at >= this.end;
  }

  fail(what: string): never {
    throw new RangeError(`${this.caller}: ${what} (tag ${this.tag}, wire type ${this.wireType}, byte ${this.at})`);
  }

  readTag(): void {
    const key = this.varint();
    this.tag = Number(key >> 3n);
    this.wireType = Number(key & 7n);
  }

  expect(wireType: number): void {
    if (this.wireType !== wireType) this.fail('wrong wire type');
  }

  varint(): bigint {
    let value = 0n;
    for (let i = 0; i < 10; i++) {
      if (this.at >= this.end) this.fail('truncated number');
      const byte = this.bytes[this.at++] as number;
      value |= BigInt(byte & 127) << BigInt(i * 7);
      if (byte < 128) return BigInt.asUintN(64, value);
    }
    return this.fail('a number of more than 10 bytes');
  }

  int64(): bigint {
    this.expect(VARINT);
    return readInt64(this);
  }

  int32(): number {
    this.expect(VARINT);
    return Number(BigInt.asIntN(32, this.varint()));
  }

  /** The length of a value, checked. */
  size(): number {
    this.expect(LENGTH);
    const size = this.varint();
    if (size > BigInt(this.end - this.at)) this.fail('truncated length');
    return Number(size);
  }

  bytesValue(): Uint8Array {
    const size = this.size();
    const value = new Uint8Array(size);
    for (let i = 0; i < size; i++) value[i] = this.bytes[this.at++] as number;
    return value;
  }

  uuid(): Uint8Array {
    const value = this.bytesValue();
    if (value.length !== 16) this.fail('the uuid is not 16 bytes');
    return value;
  }

  text(): string {
    const size = this.size();
    this.at += size;
    return readUtf8(this.bytes, this.at - size, this.at);
  }

  nested(): Reader {
    const size = this.size();
    this.at += size;
    return new Reader(this.bytes, this.at - size, this.at, this.caller);
  }

  double(): number {
    if (this.at + 8 > this.end) this.fail('truncated double');
    for (let i = 0; i < 8; i++) doubleBytes[i] = this.bytes[this.at++] as number;
    return doubleValue[0] as number;
  }

  /** Values of a repeated field, packed or not. */
  numbers<T>(wireType: number, into: T[], read: (reader: Reader) => T): void {
    if (this.wireType === LENGTH) {
      const packed = this.nested();
      packed.tag = this.tag;
      while (!packed.done()) into.push(read(packed));
    } else {
      this.expect(wireType);
      into.push(read(this));
    }
  }
}
