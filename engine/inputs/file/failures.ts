import { isPassing, retriedFileProblem, type InputError } from '../notices.ts';
import type { InputNotice } from '../types.ts';
import type { Lineage } from './lineage.ts';
import { isNamed, type OpenFiles } from './open-files.ts';
import type { TailQueue } from './tail-queue.ts';
import type { Tail } from './tail.ts';

const RETRY_MS = 250;
/** Time for which the files of a log wait for an older one that cannot be read for now, and the time between two tries after that. */
const HELD_UP_MS = 60_000;
const SLOW_RETRY_MS = 5000;
/** Problems of files that cannot be read as long as they are as they are, and of those that were read as far as could be. */
const REFUSED: ReadonlySet<string> = new Set(['file.binary', 'file.archive']);
const CUT: ReadonlySet<string> = new Set(['file.damaged', 'file.too-large']);

/** Decides what becomes of files that could not be opened or read. */
export class Failures {
  readonly #lineage: Lineage;
  readonly #files: OpenFiles;
  readonly #queue: TailQueue;
  readonly #notice: (notice: InputNotice) => void;
  readonly #hasSource: (tail: Tail) => boolean;

  /** @param hasSource whether a name of the input leads to a file */
  constructor(
    lineage: Lineage,
    files: OpenFiles,
    queue: TailQueue,
    notice: (notice: InputNotice) => void,
    hasSource: (tail: Tail) => boolean,
  ) {
    this.#lineage = lineage;
    this.#files = files;
    this.#queue = queue;
    this.#notice = notice;
    this.#hasSource = hasSource;
  }

  /** A file could not be opened or read. */
  async failed(tail: Tail, error: unknown): Promise<void> {
    let problem = retriedFileProblem(tail.path, error);
    if (problem.code === 'file.missing') {
      const away = await this.#missing(tail);
      if (away === null) return;
      problem = away;
    }
    if (REFUSED.has(problem.code) || CUT.has(problem.code)) {
      if (REFUSED.has(problem.code)) tail.refusedAt = performance.now();
      tail.atEnd = true;
      tail.clearRest();
      await this.#files.close(tail);
    } else {
      tail.atEnd = false;
      tail.notBefore = performance.now() + RETRY_MS;
      await this.#failing(tail, isPassing(problem));
    }
    if (tail.retiredAt > 0 && tail.failingSince === 0) {
      // Its remaining records are read when it has a name again; nothing waits for them.
      tail.atEnd = true;
      tail.clearRest();
    }
    if (tail.told.has(problem.code)) return;
    tail.told.add(problem.code);
    this.#notice(problem.toNotice());
  }

  /** A file is not there. Returns the problem of its disk, if that is away: then nobody knows what became of the file. */
  async #missing(tail: Tail): Promise<InputError | null> {
    // A file with a name is looked for under that name.
    if (tail.retiredAt === 0 && this.#hasSource(tail)) {
      tail.atEnd = true;
      return null;
    }
    try {
      await this.#lineage.leave(tail);
      return null;
    } catch (error) {
      const problem = retriedFileProblem(tail.path, error);
      if (!isPassing(problem)) throw error;
      return problem;
    }
  }

  /** A file is there, and cannot be read. `passes`: its disk is away, so the files behind it wait for a while, and it is tried again until it is known to be gone. */
  async #failing(tail: Tail, passes: boolean): Promise<void> {
    const now = performance.now();
    tail.failingSince = passes ? tail.failingSince || now : 0;
    const isOverdue = passes && now - tail.failingSince > HELD_UP_MS;
    const named = await isNamed(tail);
    if (!passes) await this.#files.close(tail).catch(() => undefined);
    else if (named) await this.#files.renew(tail).catch(() => undefined);
    if (!isOverdue) return;
    if (!named) tail.failingSince = 0;
    if (tail.retiredAt === 0 || !named) return;
    tail.atEnd = true;
    tail.clearRest();
    tail.notBefore = now + SLOW_RETRY_MS;
    this.#queue.add(tail);
  }
}
