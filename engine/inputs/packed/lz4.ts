import { ByteQueue } from './byte-queue.ts';
import { DamagedError, endsTooEarly } from './errors.ts';
import { appendBlock, HISTORY_BYTES } from './lz4-block.ts';
import { Xxh32, xxh32 } from './xxh32.ts';

const FRAME = 0x184d2204;
const LEGACY_FRAME = 0x184c2102;
/** Frames of other programs, with any content, differ in the last four bits. */
const [OTHER_FRAME, OTHER_MASK] = [0x184d2a50, 0xfffffff0];
const LEGACY_BLOCK_BYTES = 8 << 20;
/** Bytes that a block of the legacy form takes at most, when it cannot be packed. */
const LEGACY_PACKED_BYTES = LEGACY_BLOCK_BYTES + (LEGACY_BLOCK_BYTES >> 7) + 64;
const IS_PLAIN = 0x80000000;
/** Most bytes behind the length of a frame. */
const MOST_HEADER_BYTES = 15;

/** The text of an lz4 file of any number of frames (the LZ4 Frame Format 1.6, and the legacy form of Linux). What comes before an error is the text before it. */
export async function* lz4Text(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const queue = new ByteQueue(source);
  try {
    while (await queue.fill(1)) {
      if (!(await queue.fill(4))) throw endsTooEarly();
      const magic = queue.bytes.readUInt32LE(0);
      queue.drop(4);
      if (magic === FRAME) yield* frameText(queue);
      else if (magic === LEGACY_FRAME) yield* legacyText(queue);
      else if ((magic & OTHER_MASK) === OTHER_FRAME) await skipFrame(queue);
      else throw new DamagedError('there is something else behind the end of the frame');
    }
  } finally {
    await queue.close();
  }
}

async function skipFrame(queue: ByteQueue): Promise<void> {
  const length = await take(queue, 4);
  if (!(await queue.skip(length.readUInt32LE(0)))) throw endsTooEarly();
}

/** Bytes that stay valid until the next are asked for. @throws {DamagedError} when the source ends before */
async function take(queue: ByteQueue, count: number): Promise<Buffer> {
  if (!(await queue.fill(count))) throw endsTooEarly();
  const bytes = queue.bytes.subarray(0, count);
  queue.drop(count);
  return bytes;
}

interface Frame {
  readonly blockBytes: number;
  readonly areLinked: boolean;
  readonly haveChecksums: boolean;
  readonly hasChecksum: boolean;
}

async function readFrame(queue: ByteQueue): Promise<Frame> {
  await queue.fill(MOST_HEADER_BYTES);
  const head = queue.bytes;
  const [flags = 0, sizes = 0] = head;
  const hasDictionary = (flags & 1) !== 0;
  const length = 2 + ((flags & 8) === 0 ? 0 : 8) + (hasDictionary ? 4 : 0);
  if (head.length <= length) throw endsTooEarly();
  const code = (sizes >> 4) & 7;
  if (flags >> 6 !== 1 || code < 4) throw new DamagedError('the header of the frame is of another version');
  if (((xxh32(head.subarray(0, length)) >>> 8) & 255) !== head[length]) throw new DamagedError('wrong checksum of the header');
  if (hasDictionary) throw new DamagedError('it needs a dictionary');
  queue.drop(length + 1);
  return {
    blockBytes: 1 << (8 + 2 * code),
    areLinked: (flags & 32) === 0,
    haveChecksums: (flags & 16) !== 0,
    hasChecksum: (flags & 4) !== 0,
  };
}

async function* frameText(queue: ByteQueue): AsyncGenerator<Buffer, void, undefined> {
  const { blockBytes, areLinked, haveChecksums, hasChecksum } = await readFrame(queue);
  const whole = new Xxh32();
  const text = Buffer.allocUnsafeSlow(HISTORY_BYTES + blockBytes);
  let history = 0;
  for (;;) {
    const size = (await take(queue, 4)).readUInt32LE(0);
    if (size === 0) break;
    const packed = (size & ~IS_PLAIN) >>> 0;
    if (packed > blockBytes) throw new DamagedError('a block is larger than it may be');
    const bytes = await take(queue, packed + (haveChecksums ? 4 : 0));
    const block = bytes.subarray(0, packed);
    if (haveChecksums && xxh32(block) !== bytes.readUInt32LE(packed)) throw new DamagedError('wrong checksum of a block');
    const start = areLinked ? history : 0;
    const end = (size & IS_PLAIN) !== 0 ? start + block.copy(text, start) : appendBlock(block, text, start, start + blockBytes);
    const piece = Buffer.from(text.subarray(start, end));
    if (hasChecksum) whole.update(piece);
    if (piece.length > 0) yield piece;
    if (!areLinked) continue;
    const from = Math.max(0, end - HISTORY_BYTES);
    text.copyWithin(0, from, end);
    history = end - from;
  }
  if (hasChecksum && whole.digest() !== (await take(queue, 4)).readUInt32LE(0)) throw new DamagedError('wrong checksum of the text');
}

/** A frame of the legacy form ends where the file ends, or another frame begins. */
async function* legacyText(queue: ByteQueue): AsyncGenerator<Buffer, void, undefined> {
  const text = Buffer.allocUnsafeSlow(LEGACY_BLOCK_BYTES);
  while (await queue.fill(1)) {
    if (!(await queue.fill(4))) throw endsTooEarly();
    const size = queue.bytes.readUInt32LE(0);
    if (size === FRAME || size === LEGACY_FRAME || (size & OTHER_MASK) === OTHER_FRAME) return;
    if (size > LEGACY_PACKED_BYTES) throw new DamagedError('a block is larger than it may be');
    queue.drop(4);
    const end = appendBlock(await take(queue, size), text, 0, text.length);
    yield Buffer.from(text.subarray(0, end));
  }
}
