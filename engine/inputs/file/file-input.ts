import { hostname } from 'node:os';
import { basename } from 'node:path';
import { CheckpointFile, type FileCheckpoint } from '../checkpoint.ts';
import { damagedStreamNotice, encodingNotice, errorText, notHeldNotice, readableNotice, truncatedNotice } from '../notices.ts';
import { cutPieces, pieceBatch, type Piece } from '../pieces.ts';
import { makeSplitter } from '../splitters/index.ts';
import type { Splitter } from '../splitter.ts';
import type { Input, InputNotice, InputSink, InputStats } from '../types.ts';
import { backingOf, type LatinText } from '../../message/latin-text.ts';
import { Turns } from '../../base/time/turns.ts';
import { Follower } from './follower.ts';
import { firstBytes } from './identity.ts';
import { Lookout } from './lookout.ts';
import { OpenFiles } from './open-files.ts';
import type { FileInputOptions } from './options.ts';
import { identified, rawParts } from './piece-parts.ts';
import { Progress } from './progress.ts';
import { Recognition } from './recognition.ts';
import { PendingLines } from './pending-lines.ts';
import type { Mark, Tail } from './tail.ts';
import { TailReader, type ReadEnd } from './tail-reader.ts';
import { Wake } from './wake.ts';
import { WrittenTimes } from './written-times.ts';

/** Bytes that are read from one file before another one has its turn. */
const TURN_BYTES = 64 << 20;
/** Least time between two reads at the end of a file: bursts of appended lines make batches. */
const COALESCE_MS = 4;
/** Time for which `stop` waits for acknowledgements. */
const ACKNOWLEDGE_MS = 1000;

/** One file of an input, for display. */
export interface FileStatus {
  readonly path: string;
  readonly size: number;
  /** Bytes read; of a compressed file bytes of its text. */
  readonly position: number;
  /** Bytes at the end that wait for the end of their line. */
  readonly pending: number;
}

/**
 * Reads files and follows them as they grow: through truncation, rotation (by renaming, copying, packing), deletion and replacement,
 * and across restarts with a checkpoint. Records of one file come in order; those of a rotated file before those of its successor.
 *
 * A last line without its end is delivered after `tornMs` of silence, a record of which further lines may come after `flushMs`. When the file grows after that, the rest is a record of its own.
 */
export class FileInput implements Input {
  readonly name: string;
  readonly #options: FileInputOptions;
  readonly #follow: boolean;
  readonly #splitter: Splitter;
  readonly #reader: TailReader;
  /** null: all files are cut alike. */
  readonly #recognition: Recognition | null;
  readonly #written = new WrittenTimes();
  readonly #files: OpenFiles;
  /** Of reading and of looking at names; who reads lets others pass while it waits for those that take the records. */
  readonly #turns = new Turns();
  readonly #wake = new Wake();
  readonly #pendingLines: PendingLines;
  readonly #progress: Progress;
  #sink: InputSink | null = null;
  #follower: Follower | null = null;
  #lookout: Lookout | null = null;
  #loop: Promise<void> = Promise.resolve();
  #stopping = false;
  #interrupt: (() => void) | null = null;
  #saidIdle = false;
  #records = 0;
  #bytes = 0;

