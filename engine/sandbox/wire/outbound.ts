import { headerNamed, type HeaderName, type OptionalHeader } from '../../api/headers.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { MessageBatch as Batch } from '../../message/batch/batch.ts';
import type { FieldColumn, TextValues } from '../../message/batch/columns.ts';
import { backingOf, type Text } from '../../message/latin-text.ts';
import { takeRows } from '../../message/batch/gather.ts';
import { ValueType } from '../../message/types.ts';
import {
  FIRST_FIELD,
  HEADER_NAMES,
  type ColumnPlace,
  type Delivery,
  type FieldInfo,
  type HeaderInfo,
  type ProcessHead,
} from '../contract/protocol.ts';
import { DeliveredTexts, LONG_TEXT, textPiece } from './texts.ts';
import type { TextPiece } from './scratch.ts';

/** A delivery ready to send: its head, and the bytes of block and texts. */
export interface Parcel<Head> {
  readonly head: Head;
  readonly block: readonly Uint8Array[];
  readonly texts: readonly TextPiece[];
}

const PADDING = new Uint8Array(8);

/** Collects the bytes of a batch's columns for one delivery. */
class Packer {
  readonly columns: ColumnPlace[] = [];
  readonly block: Uint8Array[] = [];
  readonly texts: { bytes: number; wide: boolean }[] = [];
  readonly textPieces: TextPiece[] = [];
  /** The texts that are in the isolate or in this delivery. */
  readonly #known: DeliveredTexts;
  #size = 0;

  constructor(known: DeliveredTexts) {
    this.#known = known;
  }

  array(array: ArrayBufferView): number {
    const at = this.#size;
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    const padding = -bytes.byteLength & 7;
    this.block.push(bytes);
    if (padding > 0) this.block.push(PADDING.subarray(0, padding));
    this.#size += bytes.byteLength + padding;
    return at;
  }

  text(text: Text): number {
    const known = this.#known.numberOf(text);
    if (known !== undefined) return known;
    const piece = textPiece(text);
    this.texts.push({ bytes: piece.byteLength, wide: piece.wide });
    this.textPieces.push(piece);
    return this.#known.add(text);
  }
}

const noPlace = { values: -1, rows: -1, offsets: -1, ends: -1, count: 0, text: -1, bytes: -1, bytesLength: 0 };

/**
 * Packs the rows of a batch that a sandbox works on: the known columns with the call, and those of further variables when the host requests them.
 * Keeps the delivered texts, because results refer to pieces of them by offsets.
 */
export class OutboundBatch {
  readonly #batch: MessageBatch;
  readonly #selection: Uint32Array | null;
  readonly #texts = new DeliveredTexts();
  readonly #delivered = new Set<number>();

  constructor(batch: MessageBatch, selection: Uint32Array | null) {
    this.#batch = batch;
    this.#selection = selection;
  }

  /** The delivered texts, by number. */
  get texts(): readonly Text[] {
    return this.#texts.all;
  }

  get length(): number {
    return this.#selection?.length ?? this.#batch.length;
  }

