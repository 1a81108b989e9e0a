import { crc32 } from 'node:zlib';
import { z } from 'zod';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { takeRows } from '../../message/batch/gather.ts';
import { byteLengthOf, decodeBatch, encodeBatch } from '../../message/batch/wire.ts';
import { EngineError } from '../../base/errors.ts';
import { openRegular } from '../../base/files/regular-file.ts';
import type { DecodedRecords } from '../../pipeline/decode-stage.ts';
import { rawOf, withoutRaw, withRaw } from '../../store/segment.ts';

/**
 * A file of received records is a sequence of entries, one for each batch: four bytes each for the magic number, the length of the head, the length
 * of the batch, and the CRC-32 of both (little endian), the head as JSON, and the batch as in the record store.
 */

const MAGIC = 0x31524253;
const PREFIX = 16;
/** Longest entry that is read: a damaged length must not take all memory. */
const MOST_BYTES = 256 << 20;

const rows = z.array(z.int().nonnegative());
const head = z.strictObject({
  decoder: z.string().nullable(),
  failures: rows,
  undecoded: z.int().nonnegative(),
  others: rows.optional(),
  unchanged: rows.optional(),
  signer: z.string().optional(),
});

/** A batch as a live source has taken it, with the name of its decoder. */
export interface ReceivedBatch {
  readonly records: DecodedRecords;
  readonly decoder: string | null;
}

/** The pieces of an entry. */
export function encodeEntry({ records, decoder }: ReceivedBatch): Uint8Array[] {
  const { batch, raw, failures, undecoded, others, unchanged, input } = records;
  const about: z.input<typeof head> = {
    decoder,
    failures: failures.map(({ row }) => row),
    undecoded,
    ...(others === undefined ? {} : { others: [...others] }),
    ...(unchanged === undefined ? {} : { unchanged: [...unchanged] }),
    ...(input.signer === undefined ? {} : { signer: input.signer }),
  };
  const headBytes = Buffer.from(JSON.stringify(about));
  const pieces = encodeBatch(withRaw(batch, raw));
  const prefix = Buffer.alloc(PREFIX);
  prefix.writeUInt32LE(MAGIC, 0);
  prefix.writeUInt32LE(headBytes.length, 4);
  prefix.writeUInt32LE(byteLengthOf(pieces), 8);
  prefix.writeUInt32LE(
    pieces.reduce((sum, piece) => crc32(piece, sum), crc32(headBytes)),
    12,
  );
  return [prefix, headBytes, ...pieces];
}

/**
 * The batches of a file, up to its end or to the first entry that was not written whole.
 * @throws {EngineError} `engine.error` where an entry is damaged, with the number of bytes that were not read; the system's errors
 */
export async function* readEntries(path: string): AsyncGenerator<ReceivedBatch> {
  const handle = await openRegular(path);
  try {
    const { size } = await handle.stat();
    for (let at = 0; at + PREFIX <= size;) {
      const prefix = Buffer.alloc(PREFIX);
      await handle.read(prefix, 0, PREFIX, at);
      const headLength = prefix.readUInt32LE(4);
      const length = headLength + prefix.readUInt32LE(8);
      const isEntry = prefix.readUInt32LE(0) === MAGIC && length <= MOST_BYTES;
      // The last one may have been under way.
      if (isEntry && at + PREFIX + length > size) return;
      const bytes = Buffer.allocUnsafeSlow(isEntry ? length : 0);
      if (isEntry) await handle.read(bytes, 0, length, at + PREFIX);
      if (!isEntry || crc32(bytes) !== prefix.readUInt32LE(12))
        throw new EngineError('engine.error', `${path} is damaged: its last ${size - at} bytes were not read`);
      yield decodeEntry(bytes, headLength);
      at += PREFIX + length;
    }
  } finally {
    await handle.close();
  }
}

function decodeEntry(bytes: Uint8Array<ArrayBuffer>, headLength: number): ReceivedBatch {
  const { decoder, failures, undecoded, others, unchanged, signer } = head.parse(
    JSON.parse(Buffer.from(bytes.subarray(0, headLength)).toString()),
  );
  // Columns are views of the bytes, which must be aligned.
  const stored = decodeBatch(bytes.slice(headLength));
  const batch = withoutRaw(stored);
  const records: DecodedRecords = {
    batch,
    decoded: withoutRows(batch, failures),
    raw: rawOf(stored),
    failures: failures.map((row) => ({ row, reason: '' })),
    origins: null,
    undecoded,
    unchanged: unchanged && Uint32Array.from(unchanged),
    ...(others === undefined ? {} : { others }),
    input: { batch, firstLine: 0, signer, acknowledge: () => undefined },
  };
  return { records, decoder };
}

function withoutRows(batch: MessageBatch, left: readonly number[]): MessageBatch {
  if (left.length === 0) return batch;
  const out = new Set(left);
  return takeRows(
    batch,
    Uint32Array.from({ length: batch.length }, (_, row) => row).filter((row) => !out.has(row)),
  );
}
