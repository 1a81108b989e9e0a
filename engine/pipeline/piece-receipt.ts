import { firstIndex } from '../message/binary-search.ts';
import type { EncodedPieces } from '../outputs/encode.ts';
import { PackedPieces } from '../message/batch/packed.ts';
import type { Piece, Pieces, Receipt } from '../outputs/writers.ts';

/** The pieces of some messages, and how many of the messages, from the first on, are done with when so many pieces are. */
interface PiecesOfMessages {
  readonly pieces: Pieces;
  readonly through: (pieces: number) => number;
}

/** Tells which pieces stand for which messages. @param rows those of the messages, ascending; null: all of their batch @param messages their number */
export function ofMessages(encoded: Iterable<Piece> | EncodedPieces, rows: Uint32Array | null, messages: number): PiecesOfMessages {
  const made = 'pieces' in encoded ? encoded.rows : null;
  const pieces = 'pieces' in encoded ? encoded.pieces : encoded instanceof PackedPieces ? encoded : [...encoded];
  const through = (count: number): number => {
    if (count >= pieces.length) return messages;
    if (made !== null) return rows === null ? (made[count] as number) : rowsBefore(rows, made[count] as number);
    // Where some were left out, it is not known which.
    return pieces.length === messages ? count : 0;
  };
  return { pieces, through };
}

const rowsBefore = (rows: Uint32Array, row: number): number => firstIndex(rows.length, (index) => (rows[index] as number) >= row);

/** Makes a receipt for pieces of one for messages. */
export function receiptForPieces(receipt: Receipt | undefined, through: (pieces: number) => number): Receipt | undefined {
  if (receipt === undefined) return undefined;
  return { ...receipt, taken: (pieces) => receipt.taken(through(pieces)), mark: (pieces) => receipt.mark(through(pieces)) };
}
