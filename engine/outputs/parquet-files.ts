import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../folders.ts';

const NS_PER_HOUR = 3_600_000_000_000n;
/** What tools for such folders call the partition of rows without a value. */
const NO_VALUE = '__HIVE_DEFAULT_PARTITION__';
/** Longest name of a folder; file systems allow 255 bytes. */
const MAX_NAME = 200;

/** The folder below the root for the messages of a type and hour, as `Type=nginx.access/Hour=2026-11-01-05` (UTC). */
export function partitionOf(type: string | undefined, timestamp: bigint): string {
  const hours = timestamp / NS_PER_HOUR - (timestamp % NS_PER_HOUR < 0n ? 1n : 0n);
  const hour = new Date(Number(hours) * 3_600_000).toISOString().slice(0, 13).replace('T', '-');
  return join(`Type=${type === undefined || type === '' ? NO_VALUE : escaped(type)}`, `Hour=${hour}`);
}

/** Escapes all that a path, or a reader of partitions, may take for something else. A name that is too long is cut. */
function escaped(type: string): string {
  const whole = type.toWellFormed().replace(/[^\w.@ -]|^\./gu, (character) => encodeURIComponent(character).replace(/^\.$/, '%2E'));
  const percent = whole.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  return percent.length <= MAX_NAME ? percent : percent.slice(0, MAX_NAME).replace(/%[\dA-F]?$/, '');
}

/**
 * Writes a file that others see whole or not at all, under a new name in a folder, which is made. A draft that a crash leaves has a name that
 * begins with a dot, which readers pass over.
 * @throws the system's error; then nothing is left
 */
export async function writeWhole(
  folder: string,
  bytes: Uint8Array,
  modes: { readonly file: number; readonly folder: number },
): Promise<string> {
  await makeFolder(folder, modes.folder);
  const name = `${new Date().toISOString().slice(0, 19).replaceAll(':', '')}Z-${randomBytes(6).toString('hex')}.parquet`;
  const draft = join(folder, `.${name}.part`);
  const path = join(folder, name);
  try {
    {
      await using handle = await open(draft, 'wx', modes.file);
      await handle.writeFile(bytes);
      await handle.sync();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(path));
  return path;
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
