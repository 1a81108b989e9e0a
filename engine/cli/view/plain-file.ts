import type { FileHandle } from 'node:fs/promises';
import { readAt } from '../../base/files/read-at.ts';
import type { Chunks } from '../../inputs/chunks.ts';
import { probe, PROBE_BYTES } from '../../inputs/probe.ts';
import { openFile } from '../../inputs/shared/open-file.ts';
import { ageOf, TextSource, type Age } from '../../inputs/shared/read.ts';
import { isStandardInput } from '../../inputs/shared/standard-input.ts';

const READ_BYTES = 256 << 10;
const NEWLINE = 10;

/** A file of plain text, which can be read from any place. */
export class PlainFile implements AsyncDisposable {
  /** Position of the first line. */
  readonly first: number;
  readonly size: number;
  readonly #path: string;
  readonly #handle: FileHandle;
  /** Offset at which reading ends; later bytes are not read. */
  readonly #end: number;
  readonly #age: Age | null;

  private constructor(
    path: string,
    handle: FileHandle,
    range: { readonly first: number; readonly size: number; readonly wholeLines: boolean },
    age: Age | null,
  ) {
    this.#path = path;
    this.#handle = handle;
    this.first = range.first;
    this.size = range.size;
    this.#end = range.wholeLines ? range.size : Infinity;
    this.#age = age;
  }

  /**
   * Null for what can be read from its beginning alone: packed files, those of an archive, pipes, UTF-16, and lines that end in another way.
   * @param wholeLines the file ends behind its last line that has an end, as it is now
   */
  static async open(path: string, { wholeLines = false } = {}): Promise<PlainFile | null> {
    if (isStandardInput(path)) return null;
    const handle = await openFile(path).catch(() => null);
    if (handle === null) return null;
    const { size } = await handle.stat();
    const kind = probe(await readAt(handle, 0, Math.min(size, PROBE_BYTES)));
    const age = await ageOf(path).catch(() => null);
    if (age !== null && kind.kind === 'text' && kind.encoding === 'utf-8' && kind.lineEnd === undefined)
      return new PlainFile(
        path,
        handle,
        { first: Math.min(kind.bom, size), size: wholeLines ? await endOfLines(handle, size) : size, wholeLines },
        age,
      );
    await handle.close();
    return null;
  }

  /** The text from the first line on that begins at or behind a byte. @param bytes that are read at most */
  from(at: number, bytes = Infinity): TextSource {
    return new TextSource({ name: this.#path, chunks: this.#lines(at, Math.min(at + bytes, this.#end)), isText: true, age: this.#age, at });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }

  async *#lines(from: number, to: number): Chunks {
    // The byte before tells whether a line begins here.
    let position = from > this.first ? from - 1 : from;
    let isTorn = from > this.first;
    while (position < to) {
      const bytes = await readAt(this.#handle, position, Math.min(READ_BYTES, to - position));
      if (bytes.length === 0) return;
      position += bytes.length;
      const begin = isTorn ? bytes.indexOf(NEWLINE) + 1 : 0;
      if (isTorn && begin === 0) continue;
      isTorn = false;
      if (begin < bytes.length) yield bytes.subarray(begin);
    }
  }
}

/** The position behind the last end of a line. */
async function endOfLines(handle: FileHandle, size: number): Promise<number> {
  for (let end = size; end > 0;) {
    const begin = Math.max(0, end - READ_BYTES);
    const found = (await readAt(handle, begin, end - begin)).lastIndexOf(NEWLINE);
    if (found >= 0) return begin + found + 1;
    end = begin;
  }
  return 0;
}
