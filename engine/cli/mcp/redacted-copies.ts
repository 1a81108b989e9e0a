import { appendFile, mkdir, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { TextSource } from '../../inputs/shared/read.ts';
import { textAt } from '../../message/batch/batch.ts';
import type { Redactor } from '../../redact/redactor.ts';
import { namedFiles } from '../named-files.ts';
import { PlainFile } from '../view/plain-file.ts';
import { isWithin, type GrantedPlace } from '../../assistants/granted-places.ts';
import type { ReadPlace } from './granted-logs.ts';

/** Milliseconds after the last change from which a last line without an end is taken for a whole one. */
const WRITTEN_MS = 5000;

interface Copy {
  readonly path: string;
  /** The file that was read last, and how far. */
  inode: number;
  at: number;
}

/**
 * Copies of the granted logs with pseudonyms in them, to be read in their places: so there is no question whose answer could have an original, such as parts of
 * it that SQL takes out or turns around.
 */
export class RedactedCopies {
  readonly #folder: string;
  readonly #redactor: Redactor;
  readonly #complain: (text: string) => void;
  readonly #copies = new Map<string, Copy>();
  readonly #failed = new Set<string>();
  #made = 0;

  /** @param folder for the copies */
  constructor(folder: string, redactor: Redactor, complain: (text: string) => void) {
    this.#folder = folder;
    this.#redactor = redactor;
    this.#complain = complain;
  }

  /** Brings the copies up to date, and removes those of what is not granted any more. @returns their places */
  async places(granted: readonly GrantedPlace[]): Promise<ReadPlace[]> {
    for (const [file, { path }] of this.#copies) {
      if (await isWithin(file, granted)) continue;
      this.#copies.delete(file);
      await rm(dirname(path), { recursive: true, force: true });
    }
    for await (const { file, problem } of namedFiles(granted.map(({ path }) => path))) {
      try {
        if (problem !== undefined) throw problem;
        if (await isWithin(file, granted)) await this.#copy(file);
      } catch (error) {
        if (!this.#failed.has(file)) this.#complain(messageOf(error));
        this.#failed.add(file);
      }
    }
    return [...this.#copies].map(([original, { path }]) => ({ path, root: path, original }));
  }

  async #copy(file: string): Promise<void> {
    const copy = this.#copies.get(file) ?? (await this.#newCopy(file));
    const info = await stat(file).catch(() => null);
    // A file in an archive is read once.
    if (info === null) {
      if (copy.at === 0) await this.#append(copy, new TextSource(file), null);
      copy.at = 1;
      return;
    }
    if (info.ino === copy.inode && info.size === copy.at) return;
    const wholeLines = Date.now() - info.mtimeMs < WRITTEN_MS;
    await using plain = await PlainFile.open(file, { wholeLines });
    if (plain === null) {
      if (copy.inode !== info.ino) await this.#append(copy, new TextSource(file), info.mtime);
      copy.at = info.size;
    } else {
      const from = info.ino === copy.inode && copy.at <= plain.size ? copy.at : plain.first;
      if (plain.size > from) await this.#append(copy, plain.from(from, plain.size - from), info.mtime);
      copy.at = plain.size;
    }
    copy.inode = info.ino;
  }

  async #newCopy(file: string): Promise<Copy> {
    const folder = join(this.#folder, String(++this.#made));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const copy: Copy = { path: join(folder, basename(file)), inode: -1, at: 0 };
    this.#copies.set(file, copy);
    return copy;
  }

  /** @param written the time of dates that have no year; null: not known */
  async #append({ path }: Copy, source: TextSource, written: Date | null): Promise<void> {
    try {
      for await (const { batch } of source.records()) {
        const lines: string[] = [];
        for (let row = 0; row < batch.length; row++) lines.push(`${this.#redactor.text(textAt(batch.payload, row) ?? '')}\n`);
        await appendFile(path, lines.join(''), { mode: 0o600 });
      }
    } finally {
      await source.close();
    }
    if (written !== null) await utimes(path, written, written).catch(() => undefined);
  }
}
