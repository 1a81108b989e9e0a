import type { BigIntStats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isServerAway } from '../../base/errors.ts';
import type { FileCheckpoint } from '../checkpoint.ts';
import { isPassing, readOnceNotice, retriedFileProblem, type InputError } from '../notices.ts';
import { checkFile } from '../shared/open-file.ts';
import type { InputNotice } from '../types.ts';
import type { StartAt } from './options.ts';
import { discover, isPattern, type FoundFile } from './discovery.ts';
import { isGenerated } from '../shared/generated.ts';
import { Failures } from './failures.ts';
import { Lineage } from './lineage.ts';
import type { OpenFiles } from './open-files.ts';
import { bytesBefore } from './identity.ts';
import type { Losses } from './losses.ts';
import { fileKey, Tail } from './tail.ts';
import { TailQueue } from './tail-queue.ts';
import type { Turns } from '../../base/time/turns.ts';

/** A name that the input reads under, and the file that has this name now. */
interface Source extends FoundFile {
  tail: Tail | null;
  /** The file that had this name last. */
  last: Tail | null;
  /** Code of the problem that was told last. */
  problem: string;
  /** Since when there is no file of this name (milliseconds of performance.now); 0: there is one. */
  missingSince: number;
}

/** A name without a file for less time than this is a rotation under way. */
const VANISHED_MS = 2000;
/** Time for which a file without a name is still watched after its last change: its writer may not have noticed yet. */
const LINGER_MS = 10_000;
/** Time after which a file that is no text is probed again, if it changes. */
const REFUSED_MS = 2000;
/** Names that are looked at in one poll. */
const POLL_SLICE = 64;

export interface FollowerOptions {
  readonly paths: readonly string[];
  readonly startAt: StartAt;
  readonly follow: boolean;
  /** Called when a file without a name has been quiet for long: nothing more will come from it. */
  readonly onLeft?: ((tail: Tail) => void) | undefined;
}

/**
 * Tracks which files the names of an input lead to: new, renamed, replaced, truncated and vanished ones.
 * Reads no records itself: files that may have something to read are in `queue`. `scan`, `examineHinted` and `poll` take turns with those who read: one of them
 * is called at a time. `settle`, `begins`, `rewritten` and `failed` are for who has the turn.
 */
export class Follower {
  /** All files that are read or watched, by key. */
  readonly tails = new Map<string, Tail>();
  readonly queue = new TailQueue();
  readonly #options: FollowerOptions;
  readonly #files: OpenFiles;
  readonly #turns: Turns;
  readonly #lineage: Lineage;
  readonly #failures: Failures;
  readonly #notice: (notice: InputNotice) => void;
  readonly #sources = new Map<string, Source>();
  readonly #byRealPath = new Map<string, Source>();
  readonly #hinted = new Set<Source>();
  readonly #unmatched = new Set<string>();
  /** Folders that could not be looked through at the last search. */
  #unreadable: ReadonlySet<string> = new Set();
  readonly #hasPatterns: boolean;
  #pollAt = 0;
  #scanned = false;
  /** A name has led to a file. */
  #attached = false;
  /** A new file may have come that a pattern fits. */
  scanHinted = false;

  constructor(
    options: FollowerOptions,
    known: readonly FileCheckpoint[],
    files: OpenFiles,
    turns: Turns,
    notice: (notice: InputNotice) => void,
  ) {
    this.#options = options;
    this.#files = files;
    this.#turns = turns;
    this.#notice = notice;
    this.#lineage = new Lineage(known, this.tails, this.queue, files, options.startAt, notice);
    this.#failures = new Failures(this.#lineage, files, this.queue, notice, (tail) => this.#hasSource(tail));
    this.#hasPatterns = options.paths.some((path) => isPattern(path));
  }

  /** Files that are known from earlier, for the checkpoint. */
  get known(): readonly FileCheckpoint[] {
    return this.#lineage.known.entries;
  }

  /** Files and bytes that were removed before they were read. */
  get losses(): Losses {
    return this.#lineage.losses;
  }

