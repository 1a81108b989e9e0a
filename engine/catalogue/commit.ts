import { gunzipSync, gzipSync } from 'node:zlib';
import { EngineError } from '../base/errors.ts';
import type { Layout } from '../parquet/message-table.ts';
import { newName } from '../parquet/write-whole.ts';

/** Folder of the log within a lake. Readers of Hive's partitions pass over names that begin so. */
export const LOG = '_log';
/** Version of its files. */
const VERSION = 1;
/** Bytes of an unpacked file of the log. */
const MOST_BYTES = 1 << 30;

/** A Parquet file that belongs to a lake. */
export interface LakeFile {
  /** Within the lake, with `/`. */
  readonly path: string;
  /** null: its messages have none. */
  readonly type: string | null;
  readonly rows: number;
  readonly bytes: number;
  /** Times of its first and its last message, in nanoseconds. */
  readonly least: bigint;
  readonly most: bigint;
  readonly uuids: boolean;
  readonly layout: Layout;
  /** Headers that no row has. */
  readonly unused: readonly string[];
}

export type CommitKind = 'adopt' | 'write' | 'compact' | 'expire' | 'clean';

/** Changes of one step; all of them take effect at once. */
export interface Commit {
  /** Tells it apart from that of another writer. */
  readonly id: string;
  readonly kind: CommitKind;
  readonly timeMs: number;
  readonly add: readonly LakeFile[];
  readonly remove: readonly string[];
}

/** All files after a number of commits. */
export interface Snapshot {
  /** Number of its last commit; 0: there was none. */
  readonly number: number;
  readonly files: ReadonlyMap<string, LakeFile>;
  /** Files that do not belong to it any more and may still be there, with the times at which they were removed. */
  readonly removed: ReadonlyMap<string, number>;
}

export const EMPTY: Snapshot = { number: 0, files: new Map(), removed: new Map() };

const numbered = (number: number): string => String(number).padStart(12, '0');
export const commitPath = (number: number): string => `${LOG}/${numbered(number)}.json`;
export const snapshotPath = (number: number): string => `${LOG}/${numbered(number)}.snapshot.json.gz`;

/** A new path for a file that we write. */
export const newPath = (folder: string): string => `${folder}/${newName().replace(/\.parquet$/, '.lake.parquet')}`;
const NAME = String.raw`/\d{4}-\d{2}-\d{2}T\d{6}Z-[\da-f]{12}`;
/** Paths of files that we have written; others may have been put beside them. */
export const OWN_PATH = new RegExp(`${NAME}\\.lake\\.parquet$`);
/** Those of files that programs write which know of no log: earlier versions. */
export const OLDER_PATH = new RegExp(`${NAME}\\.parquet$`);

/** A name of the log; null: it is something else. */
export function logEntry(path: string): { readonly number: number; readonly isSnapshot: boolean } | null {
  const match = /^_log\/(\d{12})(\.snapshot)?\.json(\.gz)?$/.exec(path);
  return match === null || (match[2] === undefined) !== (match[3] === undefined)
    ? null
    : { number: Number(match[1]), isSnapshot: match[2] !== undefined };
}

/** Descriptions of columns, which are alike in many files, are written once. */
class Layouts {
  readonly list: Layout[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(layout: Layout): number {
    const text = JSON.stringify(layout);
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.list.length);
    return this.list.push(layout) - 1;
  }
}

interface WrittenFile extends Omit<LakeFile, 'least' | 'most' | 'layout'> {
  readonly least: string;
  readonly most: string;
  readonly layout: number;
}

interface Written {
  readonly version: number;
  readonly time: string;
  readonly layouts: readonly Layout[];
}

interface WrittenCommit extends Written {
  readonly id: string;
  readonly kind: CommitKind;
  readonly add: readonly WrittenFile[];
  readonly remove: readonly string[];
}

interface WrittenSnapshot extends Written {
  readonly files: readonly WrittenFile[];
  readonly removed: readonly { readonly path: string; readonly time: string }[];
}

const writtenFile = (file: LakeFile, layouts: Layouts): WrittenFile => ({
  ...file,
  least: String(file.least),
  most: String(file.most),
  layout: layouts.numberOf(file.layout),
});

const timeText = (ms: number): string => new Date(ms).toISOString();

export function encodeCommit({ id, kind, timeMs, add, remove }: Commit): Buffer {
  const layouts = new Layouts();
  const files = add.map((file) => writtenFile(file, layouts));
  const written: WrittenCommit = { version: VERSION, id, kind, time: timeText(timeMs), layouts: layouts.list, add: files, remove };
  return Buffer.from(`${JSON.stringify(written)}\n`);
}

export function encodeSnapshot({ files, removed }: Snapshot, timeMs: number): Buffer {
  const layouts = new Layouts();
  const written: WrittenSnapshot = {
    version: VERSION,
    time: timeText(timeMs),
    files: [...files.values()].map((file) => writtenFile(file, layouts)),
    layouts: layouts.list,
    removed: [...removed].map(([path, ms]) => ({ path, time: timeText(ms) })),
  };
  return gzipSync(`${JSON.stringify(written)}\n`);
}

/** @throws {EngineError} `store.unreadable` */
export const decodeCommit = (bytes: Buffer, path: string): Commit =>
  decoded(path, () => {
    const { id, kind, time, layouts, add, remove } = parsed<WrittenCommit>(bytes);
    return { id, kind, timeMs: Date.parse(time), add: add.map((file) => readFile(file, layouts)), remove };
  });

/** @throws {EngineError} `store.unreadable` */
export const decodeSnapshot = (bytes: Buffer, path: string, number: number): Snapshot =>
  decoded(path, () => {
    const { files, layouts, removed } = parsed<WrittenSnapshot>(gunzipSync(bytes, { maxOutputLength: MOST_BYTES }));
    return {
      number,
      files: new Map(files.map((file) => [file.path, readFile(file, layouts)])),
      removed: new Map(removed.map(({ path: of, time }) => [of, Date.parse(time)])),
    };
  });

function decoded<T>(path: string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw new EngineError('store.unreadable', `${path} of the lake is damaged (${text})`, { cause: error });
  }
}

function parsed<T extends Written>(bytes: Buffer): T {
  const written = JSON.parse(bytes.toString('utf8')) as T;
  if (written.version !== VERSION) throw new Error(`its version is ${String(written.version)}, and ${VERSION} is known`);
  return written;
}

/** Paths come from others: none may lead out of the lake, or into its log. */
function readFile({ least, most, layout, ...file }: WrittenFile, layouts: readonly Layout[]): LakeFile {
  const described = layouts[layout];
  if (described === undefined) throw new Error(`${file.path} has no description`);
  const parts = file.path.split('/');
  if (!file.path.endsWith('.parquet') || parts.some((part) => part === '' || /^[._]/.test(part) || /[\\\0]/.test(part)))
    throw new Error(`${file.path} is no path of a lake`);
  return { ...file, least: BigInt(least), most: BigInt(most), layout: described };
}

/** Applies a commit. Files that it removes stay known until they are deleted. */
export function applyTo(
  files: Map<string, LakeFile>,
  removed: Map<string, number>,
  { add, remove, timeMs }: Pick<Commit, 'add' | 'remove' | 'timeMs'>,
): void {
  for (const path of remove) {
    files.delete(path);
    removed.set(path, timeMs);
  }
  for (const file of add) files.set(file.path, file);
}
