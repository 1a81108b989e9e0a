import { ByteQueue } from '../packed/byte-queue.ts';
import { DamagedError, endsTooEarly } from '../packed/errors.ts';

const BLOCK = 512;
/** Bytes of a long name or of attributes that are kept. */
const MOST_ATTRIBUTES = 1 << 20;

/** Bytes that can be gone through. */
export interface TarSource {
  /** The next bytes; fewer at the end. They stay valid until the next call. */
  take(count: number): Promise<Buffer>;
  /** Goes past bytes. Returns false when there are fewer. */
  skip(count: number): Promise<boolean>;
  /** Bytes before. */
  readonly position: number;
}

/** The head of a file of a tar archive. */
export interface TarEntry {
  readonly name: string;
  /** The kind of entry as the format has it: `0` is a file, `2` a symbolic link. */
  readonly type: string;
  readonly size: number;
  readonly writtenNs: bigint;
}

/**
 * Reads the heads of the entries of a tar archive: ustar and pax (POSIX.1-2001), with the long names of GNU, and those before ustar. The source stands at
 * the content of an entry while it is looked at, and may be moved on within it.
 * @throws {DamagedError}
 */
export async function* tarEntries(source: TarSource): AsyncGenerator<TarEntry, void, undefined> {
  let shared: Attributes = {};
  let own: Attributes = {};
  for (;;) {
    const head = await source.take(BLOCK);
    // Two empty blocks are the end, which programs also leave out.
    if (head.length === 0 || head.every((byte) => byte === 0)) return;
    if (head.length < BLOCK) throw endsTooEarly();
    if (!isHead(head)) throw new DamagedError('no file begins where one must');
    const type = String.fromCharCode(head[156] || 48);
    const size = numberAt(head, 124, 12);
    const begin = source.position;
    if ('xgLK'.includes(type)) {
      if (size > MOST_ATTRIBUTES) throw new DamagedError('the name of a file is too long');
      const content = await source.take(size);
      if (content.length < size) throw endsTooEarly();
      if (type === 'g') shared = { ...shared, ...attributesOf(content) };
      else if (type === 'x') own = { ...own, ...attributesOf(content) };
      else if (type === 'L') own = { ...own, path: untilNul(content) };
      await skipTo(source, begin + padded(size));
      continue;
    }
    const given = { ...shared, ...own };
    own = {};
    const entry = entryOf(head, type, size, given);
    yield entry;
    // An entry without content, such as a folder, may have a size.
    await skipTo(source, begin + ('123456'.includes(type) ? 0 : padded(entry.size)));
  }
}

type Attributes = Readonly<Partial<Record<string, string>>>;

function entryOf(head: Buffer, type: string, size: number, given: Attributes): TarEntry {
  const prefix = untilNul(head.subarray(345, 500));
  const short = untilNul(head.subarray(0, 100));
  const isUstar = head.toString('latin1', 257, 263) === 'ustar\0';
  const isSparse = Object.keys(given).some((key) => key.startsWith('GNU.sparse.'));
  return {
    name: given.path ?? (isUstar && prefix !== '' ? `${prefix}/${short}` : short),
    type: isSparse ? 'S' : type,
    size: given.size === undefined ? size : wholeNumber(given.size),
    writtenNs: given.mtime === undefined ? BigInt(numberAt(head, 136, 12)) * 1_000_000_000n : nanoseconds(given.mtime),
  };
}

async function skipTo(source: TarSource, position: number): Promise<void> {
  const left = position - source.position;
  if (left > 0 && !(await source.skip(left))) throw endsTooEarly();
}

const padded = (size: number): number => Math.ceil(size / BLOCK) * BLOCK;

/** Whether a block has the checksum of a head, in which the place of the checksum counts as blanks. */
export function isHead(block: Buffer): boolean {
  let sum = 8 * 32;
  for (let i = 0; i < BLOCK; i++) if (i < 148 || i >= 156) sum += block[i] as number;
  return sum === numberAt(block, 148, 8);
}

/** A number in octal digits, or as GNU writes larger ones: in bytes behind a set bit. */
function numberAt(block: Buffer, at: number, length: number): number {
  const bytes = block.subarray(at, at + length);
  if ((bytes[0] as number) === 0x80) return bytes.subarray(1).reduce((sum, byte) => sum * 256 + byte, 0);
  const value = parseInt(
    bytes
      .toString('latin1')
      .replace(/\0[^]*$/, '')
      .trim() || '0',
    8,
  );
  return Number.isSafeInteger(value) ? value : 0;
}

function untilNul(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end);
}

/** Attributes of pax: lines of a length, a blank, a name, `=` and a value, which may hold line ends. */
function attributesOf(content: Buffer): Attributes {
  const found: Record<string, string> = {};
  for (let at = 0; at < content.length;) {
    const blank = content.indexOf(32, at);
    const length = Number(content.toString('latin1', at, blank));
    if (blank < 0 || !Number.isInteger(length) || length <= blank - at) break;
    const text = content.toString('utf8', blank + 1, at + length - 1);
    const equals = text.indexOf('=');
    if (equals > 0) found[text.slice(0, equals)] = text.slice(equals + 1);
    at += length;
  }
  return found;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new DamagedError('the size of a file is no number');
  return Number(text);
}

function nanoseconds(text: string): bigint {
  const [, seconds = '0', fraction = ''] = /^(-?\d{1,12})(?:\.(\d*))?$/.exec(text) ?? [];
  return BigInt(seconds) * 1_000_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0'));
}

/** A stream as a source. */
export class TarStream implements TarSource {
  readonly #queue: ByteQueue;
  position = 0;

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#queue = new ByteQueue(chunks);
  }

  async take(count: number): Promise<Buffer> {
    await this.#queue.fill(count);
    const bytes = this.#queue.bytes.subarray(0, count);
    this.#queue.drop(bytes.length);
    this.position += bytes.length;
    return bytes;
  }

  async skip(count: number): Promise<boolean> {
    this.position += count;
    return this.#queue.skip(count);
  }

  close(): Promise<void> {
    return this.#queue.close();
  }
}
