import { TEXTS } from '../../api/headers.ts';
import { MessageBatch } from '../../message/batch/batch.ts';
import { checkBatch } from '../../message/check.ts';
import { headerColumns, type FieldColumn, type IntColumn, type TextColumn } from '../../message/batch/columns.ts';
import { textHeader, textValues, type Text } from '../../message/latin-text.ts';
import { ValueType } from '../../message/types.ts';
import { readEnd } from '../contract/ends.ts';
import { ForgedResultError } from '../contract/errors.ts';
import type { Frame } from './frames.ts';
import { ARENA, type OutColumn, type OutField, type ResultHead } from '../contract/protocol.ts';

/** The parts of a result as the script's side describes them: checked, but not yet put together with the source. */
export interface ReceivedResult {
  readonly head: ResultHead;
  /** The injected messages; null when there are none. */
  readonly injected: MessageBatch | null;
  /** For each message, injected or passed, its row; null: message i is from row i. */
  readonly origins: Uint32Array | null;
  /** For each message its `Origin`; null: all as `head.origin`. */
  readonly kinds: Uint8Array | null;
  /** The injected messages that brought their own uuid; null: none did. */
  readonly ownUuids: Uint32Array | null;
}

/** A result as it came: its texts as bytes, or the text of its arena itself. */
type ResultFrame = Pick<Frame, 'head' | 'block'> & { readonly texts: Buffer | string };

/**
 * Reads a result. A script may have changed anything on its side of the isolate, so every length, position, row and type is checked; what is not as it
 * should be is a ForgedResultError.
 * @param rows how many rows the call had; 0 outside of process_message
 * @param texts the texts that pieces may be of
 */
export function readResult(frame: ResultFrame, rows: number, texts: readonly Text[]): ReceivedResult {
  try {
    return new ResultReader(frame, rows, texts).read();
  } catch (error) {
    if (error instanceof ForgedResultError) throw error;
    throw new ForgedResultError('the sandbox sent back what no sandbox sends', { cause: error });
  }
}

/** Reads a result of the engine's own code, whose columns are not checked one value after the other. */
export function readOwnResult(frame: ResultFrame, rows: number, texts: readonly Text[]): ReceivedResult {
  return new ResultReader(frame, rows, texts, true).read();
}

class ResultReader {
  readonly #isOwn: boolean;
  readonly #block: ArrayBuffer;
  readonly #head: ResultHead;
  readonly #frame: ResultFrame;
  #arenaText: string | null = null;
  readonly #rows: number;
  readonly #texts: readonly Text[];

  constructor(frame: ResultFrame, rows: number, texts: readonly Text[], isOwn = false) {
    this.#isOwn = isOwn;
    this.#block = frame.block;
    this.#head = JSON.parse(frame.head) as ResultHead;
    this.#frame = frame;
    this.#rows = rows;
    this.#texts = texts;
  }

