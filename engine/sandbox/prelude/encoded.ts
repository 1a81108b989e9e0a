import type { EncodedPlace } from '../contract/protocol.ts';
import { addText } from './arena.ts';
import { bytesOfText } from './binary.ts';
import { announce } from './block.ts';
import { grown32, grown8 } from './grow.ts';
import { encodeRow, encodeTable } from './protobuf.ts';
import type { RowMessage } from './reading/row-message.ts';
import { state } from './state/state.ts';

const TEXT = 0;
const BYTES_FORM = 1;

/** The encoder's output for the current row; each injection replaces it. */
let pending: string | Uint8Array | null = null;

let count = 0;
let rows = new Uint32Array(64);
let lengths = new Uint32Array(64);
let forms = new Uint8Array(64);
let bytes = new Uint8Array(0);
let bytesLength = 0;
let from = 0;
let to = 0;

/** Sets the output for the current row: a payload, encoded bytes, or a message to encode. */
export function addEncoded(output: string | Uint8Array | RowMessage): void {
  pending = typeof output === 'string' || output instanceof Uint8Array ? output : encodeTable(output);
}

export function dropEncoded(): void {
  pending = null;
}

/** Ends a row that succeeded; returns false when it has no output. */
export function commitEncoded(): boolean {
  if (pending === null && state.edited !== null) pending = encodeRow(state.edited);
  if (pending === null) return false;
  commitPiece(pending);
  pending = null;
  return true;
}

/** Adds a piece of output to the result of the call. */
export function commitPiece(piece: string | Uint8Array): void {
  if (typeof piece === 'string' && !splitsPair(piece)) commitText(piece);
  else commitBytes(typeof piece === 'string' ? bytesOfText(piece) : piece);
}

/** Whether a text could form a surrogate pair with the text before or after it. */
function splitsPair(text: string): boolean {
  return (text.charCodeAt(0) & 0xfc00) === 0xdc00 || (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800;
}

function commitText(text: string): void {
  const start = addText(text);
  if (to === 0) from = start;
  to = start + text.length;
  commit(TEXT, text.length);
}

function commitBytes(output: Uint8Array): void {
  if (bytesLength + output.length > bytes.length) bytes = grown8(bytes, bytesLength + output.length);
  bytes.set(output, bytesLength);
  bytesLength += output.length;
  commit(BYTES_FORM, output.length);
}

function commit(form: number, length: number): void {
  if (count === rows.length) {
    rows = grown32(rows, count + 1);
    lengths = grown32(lengths, count + 1);
    forms = grown8(forms, count + 1);
  }
  rows[count] = state.row;
  lengths[count] = length;
  forms[count] = form;
  count++;
}

/** Describes the collected outputs and empties the collection. Encoders and outputs write nothing else to the arena. */
export function takeEncoded(): EncodedPlace | null {
  if (count === 0) return null;
  const place: EncodedPlace = {
    count,
    rows: announce(rows, count),
    lengths: announce(lengths, count),
    forms: announce(forms, count),
    from,
    to,
    bytes: announce(bytes, bytesLength),
    bytesLength,
  };
  count = bytesLength = from = to = 0;
  return place;
}
