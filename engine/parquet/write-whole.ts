import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { readlinkSync } from 'node:fs';
import { link, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '../base/errors.ts';
import { once } from '../base/once.ts';
import { makeFolder } from '../base/files/folders.ts';
import { isRunning } from '../base/process/is-running.ts';

/** Tells machines apart that write into one folder, and containers: the same number may be another process there. */
const machineMark = once((): string => createHash('sha256').update(`${hostname()}${processNumbers()}`).digest('hex').slice(0, 8));

/** Names the numbers of processes that are valid here. Empty where the system has no others. */
function processNumbers(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
/** Name of a file before it is whole, with the process that writes it: readers pass over names that begin with a dot. */
const draftOf = (name: string): string => `.${name}.${machineMark()}-${process.pid}.part`;
const DRAFT = /^\..+\.(?:parquet|json|gz)(?:\.([\da-f]{8})-(\d+))?\.part$/;

/** Modes of what is made. */
export interface Modes {
  readonly file: number;
  readonly folder: number;
}

/** A name that no other file has, and that begins with the time. */
export const newName = (): string =>
  `${new Date().toISOString().slice(0, 19).replaceAll(':', '')}Z-${randomBytes(6).toString('hex')}.parquet`;

/**
 * Writes a file that others see whole or not at all, under a new name in a folder, which is made. What a crash leaves
 * is a draft, which `removeDrafts` removes.
 * @throws the system's error; then nothing is left
 */
export async function writeWhole(folder: string, bytes: Uint8Array, modes: Modes): Promise<string> {
  const path = join(folder, newName());
  await writeDraft(path, bytes, modes, (draft) => rename(draft, path));
  return path;
}

/**
 * Does the same under a name that only the first one gets, whoever else tries, on this machine or another.
 * @returns false: there is a file of that name already
 * @throws the system's error; then nothing is left
 */
export async function createWhole(path: string, bytes: Uint8Array, modes: Modes): Promise<boolean> {
  let isFirst = true;
  await writeDraft(path, bytes, modes, async (draft) => {
    await link(draft, path).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
      isFirst = false;
    });
    await rm(draft, { force: true });
  });
  return isFirst;
}

/** @param finish gives the draft its name */
async function writeDraft(path: string, bytes: Uint8Array, modes: Modes, finish: (draft: string) => Promise<void>): Promise<void> {
  const folder = dirname(path);
  await makeFolder(folder, modes.folder);
  const draft = join(folder, draftOf(`${randomBytes(4).toString('hex')}-${basename(path)}`));
  try {
    {
      await using handle = await open(draft, 'wx', modes.file);
      await handle.writeFile(bytes);
      await handle.sync();
    }
    await finish(draft);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(folder);
}

/** Brings the entry of a file to the disk. Some file systems cannot do that for a folder; the file itself is there. */
async function syncFolder(folder: string): Promise<void> {
  try {
    await using handle = await open(folder);
    await handle.sync();
  } catch {
    // The name is as safe as the file system makes it.
  }
}

/**
 * Removes drafts that crashes left below a folder: those of processes of this machine that have ended, and of others that were not written to for long.
 * @param ageMs how long that is: longer than it takes to write a file
 */
export async function removeDrafts(root: string, ageMs: number): Promise<void> {
  const names = await readdir(root, { recursive: true }).catch(() => []);
  for (const path of names.map((name) => join(root, name))) {
    const draft = DRAFT.exec(basename(path));
    if (draft === null) continue;
    const [, machine, pid] = draft;
    const info = await stat(path).catch(() => null);
    const isEnded = machine === machineMark() && !isRunning(Number(pid));
    if (isEnded || (info !== null && Date.now() - info.mtimeMs >= ageMs)) await rm(path, { force: true }).catch(() => undefined);
  }
}