  /** Packs the head of the batch and the columns of these variables. */
  open(variables: Iterable<string>): Parcel<ProcessHead> {
    const packer = new Packer(this.#texts);
    for (const name of variables) this.#pack(name, packer);
    const headers = HEADER_NAMES.map((name) => this.#headerInfo(name));
    const fields = this.#batch.fields.map(({ name, representation, valueType }): FieldInfo => ({ name, representation, type: valueType }));
    return { ...this.#finish(packer, (delivery) => ({ length: this.length, headers, fields, delivery })) };
  }

  /** Packs the columns of one more variable. */
  deliver(variable: string): Parcel<Delivery> {
    const packer = new Packer(this.#texts);
    this.#pack(variable, packer);
    return this.#finish(packer, (delivery) => delivery);
  }

  #finish<Head>(packer: Packer, headOf: (delivery: Delivery) => Head): Parcel<Head> {
    return { head: headOf({ columns: packer.columns, texts: packer.texts }), block: packer.block, texts: packer.textPieces };
  }

  #headerInfo(name: HeaderName): HeaderInfo {
    if (name === 'Uuid' || name === 'Timestamp') return { column: true };
    const column = this.#batch[memberOf(name)];
    if (column === null) return null;
    return column.constant === undefined ? { column: true } : { constant: column.constant };
  }

  /** Packs the columns of a variable that were not delivered yet; `*`: all columns. */
  #pack(variable: string, packer: Packer): void {
    const field = /^Fields\[(.*)\]$/s.exec(variable)?.[1];
    for (const [id, name] of HEADER_NAMES.entries()) {
      if (variable === '*' || variable === name) this.#once(id, () => this.#packHeader(id, name, packer));
    }
    for (const [i, column] of this.#batch.fields.entries()) {
      const id = FIRST_FIELD + i;
      if (variable === '*' || column.name === field) this.#once(id, () => this.#packField(id, column, packer));
    }
  }

  #once(id: number, pack: () => void): void {
    if (this.#delivered.has(id)) return;
    this.#delivered.add(id);
    pack();
  }

  #packHeader(id: number, name: HeaderName, packer: Packer): void {
    if (name === 'Uuid') {
      const { uuids } = this.#view({ uuids: () => this.#batch.uuids });
      packer.columns.push({ ...noPlace, id, entries: this.length, count: this.length, values: packer.array(uuids) });
      return;
    }
    if (name === 'Timestamp') {
      const { timestamps } = this.#view({});
      packer.columns.push({ ...noPlace, id, entries: this.length, count: this.length, values: packer.array(timestamps) });
      return;
    }
    const key = memberOf(name);
    const column = this.#batch[key];
    if (column === null || column.constant !== undefined) return;
    const taken = this.#view({ [key]: column })[key];
    if (taken === null || taken.constant !== undefined) {
      packer.columns.push({ ...emptyColumn(packer), id });
      return;
    }
    const rows = taken.rows === null ? -1 : packer.array(taken.rows);
    if ('values' in taken) {
      const entries = taken.values.length;
      packer.columns.push({ ...noPlace, id, entries, count: entries, rows, values: packer.array(taken.values) });
    } else {
      const entries = taken.starts.length;
      packer.columns.push({ ...noPlace, id, entries, count: entries, rows, ...packPieces(taken, packer) });
    }
  }

  #packField(id: number, column: FieldColumn, packer: Packer): void {
    const taken = this.#view({ fields: [column] }).fields[0];
    if (taken === undefined) {
      packer.columns.push({ ...emptyColumn(packer), id });
      return;
    }
    const entries = taken.rows?.length ?? this.length;
    const rows = taken.rows === null ? -1 : packer.array(taken.rows);
    const offsets = taken.offsets === null ? -1 : packer.array(taken.offsets);
    const base = { ...noPlace, id, entries, rows, offsets };
    switch (taken.valueType) {
      case ValueType.STRING: {
        packer.columns.push({ ...base, count: taken.values.starts.length, ...packPieces(taken.values, packer) });
        break;
      }
      case ValueType.BYTES: {
        const { bytes, starts, ends } = taken.values;
        const pieces = { values: packer.array(starts), ends: packer.array(ends) };
        packer.columns.push({ ...base, count: starts.length, ...pieces, bytes: packer.array(bytes), bytesLength: bytes.length });
        break;
      }
      default:
        packer.columns.push({ ...base, count: taken.values.length, values: packer.array(taken.values) });
    }
  }

  /** The selected rows with only these columns. */
  #view(columns: Partial<ConstructorParameters<typeof Batch>[0]>): MessageBatch {
    const { length, timestamps } = this.#batch;
    const batch = new Batch({ length, timestamps, ...columns });
    return this.#selection === null ? batch : takeRows(batch, this.#selection);
  }
}

/** A column without entries. */
function emptyColumn(packer: Packer): Omit<ColumnPlace, 'id'> {
  const none = packer.array(PADDING);
  return { ...noPlace, entries: 0, rows: none, offsets: -1, values: none, ends: none, text: packer.text(''), bytes: none };
}

/** Smallest used share of a long text with which it is sent whole. */
const MIN_USED_SHARE = 0.25;

function packPieces(values: TextValues, packer: Packer): Pick<ColumnPlace, 'values' | 'ends' | 'text'> {
  const { starts, ends } = values;
  const text = backingOf(values);
  let used = 0;
  for (let i = 0; i < starts.length; i++) used += (ends[i] as number) - (starts[i] as number);
  if (text.length <= LONG_TEXT || used >= text.length * MIN_USED_SHARE) {
    return { values: packer.array(starts), ends: packer.array(ends), text: packer.text(text) };
  }
  let pieces = '';
  const newStarts = new Uint32Array(starts.length);
  const newEnds = new Uint32Array(starts.length);
  let at = 0;
  for (let i = 0; i < starts.length; i++) {
    pieces += text.slice(starts[i] as number, ends[i] as number);
    newStarts[i] = at;
    newEnds[i] = at += (ends[i] as number) - (starts[i] as number);
  }
  return { values: packer.array(newStarts), ends: packer.array(newEnds), text: packer.text(pieces) };
}

/** The member of batches for a header that has a column of its own. */
const memberOf = (name: HeaderName): OptionalHeader['member'] => (headerNamed(name) as OptionalHeader).member;
