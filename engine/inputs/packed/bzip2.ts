import { BitReader } from './bit-reader.ts';
import { ByteQueue } from './byte-queue.ts';
import { readBlock, restored } from './bzip2-block.ts';
import { DamagedError, endsTooEarly } from './errors.ts';

const BLOCK_MARK = 0x314159;
const BLOCK_MARK_REST = 0x265359;
const END_MARK = 0x177245;
const END_MARK_REST = 0x385090;
const MARK_BITS = 24;

/** Bytes of a block of one level, packed as badly as the format allows: 20 bits for each of 100,000 symbols. */
const LEVEL_BYTES = 250_000;
/** Bytes of the tables in front of a block. */
const TABLE_BYTES = 32 << 10;
const PIECE_BYTES = 256 << 10;

/**
 * The text of a bzip2 file of any number of streams, as `bzip2` and parallel packers write it. The format has no standard; the reference is the
 * program by Julian Seward. The text of each whole block comes, with its checksum verified, before an error.
 */
export async function* bzip2Text(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const queue = new ByteQueue(source);
  try {
    for (let isFirst = true; await queue.fill(4); isFirst = false) {
      const level = levelOf(queue.bytes);
      if (level === null) {
        if (isFirst || !isPadding(queue.bytes)) throw new DamagedError('there is something else behind the end of the stream');
        return;
      }
      queue.drop(4);
      yield* streamText(queue, level);
    }
  } finally {
    await queue.close();
  }
}

/** Level of compression by the beginning of a stream; null: it is none. */
function levelOf(head: Buffer): number | null {
  const level = (head[3] ?? 0) - 48;
  return head.toString('latin1', 0, 3) === 'BZh' && level >= 1 && level <= 9 ? level : null;
}

/** Tapes and block devices fill up with NUL. */
const isPadding = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0);

async function* streamText(queue: ByteQueue, level: number): AsyncGenerator<Buffer, void, undefined> {
  const most = level * LEVEL_BYTES + TABLE_BYTES;
  const block = new Uint32Array(level * 100_000);
  let skippedBits = 0;
  let combined = 0;
  for (;;) {
    await queue.fill(most);
    const bits = new BitReader(queue.bytes);
    bits.read(skippedBits);
    const mark = bits.read(MARK_BITS);
    const rest = bits.read(MARK_BITS);
    const checksum = ((bits.read(16) << 16) | bits.read(16)) >>> 0;
    const isEnd = mark === END_MARK && rest === END_MARK_REST;
    if (!isEnd && (mark !== BLOCK_MARK || rest !== BLOCK_MARK_REST))
      throw bits.isBeyond ? endsTooEarly() : new DamagedError('no block begins where one must');
    if (isEnd) {
      if (bits.isBeyond) throw endsTooEarly();
      if (checksum !== combined) throw new DamagedError('wrong checksum of the stream');
      queue.drop(bits.wholeBytes);
      return;
    }
    const { length, origin } = readBlock(bits, block);
    queue.drop(bits.usedBits >> 3);
    skippedBits = bits.usedBits & 7;
    let actual = 0;
    for (const { piece, crc } of restored(block, length, origin, PIECE_BYTES)) {
      actual = crc;
      yield piece;
    }
    if (actual !== checksum) throw new DamagedError('wrong checksum of a block');
    combined = (((combined << 1) | (combined >>> 31)) ^ checksum) >>> 0;
  }
}
