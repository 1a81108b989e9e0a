import { isAscii } from 'node:buffer';
import { ForgedResultError } from '../contract/errors.ts';
import type { Frame } from './frames.ts';
import type { ReceivedResult } from './inbound.ts';
import type { EncodedPlace, ResultHead } from '../contract/protocol.ts';
import type { EncodedRows, SandboxResult } from '../contract/types.ts';

/** The parts of a result that hold the outputs of an encoder, or the records of an output. */
export type OutputFrame = Pick<Frame, 'block' | 'texts'>;

const TEXT = 0;
const BYTES = 1;

/**
 * Reads the outputs of an encoder and the rows that it passed on. Throws a ForgedResultError where the result does not fit the call.
 * @param rows number of rows of the call
 * @param selection those rows of the batch; null: all of them
 */
export function encodedResult(
  frame: OutputFrame,
  { head, origins }: ReceivedResult,
  rows: number,
  selection: Uint32Array | null,
): Pick<SandboxResult, 'encoded' | 'passed'> {
  const encoded = readEncoded(frame, head, rows);
  const passed = head.passed === 0 ? new Uint32Array(0) : (origins ?? Uint32Array.from({ length: rows }, (_, row) => row));
  if (selection === null) return { encoded, passed };
  const rowOf = (row: number): number => selection[row] as number;
  return { encoded: encoded && { ...encoded, rows: encoded.rows.map(rowOf) }, passed: passed.map(rowOf) };
}

/**
 * Reads the records that an output has written. Throws a ForgedResultError where they are inconsistent or too large.
 * @param limit the output's output_limit in bytes; 0: none
 */
export function writtenRecords(
  frame: OutputFrame,
  head: ResultHead,
  limit: number,
): Required<Pick<SandboxResult, 'written' | 'writtenRows'>> {
  const { encoded: place } = head;
  if (place === null || place === undefined) return { written: [], writtenRows: [] };
  checkPlace(place, frame.block.byteLength);
  const { ends, bytes } = joinedPieces(frame, head, place);
  let start = 0;
  const written = Array.from(ends, (end) => {
    if (limit > 0 && end - start >= limit) forged('a record is larger than output_limit');
    const record = bytes.subarray(start, end);
    start = end;
    return record;
  });
  return { written, writtenRows: [...new Int32Array(frame.block, place.rows, place.count)] };
}

function readEncoded(frame: OutputFrame, head: ResultHead, rows: number): EncodedRows | null {
  if (head.encoded === null || head.encoded === undefined) return null;
  const place = head.encoded;
  checkPlace(place, frame.block.byteLength);
  if (place.count > rows) forged('there is more of it than of messages');
  const made = new Uint32Array(frame.block, place.rows, place.count);
  checkRows(made, rows);
  return { rows: made, ...joinedPieces(frame, head, place) };
}

function joinedPieces(frame: OutputFrame, head: ResultHead, place: EncodedPlace): Omit<EncodedRows, 'rows'> {
  const { block } = frame;
  const units = new Uint32Array(block, place.lengths, place.count);
  const forms = new Uint8Array(block, place.forms, place.count);
  const { text, lengths } = textBytes(frame, head, place, units, forms);
  const bytes = new Uint8Array(block, place.bytes, place.bytesLength);
  return bytes.length === 0 ? onlyText(lengths, forms, text) : joined(lengths, forms, text, bytes);
}

/** The output that is text, as UTF-8, and the lengths of all pieces in bytes. */
function textBytes(
  { texts }: OutputFrame,
  { wide }: ResultHead,
  { from, to }: EncodedPlace,
  units: Uint32Array,
  forms: Uint8Array,
): { readonly text: Buffer; readonly lengths: Uint32Array } {
  const latin1 = wide === true ? null : texts.subarray(from, to);
  if (latin1 !== null && isAscii(latin1)) return { text: latin1, lengths: units };
  const text = latin1?.toString('latin1') ?? texts.toString('utf16le').slice(from, to);
  return { text: Buffer.from(text), lengths: byteLengths(text, units, forms) };
}

function byteLengths(text: string, units: Uint32Array, forms: Uint8Array): Uint32Array {
  let start = 0;
  return units.map((length, i) => (forms[i] === TEXT ? Buffer.byteLength(text.slice(start, (start += length))) : length));
}

/** Finds the ends of the texts, which lie in order already. */
function onlyText(lengths: Uint32Array, forms: Uint8Array, text: Uint8Array): Omit<EncodedRows, 'rows'> {
  const ends = new Uint32Array(lengths.length);
  let at = 0;
  for (let i = 0; i < lengths.length; i++) {
    const length = lengths[i] as number;
    if (forms[i] !== TEXT && forms[i] !== BYTES) forged('it is neither text nor bytes');
    if ((forms[i] === BYTES && length > 0) || at + length > text.length) forged('it is shorter than it says');
    ends[i] = at += length;
  }
  if (at !== text.length) forged('it is longer than it says');
  return { bytes: text, ends };
}

function checkPlace(place: EncodedPlace, size: number): void {
  const { count, bytesLength, from, to } = place;
  for (const number of Object.values(place) as unknown[])
    if (!Number.isInteger(number) || (number as number) < 0) forged('a number is none');
  const fits = (at: number, length: number): boolean => at + length <= size;
  if (to < from) forged('it ends before it begins');
  if (place.rows % 4 !== 0 || place.lengths % 4 !== 0) forged('it does not lie at a whole number');
  if (!fits(place.rows, count * 4) || !fits(place.lengths, count * 4) || !fits(place.forms, count) || !fits(place.bytes, bytesLength)) {
    forged('it lies outside of the result');
  }
}

function checkRows(made: Uint32Array, rows: number): void {
  let previous = -1;
  for (const row of made) {
    if (row <= previous || row >= rows) forged('its rows do not ascend');
    previous = row;
  }
}

/** Merges texts and bytes, which arrive separately, in the order of their rows. */
function joined(lengths: Uint32Array, forms: Uint8Array, text: Uint8Array, pieces: Uint8Array): Omit<EncodedRows, 'rows'> {
  const bytes = new Uint8Array(text.length + pieces.length);
  const ends = new Uint32Array(lengths.length);
  const sources = [text, pieces];
  const taken = [0, 0];
  let at = 0;
  for (const [i, length] of lengths.entries()) {
    const form = forms[i] as number;
    if (form !== TEXT && form !== BYTES) forged('it is neither text nor bytes');
    const source = sources[form] as Uint8Array;
    const start = taken[form] as number;
    if (start + length > source.length) forged('it is shorter than it says');
    bytes.set(source.subarray(start, start + length), at);
    taken[form] = start + length;
    ends[i] = at += length;
  }
  if (at !== bytes.length) forged('it is longer than it says');
  return { bytes, ends };
}

function forged(what: string): never {
  throw new ForgedResultError(`the output is forged: ${what}`);
}
