import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { stat } from 'node:fs/promises';
import { memberAt, type FoundMember } from '../inputs/archive/archive.ts';
import { fileChunks, textChunks, type Chunks } from '../inputs/chunks.ts';
import { fileProblem, noTextProblem } from '../inputs/notices.ts';
import { openFile } from '../inputs/shared/open-file.ts';
import { probe, PROBE_BYTES } from '../inputs/probe.ts';

/** A piece of a text by which it is known again. */
export interface Mark {
  readonly length: number;
  readonly hash: string;
}

/** Identity of a file, independent of its name. */
interface FilePlace {
  readonly dev: bigint;
  readonly ino: bigint;
}

interface FileInfo extends FilePlace {
  readonly size: bigint;
  readonly mtimeNs: bigint;
}

/** The file at a path now, also in an archive; null: there is none. */
export async function infoAt(path: string): Promise<FileInfo | null> {
  const info = await stat(path, { bigint: true }).catch(() => null);
  if (info !== null) return info;
  const found = await memberAt(path).catch(() => null);
  return found === null ? null : infoOf(found);
}

/** Most bytes of a mark. */
const MARK_BYTES = 4096;

export const markOf = (bytes: Uint8Array): Mark => ({ length: bytes.length, hash: createHash('sha256').update(bytes).digest('base64url') });

/** A log file whose text is read by position. A plain one is read where it is asked for, a packed one is unpacked from its beginning. */
export class TextFile implements AsyncDisposable {
  readonly path: string;
  /** Size of the file, packed as it may be, when it was opened or looked at again. */
  size: number;
  mtimeNs: bigint;
  /** Its bytes are its text. */
  readonly isPlain: boolean;
  /** null: it is in an archive. */
  readonly #handle: FileHandle | null;
  readonly #bytes: () => Chunks;
  readonly #place: FilePlace;

  private constructor(path: string, source: FileHandle | FoundMember, info: FileInfo, isPlain: boolean) {
    this.path = path;
    this.size = Number(info.size);
    this.mtimeNs = info.mtimeNs;
    this.isPlain = isPlain;
    this.#place = { dev: info.dev, ino: info.ino };
    this.#handle = 'member' in source ? null : source;
    this.#bytes = 'member' in source ? () => source.archive.read(source.member) : () => fileChunks(source);
  }

  /** @throws {InputError} for what is no file, or no text */
  static async open(path: string): Promise<TextFile> {
    const found = await memberAt(path);
    if (found !== null) return new TextFile(path, found, infoOf(found), false);
    let handle: FileHandle;
    try {
      handle = await openFile(path);
    } catch (error) {
      throw fileProblem(path, error);
    }
    try {
      const info = await handle.stat({ bigint: true });
      const head = await readAt(handle, 0, PROBE_BYTES);
      const found = probe(head);
      if (found.kind === 'binary' || found.kind === 'archive') throw noTextProblem(path, found);
      const isPlain = found.kind === 'text' && found.encoding === 'utf-8' && found.lineEnd === undefined && found.bom === 0;
      return new TextFile(path, handle, info, isPlain);
    } catch (error) {
      await handle.close();
      throw fileProblem(path, error);
    }
  }

  /** Whether it is the file that has been looked at. */
  isSameFile({ dev, ino }: FilePlace): boolean {
    return this.#place.dev === dev && this.#place.ino === ino;
  }

