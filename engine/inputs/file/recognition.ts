import type { FileHandle } from 'node:fs/promises';
import { copies, fileChunks } from '../chunks.ts';
import type { FileKinds } from '../shared/file-kinds.ts';
import { TextSource } from '../shared/read.ts';
import { makeSplitter } from '../splitters/index.ts';
import type { Splitter } from '../splitter.ts';
import type { Tail } from './tail.ts';

/** Kind of files that were not recognised. */
const UNKNOWN = '';
/** Bytes that suffice to recognise a file, or to give it up. */
const ENOUGH_BYTES = 32 << 10;
/** A shorter file that grows is looked at after so many milliseconds without a change. */
const QUIET_MS = 400;
/** Milliseconds after which it is looked at though it changes all the time. */
const LATEST_MS = 2000;

/** Finds out what the files of an input are, each by itself, and how they are cut. */
export class Recognition {
  readonly #kinds: FileKinds;
  readonly #follow: boolean;
  readonly #maxRecord: number | undefined;
  readonly #splitters = new Map<string, Splitter>();
  /** Kinds of earlier runs that can be used. */
  readonly #ready = new Set<string>([UNKNOWN]);
  /** Size at which a file was looked at in vain. */
  readonly #lookedAt = new WeakMap<Tail, number>();

  constructor(kinds: FileKinds, follow: boolean, maxRecord: number | undefined) {
    this.#kinds = kinds;
    this.#follow = follow;
    this.#maxRecord = maxRecord;
  }

  /** Looks at a file before it is read; false: it is too short and still being written. @throws what reading the file throws */
  async look(tail: Tail, handle: FileHandle): Promise<boolean> {
    const { generation } = tail;
    if (await this.#isDecided(tail)) return true;
    const known = this.#kinds.known?.(tail.path) ?? null;
    if (known !== null) {
      decide(tail, known);
      return await this.#isDecided(tail);
    }
    const isShort = this.#follow && !tail.isCompressed && tail.size < ENOUGH_BYTES && tail.retiredAt === 0;
    if (isShort && !isQuiet(tail) && !tail.isKnownFor(LATEST_MS)) return false;
    if (tail.size < 2 * (this.#lookedAt.get(tail) ?? 0)) return true;
    const kind = await this.#recognise(tail, handle);
    if (tail.generation !== generation) return false;
    if (kind === null && isShort) this.#lookedAt.set(tail, tail.size);
    else decide(tail, kind ?? UNKNOWN);
    return true;
  }

  /** The splitter for a file; null: it has no kind of its own. */
  splitterOf({ mark: { state } }: Tail): Splitter | null {
    const { kind = UNKNOWN } = state;
    if (kind === UNKNOWN) return null;
    const splitter = this.#splitters.get(kind) ?? makeSplitter(this.#kinds.splitOf(kind), this.#maxRecord);
    this.#splitters.set(kind, splitter);
    return splitter;
  }

  async #isDecided(tail: Tail): Promise<boolean> {
    const { kind } = tail.mark.state;
    if (kind === undefined) return false;
    if (this.#ready.has(kind)) return true;
    if (!(await this.#kinds.recall(kind))) return false;
    this.#ready.add(kind);
    return true;
  }

  async #recognise(tail: Tail, handle: FileHandle): Promise<string | null> {
    const source = new TextSource({ name: tail.path, chunks: copies(fileChunks(handle)) });
    try {
      const kind = await this.#kinds.recognise(source, tail.modifiedNs);
      if (kind !== null) this.#ready.add(kind);
      return kind;
    } finally {
      await source.close();
    }
  }
}

/** Whether a file was not changed for a while, by its own time or, as that may be in the future, since it was looked at. */
const isQuiet = (tail: Tail): boolean => Date.now() - Number(tail.modifiedNs / 1_000_000n) >= QUIET_MS || tail.isQuiet(QUIET_MS);

function decide(tail: Tail, kind: string): void {
  tail.mark = { ...tail.mark, state: { ...tail.mark.state, kind } };
}
