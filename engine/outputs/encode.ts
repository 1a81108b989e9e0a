import type { End } from '../api/ends.ts';
import { headersInPlace, type Header } from '../api/headers.ts';
import { printable, printableJson, printableLines } from '../api/printable.ts';
import { endOf } from '../sandbox/contract/errors.ts';
import type { Failure, Processor } from '../sandbox/contract/types.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import { encodeJsonLines } from '../message/json/json-encode.ts';
import { JsonSink } from '../message/json/json-sink.ts';
import type { PackedPieces } from '../message/batch/packed.ts';
import { messagesOf } from '../message/batch/row-index.ts';
import { formatTimestamp } from '../message/timestamp.ts';
import { ValueType, type Field, type Message } from '../message/types.ts';
import { typeFacts } from '../message/value-types.ts';
import { formatUuid } from '../message/uuid.ts';

/** The encoders that need no script. */
export const FORMS = ['json', 'protobuf', 'text'] as const;
export type Form = (typeof FORMS)[number];

/** Turns rows of a batch (null: all) into pieces to be written one behind the other, one a message. */
export type BatchEncoder = (batch: MessageBatch, rows: Uint32Array | null) => Iterable<string | Uint8Array>;

/** The pieces of a batch, and the row that each was made of. */
export interface EncodedPieces {
  readonly pieces: PackedPieces | readonly Uint8Array[];
  readonly rows: Uint32Array;
}

/** Output made of rows of a batch: the row of each piece, and the messages that were refused. */
export interface EncodedRows {
  readonly pieces: PackedPieces;
  readonly rows: Uint32Array;
  readonly failures: readonly Failure[];
}

/** Encodes rows (ascending; null: all) of a batch. */
export type RowsEncoder = (batch: MessageBatch, rows: Uint32Array | null) => EncodedRows;

/** The same, also by a script, which answers later and may have no piece for a message. */
export type AnyBatchEncoder = (
  batch: MessageBatch,
  rows: Uint32Array | null,
) => Iterable<string | Uint8Array> | Promise<Iterable<string | Uint8Array> | EncodedPieces>;

export interface EncoderOptions {
  /** Puts the stream framing before each message; by default only for protobuf. */
  readonly framing?: boolean | undefined;
  /** Largest message that is framed, in bytes. */
  readonly maxMessageSize?: number | undefined;
  /** The next call may use the memory of the pieces again: for a caller that has written them before. */
  readonly transient?: boolean;
  /** Called for a message that cannot be encoded; it is left out. */
  readonly onError?: (reason: string) => void;
}

/** One of the encoders that need no script. */
export async function builtInEncoder(form: Form, options: EncoderOptions = {}): Promise<BatchEncoder> {
  const framing = options.framing ?? form === 'protobuf';
  if (form === 'protobuf') return protobufBytes(framing, options);
  const sink = options.transient === true ? new JsonSink() : undefined;
  const plain: BatchEncoder = form === 'json' ? (batch, rows) => encodeJsonLines(batch, rows, sink) : textBlocks;
  return framing ? framed(plain, options) : plain;
}

/** The script of an encoder has ended. What it had encoded before is to be written; the other messages are not refused, but still to be encoded. */
export class EncoderEndedError extends Error {
  override readonly name = 'EncoderEndedError';
  readonly end: End;
  readonly pieces: EncodedPieces['pieces'];
  /** Number of the selected messages, from the first on, that were encoded or refused. */
  readonly done: number;

  constructor(end: End, pieces: EncodedPieces['pieces'], done: number) {
    super(`its encoder has ended: ${end.reason}`);
    this.end = end;
    this.pieces = pieces;
    this.done = done;
  }
}

/**
 * Encodes by a script, without framing by default. Messages that it refuses are left out and reported; when it ends, or has ended, that is an
 * EncoderEndedError.
 */
export async function scriptEncoder(script: Processor, options: EncoderOptions): Promise<AnyBatchEncoder> {
  const { encodeWithScript } = await import('./script-encoder.ts');
  const framing = await frames(options);
  return async (batch, rows) => {
    const result = await encodeWithScript(script, batch, rows).catch((error: unknown) => {
      throw new EncoderEndedError(endOf(error), [], 0);
    });
    const { failures, terminated } = result;
    tellRefused(failures, options);
    const encoded = framing(result);
    if (terminated === null) return encoded;
    const { row, ...end } = terminated;
    // When it is not known how far it came, none of the messages counts as encoded.
    throw row < 0 ? new EncoderEndedError(end, [], 0) : new EncoderEndedError(end, encoded.pieces, rows === null ? row : rows.indexOf(row));
  };
}

/** Encodes without a sandbox, without framing by default. Messages that are refused are left out and reported. */
export async function rowsEncoder(encode: RowsEncoder, options: EncoderOptions): Promise<AnyBatchEncoder> {
  const framing = await frames(options);
  return (batch, rows) => {
    const encoded = encode(batch, rows);
    tellRefused(encoded.failures, options);
    return Promise.resolve(framing(encoded));
  };
}

