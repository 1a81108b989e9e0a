import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { openFile } from '../../inputs/shared/open-file.ts';
import { storedPlaces, storedTableAt } from './stored-table.ts';

/** The logs of a folder. */
export interface FolderLogs {
  /** Paths, and patterns where a log has older files beside it: one for each source. */
  readonly locations: readonly string[];
  /** Files that are no logs: binary or empty ones, and those beyond the bounds. */
  readonly left: number;
}

const [DEEPEST, MOST_FILES, MOST_LOGS] = [16, 20_000, 200];
const HEAD_BYTES = 1024;
/** Compressed forms that are read, and byte order marks of UTF-16. */
const PACKED = [
  [0x1f, 0x8b],
  [0x28, 0xb5, 0x2f, 0xfd],
  [0xff, 0xfe],
  [0xfe, 0xff],
];
/** Endings that rotation adds to the name of a log: numbers and dates, and that of a packed file. */
const OLDER = /(?:[.-]\d{1,3}|[._-]\d{4}-?\d\d-?\d\d(?:[-T._]?\d{1,6})*)?(?:\.(?:gz|zst))?$/;
const WILD = /[*?[\]{}]/;

/** The sources of a path: the tables of a store, the logs of another folder, else itself. @throws {EngineError} for a store that cannot be read */
export async function locationsOf(path: string): Promise<FolderLogs> {
  const tables = await storedPlaces(path);
  if (tables !== null) return { locations: tables, left: 0 };
  if ((await storedTableAt(path)) !== null) return { locations: [path], left: 0 };
  const info = await stat(path).catch(() => null);
  return info?.isDirectory() === true ? logsIn(path) : { locations: [path], left: 0 };
}

/** Finds the logs in a folder and below it. Hidden ones, binary ones, and what is no file are left out; links to folders are not followed. */
export async function logsIn(folder: string): Promise<FolderLogs> {
  const files: string[] = [];
  await collect(folder, 0, files);
  const kept: string[] = [];
  for (const path of files.sort()) if (await isText(path)) kept.push(path);
  const locations = grouped(kept, files);
  return { locations: locations.slice(0, MOST_LOGS), left: files.length - kept.length + Math.max(0, locations.length - MOST_LOGS) };
}

async function collect(folder: string, depth: number, files: string[]): Promise<void> {
  // A file without the right to read is no log of this user.
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    if (files.length >= MOST_FILES) return;
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) {
      if (depth < DEEPEST) await collect(path, depth + 1, files);
    } else if (entry.isFile() || (entry.isSymbolicLink() && (await stat(path).catch(() => null))?.isFile() === true)) files.push(path);
  }
}

/** Whether a file has text in it, packed or not. */
async function isText(path: string): Promise<boolean> {
  const handle = await openFile(path).catch(() => null);
  if (handle === null) return false;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const head = buffer.subarray(0, bytesRead);
    return bytesRead > 0 && (PACKED.some((magic) => magic.every((byte, i) => head[i] === byte)) || !head.includes(0));
  } catch {
    return false;
  } finally {
    await handle.close();
  }
}

/** A log and its older files are one source: a pattern, as long as it means no other file of the folder. */
function grouped(paths: readonly string[], all: readonly string[]): string[] {
  const groups = Map.groupBy(paths, (path) => join(dirname(path), basename(path).replace(OLDER, '')));
  return [...groups].flatMap(([stem, members]) => {
    if (members.length === 1) return members;
    const meant = all.filter((path) => path.startsWith(stem) && dirname(path) === dirname(stem));
    return WILD.test(stem) || basename(stem) === '' || meant.length > members.length ? members : [`${stem}*`];
  });
}
