import { open, rm, statfs } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { EngineError } from '../../base/errors.ts';
import { makeFolder } from '../../base/files/folders.ts';
import { ArchiveReader, type Part } from './archive.ts';
import { checkManifest, type Manifest, type ManifestFile } from './manifest.ts';

/** Most bytes of records that are unpacked. */
const MOST_BYTES = 64 * 2 ** 30;
/** Bytes that stay free on the disk. */
const FREE_BYTES = 2 ** 30;

/** Reads the manifest of a workspace. @throws {EngineError} `workspace.damaged` */
export async function readManifest(path: string): Promise<Manifest> {
  await using reader = new ArchiveReader(path);
  return checkManifest(await reader.head(), path);
}

/** Bytes of the records that come with a workspace. */
export const packedBytes = ({ files }: Manifest): number => files.reduce((sum, { records }) => sum + (records ?? 0), 0);

/**
 * Writes the records of a workspace into a new folder, a file for each source; they get names of their own, whatever the workspace calls them.
 * @param manifest as it was read before: a file that has changed since is refused
 * @returns the folder, null where there are no records, and the paths of the files in the order of the manifest, null for those without records
 * @throws {EngineError} `workspace.damaged`, `workspace.room`
 */
export async function unpackRecords(
  path: string,
  manifest: Manifest,
  parent: string,
): Promise<{ folder: string | null; places: (string | null)[] }> {
  const bytes = packedBytes(manifest);
  if (manifest.files.every(({ records }) => records === null)) return { folder: null, places: manifest.files.map(() => null) };
  await makeFolder(parent, 0o700);
  await checkRoom(path, bytes, parent);
  const folder = join(parent, randomBytes(8).toString('hex'));
  try {
    await using reader = new ArchiveReader(path);
    const again = checkManifest(await reader.head(), path);
    if (JSON.stringify(again) !== JSON.stringify(manifest)) throw damaged(path, 'it changed while it was read');
    const places: (string | null)[] = [];
    for (const [i, file] of manifest.files.entries()) {
      if (file.records === null) places.push(null);
      else places.push(await writePart(reader.part(), join(folder, String(i)), file, path));
    }
    await reader.end();
    return { folder, places };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function checkRoom(path: string, bytes: number, parent: string): Promise<void> {
  const { bavail, bsize } = await statfs(parent);
  const room = Math.min(MOST_BYTES, bavail * bsize - FREE_BYTES);
  if (bytes <= room) return;
  const size = (count: number): string => `${(Math.max(0, count) / 2 ** 20).toFixed(0)} MiB`;
  throw new EngineError('workspace.room', `The records of ${path} take ${size(bytes)}, and there is room for ${size(room)}.`);
}

/** Writes one part into a new file. @returns its path */
async function writePart(part: Part, folder: string, { label, records }: ManifestFile, path: string): Promise<string> {
  await makeFolder(folder, 0o700);
  const place = join(folder, plainName(label));
  const file = await open(place, 'wx', 0o600);
  try {
    let left = records ?? 0;
    for await (const piece of part) {
      left -= piece.length;
      if (left < 0) throw damaged(path, `the records of ${label} are more than it says`);
      await file.appendFile(piece);
    }
    if (left > 0) throw damaged(path, `the records of ${label} are fewer than it says`);
  } finally {
    await file.close();
  }
  return place;
}

const damaged = (path: string, why: string): EngineError => new EngineError('workspace.damaged', `${path} cannot be opened: ${why}.`);

/** A name for a file that is one on every system, as like the given one as can be. */
function plainName(label: string): string {
  const name = basename(label.replaceAll('\\', '/'))
    .replaceAll(/[^\w.+@=-]+/g, '_')
    .replace(/^\.+/, '')
    .slice(-100);
  return name === '' ? 'records.log' : name;
}