function tellRefused(failures: readonly Failure[], { onError }: EncoderOptions): void {
  const last = failures.at(-1);
  if (last !== undefined)
    onError?.(`${failures.length} messages were refused, the last one because: ${last.reason || 'no reason was given'}`);
}

/** Puts the framing around pieces, if it is wanted. Those that are too large for it are left out. */
async function frames(options: EncoderOptions): Promise<(encoded: EncodedPieces) => EncodedPieces> {
  if (options.framing !== true) return ({ pieces, rows }) => ({ pieces, rows });
  const framePiece = await framer(options);
  return ({ pieces, rows }) => {
    const all = Array.from(pieces, framePiece);
    return { pieces: all.filter((piece) => piece !== null), rows: rows.filter((_, i) => all[i] !== null) };
  };
}

function* textBlocks(batch: MessageBatch, rows: Uint32Array | null): Iterable<string> {
  for (const message of messagesOf(batch, rows)) yield formatText(message);
}

async function protobufBytes(framing: boolean, { maxMessageSize, onError, transient }: EncoderOptions): Promise<BatchEncoder> {
  const [{ encodeProtobuf }, { ProtoSink }, { maxSizeOf, tooLarge }] = await Promise.all([
    import('../message/protobuf/protobuf-encode.ts'),
    import('../message/protobuf/proto-sink.ts'),
    import('../message/protobuf/framing.ts'),
  ]);
  const sink = transient === true ? new ProtoSink() : undefined;
  if (!framing) return (batch, rows) => encodeProtobuf(batch, rows, null, sink);
  const max = maxSizeOf({ maxMessageSize });
  const rules = { maxMessageSize: max, onTooLarge: (bytes: number) => onError?.(tooLarge(bytes, max)) };
  return (batch, rows) => encodeProtobuf(batch, rows, rules, sink);
}

async function framed(plain: BatchEncoder, options: EncoderOptions): Promise<BatchEncoder> {
  const framePiece = await framer(options);
  return function* (batch, rows) {
    for (const piece of plain(batch, rows)) {
      const record = framePiece(typeof piece === 'string' ? Buffer.from(piece) : piece);
      if (record !== null) yield record;
    }
  };
}

/** Puts the framing around a piece; null for one that is too large, which is reported. */
async function framer({ maxMessageSize, onError }: EncoderOptions): Promise<(piece: Uint8Array) => Uint8Array | null> {
  const { frame, FrameError } = await import('../message/protobuf/framing.ts');
  return (piece) => {
    try {
      return frame(piece, null, { maxMessageSize });
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      onError?.(error.message);
      return null;
    }
  };
}

/**
 * A message for people: an empty line, one line for each header and for each field, and an empty line. Control characters are shown as escapes, but for
 * tabs and line feeds of headers.
 */
export function formatText(message: Message): string {
  const { fields } = message;
  const lines = IN_ORDER.map((header) => `:${header.name}: ${indented(headerText(header, message))}`);
  if (fields.length > 0) lines.push(':Fields:', ...fields.map(fieldLine));
  return `\n${lines.join('\n')}\n\n`;
}

const IN_ORDER = headersInPlace(0);

function headerText(header: Header, message: Message): string {
  if (header.kind === 'uuid') return formatUuid(message.uuid);
  return header.kind === 'time' ? timeText(message.timestamp) : String(message[header.member] ?? header.unset);
}

/** A time in UTC with as many digits as it needs: `2021-03-05 13:07:59.25 +0000 UTC`. */
const timeText = (ns: bigint): string =>
  formatTimestamp(ns)
    .replace('T', ' ')
    .replace(/(\.\d*[1-9])0*Z$|Z$/, '$1 +0000 UTC');

/** Further lines of a value are indented, so that they cannot be taken for headers. */
const indented = (text: string): string => printableLines(text).replaceAll('\n', '\n    ');

const quoted = (text: string): string => `"${printable(text)}"`;

function fieldLine(field: Field): string {
  const representation = field.representation ? ` representation:${quoted(field.representation)}` : '';
  const values = valueTexts(field, quoted);
  const shown = values.length === 1 ? values[0] : `[${values.join()}]`;
  return `    | name:${quoted(field.name)} type:${typeFacts(field.valueType).name} value:${shown}${representation}`;
}

/** A field in one short text: name=value. */
export function fieldText(field: Field): string {
  const values = valueTexts(field, (text) => printableJson(JSON.stringify(text)));
  return `${field.name}=${values.length === 1 ? values[0] : `[${values.join(', ')}]`}`;
}

function valueTexts(field: Field, quote: (text: string) => string): string[] {
  switch (field.valueType) {
    case ValueType.STRING:
      return field.values.map(quote);
    case ValueType.BYTES:
      return field.values.map((value) => Buffer.from(value).toString('base64'));
    default:
      return field.values.map(String);
  }
}
