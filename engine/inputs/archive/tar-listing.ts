import type { FileHandle } from 'node:fs/promises';
import { messageOf } from '../../base/errors.ts';
import { readAt } from '../../base/files/read-at.ts';
import { fileChunks, type Chunks } from '../chunks.ts';
import { decompressed, isDamaged } from '../decompress.ts';
import { TooLargeError } from '../packed/errors.ts';
import { PROBE_BYTES, type Compression } from '../probe.ts';
import { LeftOutFiles } from './left-out.ts';
import { memberName, whyNoLog, whyRefused } from './member-check.ts';
import { Spool } from './spool.ts';
import { tarEntries, TarStream, type TarEntry, type TarSource } from './tar.ts';
import { openFile } from '../shared/open-file.ts';
import type { ArchiveBounds, Listing, Member } from './types.ts';

const KINDS: Readonly<Record<string, string>> = {
  '1': 'it is a link',
  '2': 'it is a link',
  '3': 'it is a device',
  '4': 'it is a device',
  '6': 'it is a pipe',
  S: 'it is a sparse file',
};
const [FILE, CONTIGUOUS, FOLDER] = ['0', '7', '5'];
const COPY_BYTES = 256 << 10;

/** A log and where its bytes are. */
interface Placed {
  readonly member: Member;
  readonly at: number;
}

/** A place for the content of a log. */
interface Shelf {
  /** Takes the content, of which the source stands behind `head`. Returns where it is and how much of it there was. */
  put(head: Buffer, source: TarSource, size: number): Promise<{ readonly at: number; readonly size: number }>;
}

/** The logs of a tar archive that is not packed: they are read where they lie. */
export async function listTar(path: string, fileSize: number, bounds: ArchiveBounds): Promise<Listing> {
  const handle = await openFile(path);
  try {
    const source = new TarFile(handle, fileSize);
    const shelf: Shelf = {
      put: (head, { position }, size) => {
        const at = position - head.length;
        return Promise.resolve({ at, size: Math.min(size, fileSize - at) });
      },
    };
    const { placed, leftOut } = await placedLogs(source, shelf, bounds);
    return listing(
      placed,
      leftOut,
      (at, size) => partOf(path, at, size),
      () => undefined,
    );
  } finally {
    await handle.close();
  }
}

/** The logs of a packed tar archive, which are unpacked to a spool. */
export async function listPackedTar(path: string, format: Compression, bounds: ArchiveBounds): Promise<Listing> {
  const handle = await openFile(path);
  const spool = new Spool();
  const source = new TarStream(decompressed(fileChunks(handle), format, bounds));
  try {
    const shelf: Shelf = {
      put: async (head, from, size) => {
        const at = spool.size;
        spool.add(head);
        for (let left = size - head.length; left > 0;) {
          // Files before the damage are kept.
          const piece = await from.take(Math.min(left, COPY_BYTES)).catch((error: unknown) => {
            throw cutAt(error, at, spool.size - at);
          });
          if (piece.length === 0) break;
          spool.add(piece);
          left -= piece.length;
        }
        return { at, size: spool.size - at };
      },
    };
    const { placed, leftOut } = await placedLogs(source, shelf, bounds);
    spool.end();
    return listing(
      placed,
      leftOut,
      (at, size) => spool.read(at, size),
      () => spool.close(),
    );
  } catch (error) {
    spool.close();
    throw error;
  } finally {
    await source.close();
    await handle.close();
  }
}

/** The reading of a log was cut short. */
class CutError extends Error {
  override readonly name = 'CutError';
  readonly at: number;
  readonly size: number;

  constructor(cause: unknown, at: number, size: number) {
    super(messageOf(cause), { cause });
    this.at = at;
    this.size = size;
  }
}

const cutAt = (error: unknown, at: number, size: number): unknown => (isDamaged(error) ? new CutError(error, at, size) : error);

interface PlacedLogs {
  readonly placed: ReadonlyMap<string, Placed>;
  readonly leftOut: LeftOutFiles;
}

/** Goes through an archive, up to damage or a bound, which are told beside what was left out. */
async function placedLogs(source: TarSource, shelf: Shelf, bounds: ArchiveBounds): Promise<PlacedLogs> {
  const placed = new Map<string, Placed>();
  const leftOut = new LeftOutFiles();
  let current: TarEntry | null = null;
  let entries = 0;
  const place = ({ writtenNs }: TarEntry, name: string, { at, size }: { readonly at: number; readonly size: number }): void => {
    // Of files with the same name, the last one is the newest.
    placed.delete(name);
    if (size > 0) placed.set(name, { at, member: { name, size, writtenNs } });
  };
  try {
    for await (const entry of tarEntries(source)) {
      current = entry;
      const name = memberName(entry.name);
      if (entry.type === FOLDER || (entry.type === FILE && entry.name.endsWith('/'))) continue;
      if (++entries > bounds.members) throw new TooLargeError(`more than ${bounds.members.toLocaleString('en')} files`);
      if (source.position + entry.size > bounds.bytes) throw new TooLargeError(`more than ${bounds.bytes / 2 ** 30} GiB`);
      const why = whyRefused(name) ?? (entry.type === FILE || entry.type === CONTIGUOUS ? null : (KINDS[entry.type] ?? 'it is no file'));
      if (why !== null) {
        leftOut.add({ name, why, isLoss: entry.type === 'S' });
        continue;
      }
      const head = Buffer.from(await source.take(Math.min(entry.size, PROBE_BYTES)));
      const problem = await whyNoLog(name, head);
      if (problem !== null) leftOut.add(problem);
      else place(entry, name, await shelf.put(head, source, entry.size));
    }
  } catch (error) {
    const cause = error instanceof CutError ? error.cause : error;
    if (!isDamaged(cause)) throw error;
    const name = current === null ? 'its beginning' : memberName(current.name);
    if (error instanceof CutError && current !== null) place(current, name, error);
    const what =
      cause instanceof TooLargeError ? `the archive holds ${messageOf(cause)}` : `it is damaged or ends too early: ${messageOf(cause)}`;
    leftOut.lose(name, `${what}; what came before was read, and nothing behind it`);
  }
  return { placed, leftOut };
}

function listing(
  placed: ReadonlyMap<string, Placed>,
  leftOut: LeftOutFiles,
  read: (at: number, size: number) => Chunks,
  close: () => void,
): Listing {
  return {
    form: 'tar',
    members: [...placed.values()].map(({ member }) => member),
    leftOut: leftOut.all,
    read: (name) => {
      const { at, member } = placed.get(name) as Placed;
      return read(at, member.size);
    },
    close,
  };
}

/** A part of a file. */
async function* partOf(path: string, at: number, size: number): Chunks {
  const handle = await openFile(path);
  try {
    let left = size;
    for await (const chunk of fileChunks(handle, at)) {
      const part = chunk.subarray(0, left);
      left -= part.length;
      yield part;
      if (left === 0) return;
    }
  } finally {
    await handle.close();
  }
}

/** A file as a source, of which the content of entries is not read. */
class TarFile implements TarSource {
  readonly #handle: FileHandle;
  readonly #size: number;
  position = 0;

  constructor(handle: FileHandle, size: number) {
    this.#handle = handle;
    this.#size = size;
  }

  async take(count: number): Promise<Buffer> {
    const bytes = await readAt(this.#handle, this.position, Math.min(count, Math.max(0, this.#size - this.position)));
    this.position += bytes.length;
    return bytes;
  }

  skip(count: number): Promise<boolean> {
    this.position += count;
    return Promise.resolve(this.position <= this.#size);
  }
}