  read(): ReceivedResult {
    const head = this.#head;
    const entries = count(head.injected) + count(head.passed);
    const origins = head.origins === -1 ? null : this.#words(head.origins, entries);
    if (origins === null && entries > 0 && entries !== this.#rows && this.#rows > 0) forged('it has no origins');
    if (origins !== null && this.#rows > 0) this.#checkOrigins(origins);
    const kinds = head.kinds === -1 ? null : this.#bytes(head.kinds, entries);
    this.#checkKinds(kinds);
    this.#checkTexts();
    const injected = head.injected === 0 ? null : this.#injected();
    const ownUuids = head.uuids === null ? null : this.#words(head.uuids.rows, head.uuids.count);
    return { head: { ...head, ended: this.#ended() }, injected, origins, kinds, ownUuids };
  }

  /** Texts that the script made: an encoder's output is read elsewhere. */
  #arena(): string {
    const { texts } = this.#frame;
    return (this.#arenaText ??= typeof texts === 'string' ? texts : texts.toString(this.#head.wide === true ? 'utf16le' : 'latin1'));
  }

  #checkOrigins(origins: Uint32Array): void {
    let previous = 0;
    for (const origin of origins) {
      if (origin < previous || origin >= this.#rows) forged('its messages are of rows that do not ascend');
      previous = origin;
    }
  }

  #checkKinds(kinds: Uint8Array | null): void {
    const { injected, passed, origin } = this.#head;
    if (kinds === null) {
      if ((origin === 0 && injected > 0) || (origin !== 0 && passed > 0)) forged('its messages are of another kind');
      return;
    }
    let passing = 0;
    for (const kind of kinds) {
      if (kind > 2) forged('it has a message of no kind');
      if (kind === 0) passing++;
    }
    if (passing !== passed) forged('its messages are of another kind');
  }

  #checkTexts(): void {
    const { failures, used, headers } = this.#head;
    if (!Array.isArray(failures) || !Array.isArray(used) || !Array.isArray(headers)) forged('its head is broken');
    let previous = -1;
    for (const [row, reason] of failures as ResultHead['failures']) {
      if (!Number.isInteger(row) || row <= previous || row >= this.#rows || typeof reason !== 'string') forged('its failures are broken');
      previous = row;
    }
    if (used.some((name) => typeof name !== 'string')) forged('its head is broken');
  }

  #ended(): ResultHead['ended'] {
    const { ended } = this.#head;
    if (ended === null) return null;
    const end = readEnd(ended);
    if (!Number.isInteger(ended.row)) forged('its end is broken');
    return { ...end, row: ended.row };
  }

  #injected(): MessageBatch {
    const { injected: length, headers, fields, timestamps, uuids } = this.#head;
    const batch = new MessageBatch({
      length,
      timestamps: new BigInt64Array(this.#block, this.#at(timestamps, length * 8), length),
      uuids: uuids === null ? null : this.#uuids(uuids, length),
      ...headerColumns(
        (_, i) => this.#textHeader(headers[i]),
        (_, i) => this.#intHeader(headers[TEXTS.length + i]),
      ),
      fields: fields.map((field) => this.#field(field)),
    });
    if (!this.#isOwn) checkBatch(batch);
    return batch;
  }

  /** The messages that brought none get random ones. */
  #uuids(given: NonNullable<ResultHead['uuids']>, length: number): Uint8Array {
    const rows = this.#words(given.rows, given.count);
    const bytes = this.#bytes(given.bytes, given.count * 16);
    if (given.count === length) return bytes;
    const all = new MessageBatch({ length, timestamps: new BigInt64Array(0) }).uuids;
    for (const [i, row] of rows.entries()) {
      if (row >= length) forged('it has a uuid of no message');
      all.set(bytes.subarray(i * 16, i * 16 + 16), row * 16);
    }
    return all;
  }

  #textHeader(header: ResultHead['headers'][number] | undefined): TextColumn | null {
    if (header === null || header === undefined) return null;
    if ('constant' in header) {
      if (typeof header.constant !== 'string') forged('a header is not text');
      return { constant: header.constant };
    }
    return textHeader(this.#rowsOf(header), ...this.#pieces(header));
  }

  #intHeader(header: ResultHead['headers'][number] | undefined): IntColumn | null {
    if (header === null || header === undefined) return null;
    if ('constant' in header) return forged('a header is not a number');
    const values = new Int32Array(this.#block, this.#at(header.values, header.count * 4), count(header.count));
    return { rows: this.#rowsOf(header), values };
  }

  #field(field: OutField): FieldColumn {
    const { name, representation } = field;
    if (typeof name !== 'string' || (representation !== null && typeof representation !== 'string')) forged('a field has no name');
    const offsets = field.offsets === -1 ? null : this.#words(field.offsets, count(field.entries) + 1);
    const base = { name, representation, rows: this.#rowsOf(field), offsets };
    const values = count(field.count);
    switch (field.type) {
      case ValueType.STRING:
        return { ...base, valueType: ValueType.STRING, values: textValues(...this.#pieces(field)) };
      case ValueType.BYTES: {
        const bytes = this.#bytes(field.bytes, field.bytesLength);
        const pieces = { starts: this.#words(field.values, values), ends: this.#words(field.ends, values) };
        return { ...base, valueType: ValueType.BYTES, values: { bytes, ...pieces } };
      }
      case ValueType.INTEGER:
        return {
          ...base,
          valueType: ValueType.INTEGER,
          values: new BigInt64Array(this.#block, this.#at(field.values, values * 8), values),
        };
      case ValueType.DOUBLE:
        return { ...base, valueType: ValueType.DOUBLE, values: new Float64Array(this.#block, this.#at(field.values, values * 8), values) };
      case ValueType.BOOL:
        return { ...base, valueType: ValueType.BOOL, values: this.#bytes(field.values, values) };
      default:
        return forged('a field is of no type');
    }
  }

  #rowsOf(column: OutColumn): Uint32Array | null {
    return column.rows === -1 ? null : this.#words(column.rows, column.entries);
  }

  #pieces(column: OutColumn): [text: Text, starts: Uint32Array, ends: Uint32Array] {
    const text = column.text === ARENA ? this.#arena() : this.#texts[column.text];
    if (text === undefined) return forged('a value is a piece of no text');
    return [text, this.#words(column.values, column.count), this.#words(column.ends, column.count)];
  }

  #words(at: number, length: number): Uint32Array {
    return new Uint32Array(this.#block, this.#at(at, length * 4), count(length));
  }

  #bytes(at: number, length: number): Uint8Array {
    return new Uint8Array(this.#block, this.#at(at, length), count(length));
  }

  #at(at: number, size: number): number {
    if (!Number.isInteger(at) || at < 0 || at + size > this.#block.byteLength) forged('a column lies outside of it');
    return at;
  }
}

function count(value: number): number {
  if (!Number.isInteger(value) || value < 0) forged('it has a count that is none');
  return value;
}

function forged(what: string): never {
  throw new ForgedResultError(`the result of the sandbox is forged: ${what}`);
}
