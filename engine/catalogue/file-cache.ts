import { createHash } from 'node:crypto';
import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createWhole } from '../parquet/write-whole.ts';

/** Bytes that are kept. What one query needs is there as a whole, even if it is more. */
const MOST_BYTES = 8 * 2 ** 30;
/** Milliseconds for which a file stays in any case. */
const RECENT_MS = 600_000;

const folderOfUser = (): string => join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'sluicebox', 'lake');

/** Copies of files that never change, by their addresses, for all programs of a user. */
export class FileCache {
  readonly folder: string;
  readonly #most: number;
  #isBounded = false;

  constructor(folder = folderOfUser(), most = MOST_BYTES) {
    this.folder = folder;
    this.#most = most;
  }

  /** The path of a copy. @param fetch gets the file if there is none */
  async get(address: string, fetch: () => Promise<Uint8Array>): Promise<string> {
    const path = join(this.folder, `${createHash('sha256').update(address).digest('hex')}.parquet`);
    const now = new Date();
    const isThere = await utimes(path, now, now).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
    if (!this.#isBounded) await this.#bound();
    this.#isBounded = true;
    await createWhole(path, await fetch(), { file: 0o600, folder: 0o700 });
    return path;
  }

  /** Removes the copies that were not used for the longest time. */
  async #bound(): Promise<void> {
    const names = await readdir(this.folder).catch(() => []);
    const files = await Promise.all(
      names.map(async (name) => {
        const path = join(this.folder, name);
        const found = await stat(path).catch(() => null);
        return { path, bytes: found?.size ?? 0, usedMs: found?.mtimeMs ?? 0 };
      }),
    );
    let sum = files.reduce((total, { bytes }) => total + bytes, 0);
    for (const { path, bytes, usedMs } of files.sort((one, other) => one.usedMs - other.usedMs)) {
      if (sum <= this.#most || Date.now() - usedMs < RECENT_MS) return;
      await rm(path, { force: true });
      sum -= bytes;
    }
  }
}
