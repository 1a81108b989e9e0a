import { charge } from '../counter.ts';
import { commitPiece } from '../encoded.ts';
import { bytesOfText } from '../binary.ts';
import { noteOutput, payloadText, refuse } from './payload.ts';
import { endSandbox, state } from '../state/state.ts';
import { copyOfBytes, isBytes } from '../uuid.ts';
import { utf8Length } from '../../../message/utf8.ts';

type Piece = string | Uint8Array;

/** Bytes of output that count as one step. */
const BYTES_PER_STEP_SHIFT = 3;
const CALL_STEPS = 8;
/** A call ends after the message that brings its output to this size; the others follow when that is written. */
const ENOUGH_BYTES = 1 << 20;

/** Records written by the current message or tick, and their size in bytes. */
let records: Piece[] = [];
let bytes = 0;
/** Bytes written by earlier messages in this call. */
let committed = 0;

/** `write_output` of the scripts' interface: one call is one record for the target. */
export function write_output(...parts: unknown[]): void {
  if (!state.loaded) throw new Error('write_output: not while the script is loading');
  if (!state.setup.writes) throw new Error(`write_output: there is no target; give the section a table [${state.setup.name}.target]`);
  if (parts.length === 0) throw new TypeError('write_output: at least one argument');
  charge(CALL_STEPS);
  let size = 0;
  const pieces: Piece[] = [];
  for (let i = 0; i < parts.length; i++) {
    const piece = pieceOf(parts[i], size);
    size += typeof piece === 'string' ? utf8Length(piece) : piece.length;
    checkSize(size);
    pieces.push(piece);
  }
  if (size === 0) return;
  charge(size >> BYTES_PER_STEP_SHIFT);
  noteOutput(size);
  records.push(recordOf(pieces));
  bytes += size;
  const { memory } = state.setup;
  if (memory > 0 && bytes > memory) {
    endSandbox('limit.memory', `exceeded memory_limit of ${memory}: it is what one call has written`, memory);
  }
}

/** A part as it is written. @param before bytes of the parts in front of it */
function pieceOf(part: unknown, before: number): Piece {
  if (isBytes(part)) return copyOfBytes(part);
  const text = payloadText('write_output', part);
  checkSize(before + text.length);
  return text;
}

function checkSize(size: number): void {
  const limit = state.setup.output;
  if (limit > 0 && size >= limit) refuse('write_output', limit);
}

/** Texts stay text; where there are bytes, all of it becomes bytes. */
function recordOf(pieces: readonly Piece[]): Piece {
  let text = '';
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i] as Piece;
    if (typeof piece !== 'string') return joinedBytes(pieces);
    text += piece;
  }
  return text;
}

function joinedBytes(pieces: readonly Piece[]): Uint8Array {
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i] as Piece;
    const part = typeof piece === 'string' ? bytesOfText(piece) : piece;
    parts.push(part);
    size += part.length;
  }
  const record = new Uint8Array(size);
  let at = 0;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as Uint8Array;
    record.set(part, at);
    at += part.length;
  }
  return record;
}

/** The message or tick is through: what it has written counts. */
export function commitWritten(): void {
  if (records.length === 0) return;
  for (let i = 0; i < records.length; i++) commitPiece(records[i] as Piece);
  committed += bytes;
  dropWritten();
}

/** Discards the output of the current message or tick. */
export function dropWritten(): void {
  if (records.length === 0) return;
  records = [];
  bytes = 0;
}

/** Whether the call has brought as much as is sent at once. */
export function wroteEnough(): boolean {
  return committed >= ENOUGH_BYTES;
}

/** Starts counting again after the committed output has been taken, and discards uncommitted output. */
export function restartWritten(): void {
  committed = 0;
  dropWritten();
}