  /** Whether none of the names leads to a file any more, though one did. */
  get isLeft(): boolean {
    return this.#attached && [...this.#sources.values()].every(({ tail }) => tail === null);
  }

  /** Whether `hint` has left something to look at. */
  get isHinted(): boolean {
    return this.#hinted.size > 0;
  }

  /** Searches for the files of all names and patterns. Returns the folders to watch. */
  async scan(): Promise<ReadonlySet<string>> {
    this.scanHinted = false;
    const { files, directories, unmatched, unreadable } = await discover(this.#options.paths);
    for (const file of files) {
      if (this.#sources.has(file.path)) continue;
      const source: Source = { ...file, tail: null, last: null, problem: '', missingSince: 0 };
      this.#sources.set(file.path, source);
      await this.#turns.run(() => this.#examine(source, false));
    }
    for (const [folder, error] of unreadable) {
      if (this.#unreadable.has(folder)) continue;
      this.#notice(retriedFileProblem(folder, error).toNotice());
    }
    this.#unreadable = new Set(unreadable.keys());
    for (const pattern of unmatched) {
      if (this.#unmatched.has(pattern)) continue;
      this.#unmatched.add(pattern);
      const next = this.#options.follow ? 'New files are read as they appear.' : 'Check the folder and the pattern.';
      this.#notice({ level: this.#options.follow ? 'info' : 'warning', code: 'glob.empty', text: `No file fits ${pattern}. ${next}` });
    }
    if (!this.#scanned) await this.#turns.run(() => this.#settleAll());
    this.#scanned = true;
    return new Set([...directories, ...[...this.#byRealPath.keys()].map((path) => dirname(path))]);
  }

  /** Notes that something may have happened to a file of a folder (null: to some file). Cheap, can be called at any time. */
  hint(directory: string, name: string | null): void {
    const path = name === null ? null : join(directory, name);
    const source = path === null ? undefined : (this.#sources.get(path) ?? this.#byRealPath.get(path));
    if (source) this.#hinted.add(source);
    else if (path === null) for (const each of this.#sources.values()) if (dirname(each.path) === directory) this.#hinted.add(each);
    if (!source) this.scanHinted ||= this.#hasPatterns;
  }

  /** Looks at the files that there were hints for. */
  async examineHinted(): Promise<void> {
    for (const source of this.#hinted) {
      this.#hinted.delete(source);
      if (this.#sources.get(source.path) === source) await this.#turns.run(() => this.#examine(source, true));
    }
  }

  /** Looks at some files without a hint, in turn, and at all files without a name. */
  async poll(): Promise<void> {
    const sources = [...this.#sources.values()];
    for (let i = 0; i < Math.min(POLL_SLICE, sources.length); i++) {
      const source = sources[this.#pollAt++ % sources.length] as Source;
      await this.#turns.run(() => this.#examine(source, false));
    }
    await this.#turns.run(async () => {
      for (const tail of [...this.tails.values()]) {
        if (tail.fresh !== null) this.queue.add(tail);
        if (tail.retiredAt > 0 && !tail.isRead) await this.#pollRetired(tail);
      }
      await this.#files.holdMore();
    });
  }

  /** Tells which files cannot be read on in another run. */
  tellLeft(): Promise<void> {
    return this.#lineage.tellLeft();
  }

  /** Finds out where to start in a fresh file; false: not yet. Throws errors of `open`. */
  settle(tail: Tail): Promise<boolean> {
    return this.#lineage.settle(tail);
  }

  /** Whether the first records that were read of a file come next; false: it is to be read again, behind other files. */
  begins(tail: Tail): Promise<boolean> {
    return this.#lineage.begins(tail);
  }

  /** Handles a file with other contents than were read from it: it starts again, behind the rest of the earlier ones. Returns whether that was found. */
  async rewritten(tail: Tail): Promise<boolean> {
    const lost = tail.cut ?? Math.max(0, tail.unread - tail.restLength);
    const rest = await this.#lineage.moved(tail);
    if (rest === null) this.#lineage.lost(tail, lost);
    this.#restarted(tail, rest);
    return rest !== null;
  }

  /** A file starts again, behind the rest of what it held before. */
  #restarted(tail: Tail, rest: Tail | null): void {
    if (rest) tail.waitFor(rest);
    this.queue.add(tail);
    if (tail.retiredAt === 0) {
      this.#notice({
        level: 'info',
        code: 'file.truncated',
        text: `${tail.path} was truncated or written anew: it is read from its beginning.`,
      });
    }
  }

  /** A file could not be opened or read. */
  failed(tail: Tail, error: unknown): Promise<void> {
    return this.#failures.failed(tail, error);
  }

  async #settleAll(): Promise<void> {
    for (const tail of [...this.tails.values()]) {
      try {
        await this.#lineage.settle(tail);
      } catch (error) {
        await this.failed(tail, error);
      }
    }
    await this.#lineage.recover((path) => this.#sources.get(path)?.tail ?? null);
  }

  /** Looks at the file that a name leads to now. */
  async #examine(source: Source, hinted: boolean): Promise<void> {
    let info: BigIntStats;
    let real: string;
    try {
      info = await stat(source.path, { bigint: true });
      checkFile(source.path, info);
      real = source.tail?.key === fileKey(info) ? source.tail.realPath : await realpath(source.path);
    } catch (error) {
      this.#absent(source, retriedFileProblem(source.path, error));
      return;
    }
    source.problem = '';
    source.missingSince = 0;
    const { tail } = source;
    if (tail?.isGenerated === true) return;
    try {
      if (tail?.key !== fileKey(info) || (tail.fresh !== null && tail.isReplacedBy(info))) await this.#attach(source, info, real);
      else await this.#seen(tail, info, hinted);
    } catch (error) {
      const problem = retriedFileProblem(source.path, error);
      if (!isPassing(problem)) throw error;
      this.#absent(source, problem);
    }
  }

  /** Looks at a file that is read already. */
  async #seen(tail: Tail, info: BigIntStats, hinted: boolean): Promise<void> {
    const shrunk = Number(info.size) < tail.size;
    const settled = tail.settledNs;
    const unread = tail.unread - tail.restLength;
    const changed = tail.see(info);
    if (!changed && !hinted) return;
    if (changed && (await this.#isRewritten(tail))) {
      tail.cut ??= Math.max(0, unread);
      // Before the copy is removed or packed in its turn. Without one, who reads it delivers what there is of the last line first.
      const rest = await this.#lineage.moved(tail);
      if (rest !== null) this.#restarted(tail, rest);
    }
    if (changed && tail.mark.position === 0 && tail.fresh === null) await this.#lineage.emptied(tail, settled);
    if (tail.refusedAt > 0 && !shrunk && performance.now() - tail.refusedAt < REFUSED_MS) return;
    tail.refusedAt = 0;
    this.queue.add(tail);
    await this.#files.hold(tail);
  }

  /** Whether the bytes before the position up to which an open file is read are others than those that were read. */
  async #isRewritten(tail: Tail): Promise<boolean> {
    const { handle, mark } = tail;
    if (handle === null || mark.position === 0 || tail.isCompressed) return false;
    const before = await bytesBefore(handle, mark.position).catch(() => mark.guard);
    return before?.equals(mark.guard) !== true;
  }

  /** A name leads to another file than before, or for the first time to one. */
  async #attach(source: Source, info: BigIntStats, real: string): Promise<void> {
    this.#attached = true;
    const { last } = source;
    const known = (await this.#lineage.isNew(info)) ? undefined : this.tails.get(fileKey(info));
    const tail = known ?? new Tail(source.path, real, info);
    if (!known) {
      tail.fresh = this.#scanned ? 'later' : 'first';
      tail.isGenerated = await isGenerated(source.path);
      this.tails.set(tail.key, tail);
    }
    await this.#files.hold(tail);
    const isReplaced = last !== null && last !== tail && this.#isKnown(last);
    const before = isReplaced ? await this.#lineage.replaced(source.path, last, tail) : null;
    if (known) for (const other of this.#sources.values()) if (other.tail === tail) other.tail = null;
    if (source.tail && this.#isKnown(source.tail)) this.#retire(source.tail);
    source.tail = tail;
    source.last = tail;
    tail.path = source.path;
    this.#byRealPath.delete(tail.realPath);
    tail.realPath = real;
    this.#byRealPath.set(real, source);
    tail.retiredAt = 0;
    tail.mayGoOn();
    if (before) tail.waitFor(before);
    this.queue.add(tail);
    if (tail.isGenerated) {
      if (this.#options.follow && source.explicit) this.#notice(readOnceNotice(source.path));
    } else if (!this.#scanned && source.explicit && info.size === 0n) {
      const next = this.#options.follow ? 'Lines are shown as they are appended.' : 'There is nothing to read.';
      this.#notice({ level: 'info', code: 'file.empty', text: `${source.path} is empty. ${next}` });
    }
  }

  /** There is no readable file of this name. */
  #absent(source: Source, problem: InputError): void {
    if (isPassing(problem)) return this.#away(source, problem);
    const now = performance.now();
    if (source.missingSince === 0) source.missingSince = now;
    const { tail } = source;
    if (tail) {
      this.queue.add(tail);
      if (now - source.missingSince < VANISHED_MS) return;
      source.tail = null;
      this.#retire(tail);
      source.problem = problem.code;
      const held = tail.handle === null ? '' : ' What it held is read to its end;';
      const text = `${source.path} was deleted or moved away.${held} ${held === '' ? 'A' : 'a'} new file of this name is read when it appears.`;
      this.#notice(problem.code === 'file.missing' ? { level: 'warning', code: 'file.vanished', text } : problem.toNotice());
    }
    if (!source.explicit) {
      this.#sources.delete(source.path);
      return;
    }
    if (source.problem === problem.code) return;
    source.problem = problem.code;
    const notice = problem.toNotice();
    const follows = this.#options.follow && notice.code === 'file.missing';
    this.#notice(follows ? { ...notice, level: 'warning', text: `${notice.text} It is read as soon as it appears.` } : notice);
  }

  /** Nothing is known of a file until its disk is back. */
  #away(source: Source, problem: InputError): void {
    const { tail } = source;
    if (tail) this.queue.add(tail);
    if (source.problem === problem.code || tail?.told.has(problem.code) === true) return;
    source.problem = problem.code;
    tail?.told.add(problem.code);
    this.#notice(problem.toNotice());
  }

  #retire(tail: Tail): void {
    tail.retiredAt = performance.now();
    tail.atEnd = false;
    tail.notBefore = 0;
    if (this.#byRealPath.get(tail.realPath)?.tail !== tail) this.#byRealPath.delete(tail.realPath);
    this.queue.add(tail);
  }

  async #pollRetired(tail: Tail): Promise<void> {
    if (tail.failingSince > 0) return;
    const info = await tail.handle?.stat({ bigint: true }).catch((error: unknown) => (isServerAway(error) ? null : undefined));
    if (info === null) {
      // It may have grown meanwhile: it is read again, which finds out what became of it.
      tail.atEnd = false;
      this.queue.add(tail);
      return;
    }
    if (info && tail.see(info)) this.queue.add(tail);
    const last = Math.max(tail.retiredAt, tail.changedAt);
    if (!tail.drained || (tail.handle !== null && tail.unread > 0) || performance.now() - last <= LINGER_MS) return;
    if (tail.outstanding > 0) return this.#options.onLeft?.(tail);
    await this.#lineage.forget(tail).catch((error: unknown) => {
      // It is looked at again.
      if (!isServerAway(error)) throw error;
    });
  }

  /** Whether a file was not left meanwhile: another one may have its number. */
  #isKnown(tail: Tail): boolean {
    return this.tails.get(tail.key) === tail;
  }

  #hasSource(tail: Tail): boolean {
    return this.#sources.get(tail.path)?.tail === tail;
  }
}