  /** Throws an InputError (`split.bad`) when `split` cannot be used. */
  constructor(options: FileInputOptions) {
    this.name = options.name;
    this.#options = options;
    this.#follow = options.follow ?? true;
    this.#splitter = makeSplitter(options.split ?? { kind: 'line' }, options.maxRecord);
    // An incomplete binary record is never flushed: the rest of it will come.
    this.#pendingLines = new PendingLines(this.#splitter.isBinary === true ? 0 : (options.flushMs ?? 1000), options.tornMs);
    this.#reader = new TailReader(this.#splitter, options.encoding, this.#splitter.isRaw === true ? null : options.texts);
    this.#recognition = options.kinds === undefined ? null : new Recognition(options.kinds, this.#follow, options.maxRecord);
    const { stateDirectory } = options;
    this.#progress = new Progress({
      file: stateDirectory === undefined ? null : new CheckpointFile(stateDirectory, this.name, (notice) => this.#notice(notice)),
      checkpoints: () => this.#checkpoints(),
    });
    this.#files = new OpenFiles(options.maxOpenFiles, (most) => this.#notice(notHeldNotice(this.name, most, this.#follow)));
  }

  /** Resolves when the files were found. Problems of files are notices. An input can be started once. */
  async start(sink: InputSink): Promise<void> {
    if (this.#sink !== null) throw new Error(`input ${this.name} was started before`);
    this.#sink = sink;
    const { paths, startAt } = this.#options;
    const known = await this.#progress.load();
    const onLeft = this.#splitter.isRaw === true ? (tail: Tail): void => sink.ended?.(tail) : undefined;
    const options = { paths, startAt: startAt ?? 'beginning', follow: this.#follow, onLeft };
    const follower = new Follower(options, known, this.#files, this.#turns, (notice) => this.#notice(notice));
    this.#follower = follower;
    if (this.#follow) {
      this.#lookout = new Lookout(follower, {
        pollMs: this.#pollMs,
        watch: this.#options.watch ?? true,
        onLooked: () => this.#wake.notify(),
        onFailed: (error) => this.#failed(error),
      });
      await this.#lookout.start();
    } else await follower.scan();
    this.#loop = this.#run(follower);
  }

  /** Stops reading, waits shortly for outstanding acknowledgements and writes the checkpoint; later ones are written as they come. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#interrupt?.();
    this.#wake.notify();
    await this.#loop;
    await this.#lookout?.stop();
    await this.#progress.close(ACKNOWLEDGE_MS);
    await this.#follower?.tellLeft();
    await this.#files.closeAll();
  }

  /** Writes the checkpoint of what was acknowledged after the stop. */
  settle(): Promise<void> {
    return this.#progress.settle();
  }

  stats(): InputStats {
    let waiting = 0;
    for (const tail of this.#follower?.tails.values() ?? []) waiting += tail.unread;
    const gone = this.#follower?.isLeft === true;
    return { bytes: this.#bytes, records: this.#records, dropped: this.#reader.dropped, totalBytes: this.#bytes + waiting, gone };
  }

  /** For reports: files and bytes that were removed before they were read, and how long the checkpoint is behind. */
  figures(): Readonly<Record<string, number>> {
    return { ...this.#follower?.losses.figures, ...(this.#progress.isKept ? { CheckpointAge: this.#progress.age } : {}) };
  }

  /** The files that are read or watched now. */
  files(): FileStatus[] {
    const tails = [...(this.#follower?.tails.values() ?? [])];
    return tails.map(({ path, size, mark, restLength }) => ({ path, size, position: mark.position, pending: restLength }));
  }

  async #run(follower: Follower): Promise<void> {
    while (!this.#stopping) {
      try {
        if (await this.#turns.run(() => this.#step(follower))) continue;
      } catch (error) {
        this.#failed(error);
        await this.#wake.sleep(1000);
        continue;
      }
      this.#sayIdle(follower);
      await this.#wake.sleep(this.#sleepMs(follower));
    }
  }

  #failed(error: unknown): void {
    this.#notice({ level: 'error', code: 'input.failed', text: `Input ${this.name} failed and goes on: ${errorText(error)}` });
  }

  /** Takes one step of the reading loop; false: nothing to read now. */
  async #step(follower: Follower): Promise<boolean> {
    this.#pendingLines.queueDue(follower.queue);
    const tail = follower.queue.take(performance.now());
    if (tail === null) return false;
    if (tail.refusedAt > 0) {
      tail.atEnd = true;
      return true;
    }
    tail.isRead = true;
    await this.#read(follower, tail).finally(() => (tail.isRead = false));
    if (!this.#follow && tail.drained) await this.#files.close(tail);
    await this.#files.holdMore();
    return true;
  }

  get #pollMs(): number {
    return this.#options.pollMs ?? 200;
  }

  #sleepMs(follower: Follower): number {
    return Math.min(follower.queue.waitMs, this.#pendingLines.waitMs);
  }

  async #read(follower: Follower, tail: Tail): Promise<void> {
    try {
      if (!(await follower.settle(tail))) return;
      if (!(await this.#recognised(tail))) {
        tail.notBefore = performance.now() + this.#pollMs;
        follower.queue.add(tail);
        return;
      }
      let left = TURN_BYTES;
      let end: ReadEnd | 'late' = 'more';
      while (end === 'more' && left > 0 && !this.#stopping && tail.after === null) {
        const before = this.#bytes;
        end = await this.#readOnce(follower, tail);
        left -= Math.max(this.#bytes - before, 1 << 20);
      }
      tail.failingSince = 0;
      if (tail.told.delete('file.unreadable')) this.#notice(readableNotice(tail.path));
      if (end === 'rewritten') await this.#rewritten(follower, tail);
      else if (end === 'end') await this.#ended(follower, tail);
      else follower.queue.add(tail);
    } catch (error) {
      await follower.failed(tail, error);
      if (!tail.atEnd) follower.queue.add(tail);
    }
  }

  /** Whether it is known how a file is cut; false: it is too short and still being written. */
  async #recognised(tail: Tail): Promise<boolean> {
    if (this.#recognition === null) return true;
    const recognition = this.#recognition;
    const handle = await this.#files.get(tail);
    return await this.#turns.aside(() => recognition.look(tail, handle));
  }

  async #readOnce(follower: Follower, tail: Tail): Promise<ReadEnd | 'late'> {
    const handle = await this.#files.get(tail);
    if (tail.isNumberless) await this.#identifyAll(follower, tail);
    const { generation } = tail;
    if (this.#splitter.isBinary !== true) await this.#turns.aside(() => this.#written.look(tail, handle));
    if (tail.generation !== generation) return 'late';
    const reading = tail.reading ?? this.#reader.read(tail, handle, this.#splitterOf(tail));
    tail.reading = null;
    let text = 0;
    for (;;) {
      const before = tail.mark;
      // Of a packed file, much may have to be unpacked that was read before.
      const { value, done } = tail.isCompressed ? await this.#turns.aside(() => reading.next()) : await reading.next();
      if (done === true) return value;
      // It was empty when it was to get a number.
      if (!tail.isBegun && this.#needsNumber(tail)) {
        await reading.return('more');
        tail.mark = before;
        tail.format = 'unknown';
        return 'more';
      }
      if (!tail.isBegun && !(await follower.begins(tail))) {
        await reading.return('more');
        tail.restart();
        return 'late';
      }
      if (!tail.isCompressed) this.#bytes += tail.mark.position - before.position;
      await this.#deliver(tail, value, tail.mark, before);
      text += backingOf(value.payload).length;
      // It was found to be emptied meanwhile, and what it held goes on in a copy.
      if (tail.generation !== generation) {
        await reading.return('more');
        return 'late';
      }
      if (this.#stopping) {
        await reading.return('more');
        return 'more';
      }
      if (tail.isCompressed && text > TURN_BYTES) {
        tail.reading = reading;
        return 'more';
      }
    }
  }

  /** Nothing of contents is delivered before the checkpoint has their number: else it would be another one after a crash. */
  async #identifyAll({ tails }: Follower, first: Tail): Promise<void> {
    if (!this.#needsNumber(first) || !(await this.#identify(first))) return;
    for (const tail of tails.values()) if (tail.isNumberless && tail.size > 0) await this.#identify(tail);
    await this.#progress.save();
  }

  /** Returns whether there was something to identify: an empty file would be taken for any other. */
  async #identify(tail: Tail): Promise<boolean> {
    const head = await this.#files.get(tail).then(firstBytes, () => null);
    if (head !== null) tail.identify(head);
    return head !== null;
  }

  #needsNumber(tail: Tail): boolean {
    return this.#progress.isKept && this.#splitter.isRaw !== true && tail.isNumberless;
  }

  async #ended(follower: Follower, tail: Tail): Promise<void> {
    tail.notBefore = performance.now() + COALESCE_MS;
    // It was seen to grow while what had been read of it was delivered.
    if (tail.unread > tail.restLength && (await tail.hasMore())) return follower.queue.add(tail);
    if (tail.isCompressed && !tail.atEnd) this.#bytes += tail.size;
    tail.atEnd = true;
    if (tail.restLength === 0) {
      this.#pendingLines.delete(tail);
    } else if (this.#follow) {
      this.#pendingLines.add(tail);
    } else {
      tail.flush = true;
      follower.queue.add(tail);
    }
  }

  /** A line that was not finished when its file was emptied is delivered as far as it was seen, unless it is in a copy of the file. */
  async #rewritten(follower: Follower, tail: Tail): Promise<void> {
    const { rest, mark } = tail;
    this.#pendingLines.delete(tail);
    if ((await follower.rewritten(tail)) || rest === null) return;
    for (const piece of cutPieces(this.#splitterOf(tail), rest, 0, 'end', { ...mark.state })) await this.#deliver(tail, piece, null);
  }

  /** `mark`: behind the piece; null: it is not in the file any more. `before`: in front of it. */
  async #deliver(tail: Tail, piece: Piece, mark: Mark | null, before: Mark | null = null): Promise<void> {
    if (this.#stopping) return;
    if (piece.invalid) this.#tellOnce(tail, encodingNotice(tail.path));
    if (piece.problem !== null) this.#tellOnce(tail, damagedStreamNotice(tail.path, piece.problem));
    if (piece.truncated) this.#tellOnce(tail, truncatedNotice(tail.path, this.#reader.maxRecord));
    if (piece.count === 0) {
      if (tail.outstanding === 0) this.#progress.acknowledgement(tail)(mark);
      return;
    }
    this.#records += piece.count;
    this.#saidIdle = false;
    const acknowledged = this.#progress.acknowledgement(tail);
    const acknowledge = this.#progress.delivered(tail, () => acknowledged(mark));
    const { latin } = piece.payload;
    const batch = identified(pieceBatch(piece, this.#headers(tail)), piece, mark);
    const { firstLine, signer } = piece;
    const writtenNs = piece.messages === null && !tail.isGenerated ? this.#written.of(tail, batch) : undefined;
    const { kind: fileKind } = (mark ?? tail.mark).state;
    const raw = this.#splitter.isRaw === true ? rawParts(tail, piece, mark, before, acknowledged) : {};
    await this.#handOver(() =>
      this.#sink?.deliver({
        batch,
        firstLine,
        source: tail.path,
        signer,
        writtenNs,
        fileKind,
        ...raw,
        acknowledge: latin === undefined ? acknowledge : releasing(latin, acknowledge),
      }),
    );
  }

  #splitterOf(tail: Tail): Splitter {
    return this.#recognition?.splitterOf(tail) ?? this.#splitter;
  }

  /** Waits for the sink, or for `stop`. */
  async #handOver(deliver: () => Promise<void> | undefined): Promise<void> {
    try {
      await this.#turns.aside(
        () =>
          new Promise<void>((resolve, reject) => {
            this.#interrupt = resolve;
            Promise.resolve(deliver()).then(resolve, reject);
          }),
      );
    } catch (error) {
      // The sink takes no more records.
      this.#stopping = true;
      this.#notice({
        level: 'error',
        code: 'input.failed',
        text: `Input ${this.name} stops: its records are not taken (${errorText(error)}).`,
      });
    }
    this.#interrupt = null;
  }

  #headers(tail: Tail): { type: string; logger: string; hostname: string } {
    const { type = 'logfile', logger = 'name' } = this.#options;
    const names = { name: this.name, basename: basename(tail.name), path: tail.name };
    return { type, logger: names[logger], hostname: this.#options.hostname ?? hostname() };
  }

  #sayIdle(follower: Follower): void {
    if (this.#saidIdle || this.#pendingLines.waitMs !== Infinity || !follower.queue.isEmpty || this.#lookout?.isIdle === false) return;
    this.#saidIdle = true;
    this.#sink?.idle();
  }

  #tellOnce(tail: Tail, notice: InputNotice): void {
    if (tail.told.has(notice.code)) return;
    tail.told.add(notice.code);
    this.#notice(notice);
  }

  #notice(notice: InputNotice): void {
    this.#sink?.notice(notice);
  }

  #checkpoints(): FileCheckpoint[] {
    const follower = this.#follower;
    if (follower === null) return [];
    const read = [...follower.tails.values()].filter((tail) => tail.fresh === null && !tail.isGenerated);
    return [...follower.known, ...read.map((tail) => tail.checkpoint(tail.acknowledged, false))];
  }
}

const releasing = (text: LatinText, acknowledge: () => void) => (): void => {
  acknowledge();
  text.release();
};