  /** Looks at its size and time again. */
  async refresh(): Promise<void> {
    if (this.#handle === null) return;
    const { size, mtimeNs } = await this.#handle.stat({ bigint: true });
    this.size = Number(size);
    this.mtimeNs = mtimeNs;
  }

  /** The text from a position on. */
  text(from: number): Chunks {
    const { isPlain } = this;
    return isPlain && this.#handle !== null ? fileChunks(this.#handle, from) : skipped(textChunks(this.#bytes(), this.path), from);
  }

  /** Whether the text has these bytes before a position. */
  async has({ length, hash }: Mark, end: number): Promise<boolean> {
    if (this.isPlain && this.#handle !== null) return markOf(await readAt(this.#handle, end - length, length)).hash === hash;
    const pieces: Buffer[] = [];
    let missing = length;
    for await (const chunk of this.text(end - length)) {
      const piece = Buffer.from(chunk.subarray(0, missing));
      pieces.push(piece);
      missing -= piece.length;
      if (missing === 0) break;
    }
    return markOf(Buffer.concat(pieces)).hash === hash;
  }

  /** Bytes of the text. */
  async length(): Promise<number> {
    if (this.isPlain) return this.size;
    let length = 0;
    for await (const chunk of this.text(0)) length += chunk.length;
    return length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle?.close();
  }
}

/** The size and time of a log in an archive, and the place of the archive. */
const infoOf = ({ archive, member }: FoundMember): FileInfo => ({
  dev: archive.info.dev,
  ino: archive.info.ino,
  size: BigInt(member.size),
  mtimeNs: member.writtenNs,
});

async function readAt(handle: FileHandle, from: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

async function* skipped(chunks: Chunks, bytes: number): Chunks {
  let left = bytes;
  for await (const chunk of chunks) {
    const dropped = Math.min(left, chunk.length);
    left -= dropped;
    if (dropped < chunk.length) yield chunk.subarray(dropped);
  }
}

/** Lines of a slice, and bytes from which it ends before. */
const SLICE_LINES = 120_000;
const SLICE_BYTES = 64 << 20;

/** A text in slices of whole lines, which are read one after the other. Without `byLines` it is one slice. */
export class TextSlices {
  byLines = false;
  /** Position behind what was read. */
  end: number;
  /** Line ends before it, since the beginning. */
  lines: number;
  /** Start of the last slice. */
  begin: { readonly end: number; readonly lines: number };
  #tail: Buffer = Buffer.alloc(0);
  readonly #chunks: Chunks;
  readonly #sliceLines: number;
  #rest: Buffer | null = null;
  #isAtEnd = false;

  constructor(chunks: Chunks, from: { readonly end: number; readonly lines: number }, sliceLines = SLICE_LINES) {
    this.#sliceLines = sliceLines;
    this.#chunks = chunks;
    this.end = from.end;
    this.lines = from.lines;
    this.begin = from;
  }

  /** Whether all was read. */
  get isAtEnd(): boolean {
    return this.#isAtEnd;
  }

  /** The last bytes before `end` that were read. */
  get tail(): Mark {
    return markOf(this.#tail);
  }

  /** The next slice; the one before must have been read to its end. */
  async *slice(): Chunks {
    this.begin = { end: this.end, lines: this.lines };
    let lines = 0;
    let bytes = 0;
    while (!this.#isAtEnd) {
      const chunk = this.#rest ?? (await this.#next());
      if (chunk === null) return;
      this.#rest = null;
      const full = this.byLines && (lines >= this.#sliceLines || bytes >= SLICE_BYTES);
      const cut = full ? chunk.indexOf(10) + 1 : this.byLines ? cutBehind(chunk, this.#sliceLines - lines) : 0;
      const piece = cut === 0 ? chunk : chunk.subarray(0, cut);
      if (cut > 0) this.#rest = chunk.subarray(cut);
      const ends = countLineEnds(piece);
      lines += ends;
      bytes += piece.length;
      this.lines += ends;
      this.end += piece.length;
      this.#tail = Buffer.concat([this.#tail, piece.subarray(-MARK_BYTES)]).subarray(-MARK_BYTES);
      yield piece;
      if (cut > 0) return;
    }
  }

  async close(): Promise<void> {
    await this.#chunks.return();
  }

  async #next(): Promise<Buffer | null> {
    const { value, done } = await this.#chunks.next();
    if (done !== true) return value;
    this.#isAtEnd = true;
    return null;
  }
}

/** The position behind so many line ends; 0: there are fewer. */
function cutBehind(chunk: Buffer, lines: number): number {
  let at = 0;
  for (let left = lines; left > 0; left--) {
    at = chunk.indexOf(10, at) + 1;
    if (at === 0) return 0;
  }
  return at;
}

function countLineEnds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++;
  return count;
}

/** The mark of the beginning of a text. */
export async function headOf(file: TextFile, length: number): Promise<Mark> {
  const most = Math.min(length, MARK_BYTES);
  const pieces: Buffer[] = [];
  let missing = most;
  if (missing > 0)
    for await (const chunk of file.text(0)) {
      const piece = Buffer.from(chunk.subarray(0, missing));
      pieces.push(piece);
      missing -= piece.length;
      if (missing === 0) break;
    }
  return markOf(Buffer.concat(pieces));
}

/** Longest line whose end is waited for. */
const MAX_HELD = 64 << 20;

/** The whole lines of a text that grows; a last one without its end is left out. */
export async function* wholeLines(chunks: Chunks): Chunks {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(10) + 1;
    // Chunks are views on a buffer that is read into again.
    if (end === 0) {
      held.push(Buffer.from(chunk));
      bytes += chunk.length;
    } else {
      const rest = Buffer.from(chunk.subarray(end));
      yield held.length === 0 ? chunk.subarray(0, end) : Buffer.concat([...held, chunk.subarray(0, end)]);
      held = [rest];
      bytes = rest.length;
    }
    if (bytes < MAX_HELD) continue;
    yield Buffer.concat(held);
    held = [];
    bytes = 0;
  }
}
