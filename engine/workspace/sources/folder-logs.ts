import { readdir, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { memberPath, openArchive } from '../../inputs/archive/archive.ts';
import { whyNoText } from '../../inputs/archive/member-check.ts';
import type { LeftOut } from '../../inputs/archive/types.ts';
import { errorCode, messageOf } from '../../base/errors.ts';
import { isLossy } from '../../inputs/notices.ts';
import { PROBE_BYTES } from '../../inputs/probe.ts';
import { openFile } from '../../inputs/shared/open-file.ts';
import { storedPlaces, storedTableAt } from './stored-table.ts';

/** The logs of a folder. */
export interface FolderLogs {
  /** Paths, and patterns where a log has older files beside it: one for each source. */
  readonly locations: readonly string[];
  /** Files that are not opened, by their names below the folder or in the archive. */
  readonly leftOut: readonly LeftOut[];
  /** Logs that the next opening adds; absent: none. */
  readonly next?: number;
}

const [DEEPEST, MOST_FILES, MOST_LOGS] = [16, 20_000, 200];
/** Endings that rotation adds to the name of a log: numbers and dates, and that of a packed file. */
const OLDER = /(?:[.-]\d{1,3}|[._-]\d{4}-?\d\d-?\d\d(?:[-T._]?\d{1,6})*)?(?:\.(?:gz|zst|bz2|xz|lz4))?$/;
const WILD = /[*?[\]{}]/;

/** The sources of a path: the tables of a store, the logs of another folder or of an archive, else itself. @throws {EngineError} for a store that cannot be read */
export async function locationsOf(path: string, open: ReadonlySet<string> = new Set()): Promise<FolderLogs> {
  const tables = await storedPlaces(path);
  if (tables !== null) return { locations: tables, leftOut: [] };
  if ((await storedTableAt(path)) !== null) return { locations: [path], leftOut: [] };
  const info = await stat(path).catch(() => null);
  if (info?.isDirectory() === true) return logsIn(path, open);
  return (await logsInArchive(path, '', open)) ?? { locations: [path], leftOut: [] };
}

/** The logs of an archive; null: it is none. @param name of the archive below a folder; none when it is opened by itself */
async function logsInArchive(path: string, name: string, open: ReadonlySet<string>): Promise<FolderLogs | null> {
  try {
    const archive = await openArchive(path);
    if (archive === null) return null;
    const within = name === '' ? '' : `${name}/`;
    const locations = archive.members.map((member) => memberPath(path, member));
    const leftOut = archive.leftOut.map((one) => ({ ...one, name: within + one.name }));
    return bounded(locations, { leftOut, nameOf: (location) => within + location.slice(path.length + 1), open });
  } catch (error) {
    if (errorCode(error) === '') throw error;
    return { locations: [], leftOut: [{ name: name === '' ? basename(path) : name, why: messageOf(error), isLoss: true }] };
  }
}

const BEYOND = `${MOST_LOGS} logs are opened at once: open it again for more`;

/** The first locations that are opened at once, beside those that are open. */
function bounded(locations: readonly string[], { leftOut, nameOf, open }: Bounds): FolderLogs {
  const beyond = new Set(locations.filter((location) => !open.has(location)).slice(MOST_LOGS));
  const left = [...beyond].map((path) => ({ name: nameOf(path), why: BEYOND, isLoss: true }));
  const all = { locations: locations.filter((location) => !beyond.has(location)), leftOut: [...left, ...leftOut] };
  return beyond.size === 0 ? all : { ...all, next: Math.min(beyond.size, MOST_LOGS) };
}

interface Bounds {
  readonly leftOut: readonly LeftOut[];
  readonly nameOf: (location: string) => string;
  /** Locations that are sources already. */
  readonly open: ReadonlySet<string>;
}

/** Finds the logs in a folder and below it, and in archives there. Hidden ones, binary ones, and what is no file are left out; links to folders are not followed. */
export async function logsIn(folder: string, open: ReadonlySet<string> = new Set()): Promise<FolderLogs> {
  const files: string[] = [];
  const leftOut: LeftOut[] = [];
  const nameOf = (path: string): string => relative(folder, path);
  const leave = (path: string, why: string): void => void leftOut.push({ name: nameOf(path), why, isLoss: isLossy(path) });
  await collect(folder, { depth: 0, files, leave });
  const kept: string[] = [];
  const inArchives: string[] = [];
  for (const path of files.sort()) {
    const archive = await logsInArchive(path, nameOf(path), open);
    if (archive !== null) {
      inArchives.push(...archive.locations);
      leftOut.push(...archive.leftOut);
      continue;
    }
    const why = await whyLeftOut(path);
    if (why === null) kept.push(path);
    else leave(path, why);
  }
  return bounded([...grouped(kept, files), ...inArchives], { leftOut, nameOf, open });
}

interface Collected {
  readonly depth: number;
  readonly files: string[];
  readonly leave: (path: string, why: string) => void;
}

async function collect(folder: string, { depth, files, leave }: Collected): Promise<void> {
  // A folder without the right to read has no log of this user.
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (files.length >= MOST_FILES) return leave(path, `there are more than ${MOST_FILES.toLocaleString('en')} files`);
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) {
      if (depth < DEEPEST) await collect(path, { depth: depth + 1, files, leave });
      else leave(path, `it lies deeper than ${DEEPEST} folders`);
    } else if (entry.isFile() || (entry.isSymbolicLink() && (await stat(path).catch(() => null))?.isFile() === true)) files.push(path);
    else if (!entry.isSymbolicLink()) leave(path, 'it is a pipe, a socket or a device');
  }
}

/** Why a file is no log; null: it has text in it, packed or not. */
async function whyLeftOut(path: string): Promise<string | null> {
  let handle: FileHandle;
  try {
    handle = await openFile(path);
  } catch (error) {
    if (isLossy(path)) return 'its name is not UTF-8: rename it';
    return ['EACCES', 'EPERM'].includes(errorCode(error)) ? 'it may not be read by this user' : `it cannot be read (${messageOf(error)})`;
  }
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(PROBE_BYTES), 0, PROBE_BYTES, 0);
    return whyNoText(buffer.subarray(0, bytesRead));
  } catch (error) {
    return `it cannot be read (${messageOf(error)})`;
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
