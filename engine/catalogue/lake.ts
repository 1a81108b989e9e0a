import { randomUUID } from 'node:crypto';
import { EngineError, errorCode } from '../base/errors.ts';
import { adoptable } from './adopt.ts';
import {
  applyTo,
  commitPath,
  decodeCommit,
  decodeSnapshot,
  EMPTY,
  encodeCommit,
  LOG,
  logEntry,
  snapshotPath,
  type Commit,
  type CommitKind,
  type LakeFile,
  type Snapshot,
} from './commit.ts';
import type { LakeFiles } from './lake-files.ts';

/** Time for which files stay that no snapshot has any more, so that queries over earlier ones have their answers. */
const GRACE_MS = 900_000;
/** Age from which a file that no commit has is nobody's: that of a program that was killed, … */
export const ORPHAN_MS = 3_600_000;
/** … and age until which a program may enter it. */
const MOST_COMMIT_MS = ORPHAN_MS / 2;
/** Attempts to read a log whose files others remove meanwhile, and to be the next in it. */
const TRIES = 1000;

/** The log of a lake: what is in it is said by files with the numbers 1, 2, 3, …, of which each can be made once only. */
interface LogState {
  /** Number of the newest snapshot that is written; 0: there is none. */
  readonly snapshot: number;
  /** Number of the last commit without a gap before it. */
  readonly last: number;
}

/** Another writer has removed a file that this commit removes. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
}

/** Files were not entered for so long that others may have removed them. */
export class LateError extends Error {
  override readonly name = 'LateError';
}

/** Files that are whole, and the time at which the first of them was begun. */
export interface Added {
  readonly files: readonly LakeFile[];
  readonly writtenMs: number;
}

const NOTHING: Added = { files: [], writtenMs: Infinity };

/** Parquet files that any number of programs write and read at the same time. What is not in its log does not belong to it. */
export class Lake {
  readonly files: LakeFiles;
  readonly graceMs: number;
  #known: Snapshot = EMPTY;

  constructor(files: LakeFiles, { graceMs = GRACE_MS }: { readonly graceMs?: number | undefined } = {}) {
    this.files = files;
    this.graceMs = graceMs;
  }

  /** Whether there is a log. */
  async exists(): Promise<boolean> {
    return (await this.#state()).last > 0;
  }

  /**
   * All that belongs to the lake now. Its files stay for the grace time at least, whatever others do.
   * @throws {EngineError} `store.unreadable`
   */
  async snapshot(): Promise<Snapshot> {
    for (let left = TRIES; ; left--) {
      try {
        return (this.#known = await this.#read(await this.#state()));
      } catch (error) {
        // The listed files are in a newer snapshot.
        if (errorCode(error) !== 'ENOENT' || left === 0) throw error;
      }
    }
  }

  /** Enters a folder of files that earlier versions have written, which had no log. */
  async adopt(): Promise<void> {
    if (await this.exists()) return;
    const add = await adoptable(this.files);
    // Whoever is first has adopted it.
    await this.#create(1, { kind: 'adopt', add, remove: [] });
  }

  /**
   * Adds files. They are in the lake when it resolves, and all of them at once.
   * @throws {LateError} when they are to be written anew
   * @throws {Error} when it is not known whether they are in the lake
   */
  append(added: Added): Promise<number> {
    return this.#commitChange('write', [], added, () => undefined);
  }

  /**
   * Takes files out of the lake, and others into it that have the same messages, at once.
   * @throws {ConflictError} when one of them is no longer there
   */
  replace(kind: 'compact' | 'expire', remove: readonly string[], added: Added = NOTHING): Promise<number> {
    return this.#commitChange(kind, remove, added, ({ files }) => {
      const missing = remove.find((path) => !files.has(path));
      if (missing !== undefined) throw new ConflictError(`${missing} was removed by another program`);
    });
  }

  /** Says of files that no commit has that none may have them any more. They are deleted after the grace time. */
  async abandon(remove: readonly string[]): Promise<void> {
    if (remove.length === 0) return;
    await this.#commitChange('clean', remove, NOTHING, ({ files }) => {
      const used = remove.find((path) => files.has(path));
      if (used !== undefined) throw new ConflictError(`${used} was entered by another program`);
    });
  }

  /** @param check throws when the change does not fit to what is there */
  async #commitChange(
    kind: CommitKind,
    remove: readonly string[],
    { files, writtenMs }: Added,
    check: (now: Snapshot) => void,
  ): Promise<number> {
    for (let left = TRIES; left > 0; left--) {
      const now = await this.snapshot();
      check(now);
      // It was done by an attempt that did not get to know it.
      if (files.length > 0 && files.every(({ path }) => now.files.has(path))) return now.number;
      // Another program may have taken them for those of one that was killed. It does so by a commit, so this one gets another number then.
      if (Date.now() - writtenMs > MOST_COMMIT_MS || files.some(({ path }) => now.removed.has(path)))
        throw new LateError(`files for ${this.files.root} were not entered in time`);
      if (await this.#create(now.number + 1, { kind, add: files, remove })) return now.number + 1;
    }
    throw new EngineError('store.busy', `others were always faster to write to the log of ${this.files.root}`);
  }

  async #state(): Promise<LogState> {
    const commits = new Set<number>();
    let snapshot = 0;
    for (const path of await this.files.list(LOG)) {
      const entry = logEntry(path);
      if (entry === null) continue;
      if (entry.isSnapshot) snapshot = Math.max(snapshot, entry.number);
      else commits.add(entry.number);
    }
    let last = snapshot;
    while (commits.has(last + 1)) last++;
    return { snapshot, last };
  }

  async #read({ snapshot, last }: LogState): Promise<Snapshot> {
    // A folder that was emptied begins anew.
    const known = this.#known.number > last ? EMPTY : this.#known;
    const path = snapshotPath(snapshot);
    const from = known.number >= snapshot ? known : decodeSnapshot(await this.files.read(path), path, snapshot);
    if (from.number === last) return from;
    const files = new Map(from.files);
    const removed = new Map(from.removed);
    for (let number = from.number + 1; number <= last; number++) applyTo(files, removed, await this.#commit(number));
    return { number: last, files, removed };
  }

  async #commit(number: number): Promise<Commit> {
    const path = commitPath(number);
    return decodeCommit(await this.files.read(path), path);
  }

  /**
   * Makes the commit of a number. Commits are removed from the log when they are older than the grace time and in a snapshot; so a program that was
   * halted for as long could make one a second time, which nobody would read.
   * @returns false: there is one of another writer @throws {Error} when it was too slow: then it is not in the lake, or twice when it is repeated
   */
  async #create(number: number, change: Pick<Commit, 'kind' | 'add' | 'remove'>): Promise<boolean> {
    const begun = Date.now();
    const id = randomUUID();
    const path = commitPath(number);
    const isMade =
      (await this.files.create(path, encodeCommit({ id, timeMs: begun, ...change }))) ||
      // A network may lose the answer and repeat the question.
      (await this.#commit(number).catch(() => null))?.id === id;
    if (!isMade || Math.abs(Date.now() - begun) < this.graceMs / 2) return isMade;
    const { snapshot } = await this.#state();
    if (snapshot < number) return true;
    throw new Error(`the log of ${this.files.root} took too long to write`);
  }
}

/** Snapshot for readers of a lake, also of a folder that was not adopted yet. */
export async function readableSnapshot(lake: Lake): Promise<Snapshot> {
  const snapshot = await lake.snapshot();
  return snapshot.number > 0 ? snapshot : { ...EMPTY, files: new Map((await adoptable(lake.files)).map((file) => [file.path, file])) };
}
