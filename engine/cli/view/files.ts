import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { TextSource } from '../../inputs/shared/read.ts';
import { isStandardInput, sourceName } from '../../inputs/shared/standard-input.ts';
import { TextPool } from '../../message/text-pool.ts';
import { summaryPlan } from '../../plugins/summary-plan.ts';
import type { SandboxStarter } from '../../plugins/sandboxes.ts';
import type { CommandContext } from '../command.ts';
import { FailureReport } from '../failures.ts';
import { decodeChunk } from '../decoded.ts';
import { FileDecoders, type Decoding, type StartedDecoder } from '../file-decoders.ts';
import type { InputChunk } from '../message-source.ts';
import { namedFiles } from '../named-files.ts';
import { FollowedFiles, PLAIN, type Followed } from '../followed-files.ts';
import { Labels } from './labels.ts';
import { alreadyRead, mergedByTime, type FileParts, type Run } from './merge.ts';
import { PartMaker, partsOf, type Part } from './records.ts';
import type { LineSource } from './lines.ts';
import { LevelSieve } from './level-sieve.ts';
import { PlainFile } from './plain-file.ts';
import { canBeCut, firstTime, placeOf, wholeRecords } from './seek.ts';
import { select, type Selected, type Selection } from './selection.ts';

interface ViewOptions {
  readonly context: CommandContext;
  readonly selection: Selection;
  /** Records that are not selected are told, too, as they may stand near a selected one. */
  readonly keepsOthers: boolean;
  /** Records of each file that are wanted, from its end; null: all. */
  readonly last: number | null;
  /** Files are followed as they grow. */
  readonly follow: boolean;
}

/** A file and its decoder. */
interface Opened {
  readonly text: TextSource;
  readonly started: StartedDecoder;
  readonly source: LineSource;
}

/** Bytes at the end of a file in which its last records are looked for first. */
const TAIL_BYTES = 64 << 10;

/** Files that are shown. */
export class ViewedFiles {
  readonly #decoders: FileDecoders;
  readonly #context: CommandContext;
  readonly #selection: Selection;
  readonly #keepsOthers: boolean;
  readonly #last: number | null;
  /** null: files are read to their ends. */
  readonly #followed: FollowedFiles | null;
  readonly #texts = new TextPool();
  readonly failures = new FailureReport();
  /** Called with records that are about to be shown, of all files before the first one is. */
  onRecords: (part: Part) => void = () => undefined;
  /** A file could not be read. */
  unreadable = false;
  readonly labels = new Labels();
  /** Files as they were named, by their paths. */
  readonly #named = new Map<string, string>();
  readonly machine = hostname();

  constructor(sandboxes: SandboxStarter, decoding: Decoding, { context, selection, keepsOthers, last, follow }: ViewOptions) {
    this.#decoders = new FileDecoders(sandboxes, decoding, context);
    this.#context = context;
    this.#selection = selection;
    this.#keepsOthers = keepsOthers;
    this.#last = keepsOthers ? null : last;
    this.#followed = follow ? new FollowedFiles(this.#decoders, context) : null;
  }

  /** The records of all files that some arguments stand for. */
  async of(paths: readonly string[]): Promise<FileParts[]> {
    const files: string[] = [];
    for await (const { file, problem } of namedFiles(paths, this.#context.complain)) {
      if (problem === undefined) files.push(file);
      else this.#fail(problem);
    }
    this.labels.add(files.map(sourceName));
    for (const file of files) this.#named.set(resolve(file), file);
    return files.map((file) => ({
      isOnce: isStandardInput(file) || this.#followed !== null,
      [Symbol.asyncIterator]: () => this.#partsOf(file),
    }));
  }

  /** The records that come to files that are followed, from the ends of what was read of them on. Those that come at about the same time are in order of time. */
  async *coming(paths: readonly string[]): AsyncGenerator<Run> {
    const makers = new Map<string, PartMaker>();
    const makerOf = ({ name, started }: Followed): PartMaker => {
      const maker = makers.get(name);
      if (maker?.decoder === started.decoder) return maker;
      const source = this.#sourceOf(this.#nameOf(name), started);
      const made = new PartMaker(started.decoder, { source, failures: this.failures, select: this.#select });
      makers.set(name, made);
      return made;
    };
    for await (const round of this.#followed?.rounds(paths) ?? []) {
      const parts = new Map<string, Part[]>();
      for (const followed of round) {
        const maker = makerOf(followed);
        const { sandbox, second } = maker.isOver ? PLAIN : followed.started;
        const part = maker.part(await decodeChunk(sandbox, followed.chunk, second));
        if (part === null) continue;
        this.onRecords(part);
        parts.set(followed.name, [...(parts.get(followed.name) ?? []), part]);
      }
      yield* mergedByTime([...parts.values()].map(alreadyRead));
    }
  }

  async *#partsOf(file: string): AsyncGenerator<Part> {
    const { signal } = this.#context;
    const text = new TextSource(file, { signal });
    try {
      const started = await this.#decoders.start(text);
      const source = this.#sourceOf(text.name, started);
      for await (const part of this.#read(file, { text, started, source })) {
        this.onRecords(part);
        yield part;
      }
      // The decoder of a file that is followed goes on.
      if (this.#followed !== null && !isStandardInput(file)) return;
      await started.sandbox.stop();
      await started.second?.stop();
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Error && 'code' in error)) throw error;
      this.#fail(error);
    } finally {
      await text.close();
    }
  }

  /** Reads a file, or the part of it that can have what is shown. */
  async *#read(file: string, { text, started, source }: Opened): AsyncGenerator<Part> {
    const { since } = this.#selection;
    const follow = this.#followed !== null;
    const isCut = (since !== null || this.#last !== null) && canBeCut(started.decoder);
    await using plain = isCut || follow ? await PlainFile.open(file, { wholeLines: follow }) : null;
    this.#followed?.wasRead(file, plain?.size ?? null, started);
    if (plain === null || !isCut) {
      yield* this.#parts(this.#chunks(plain?.from(plain.first) ?? text, started), started, source);
      return;
    }
    const from = (at: number): AsyncGenerator<Part> => {
      const chunks = this.#chunks(plain.from(at), started);
      return this.#parts(at > plain.first ? wholeRecords(chunks, started.decoder) : chunks, started, source);
    };
    const first = since === null ? plain.first : await placeOf(since, plain, (at, bytes) => this.#timeAt(plain.from(at, bytes), started));
    if (this.#last === null) {
      yield* from(first);
      return;
    }
    for (let bytes = TAIL_BYTES; ; bytes *= 4) {
      const at = Math.max(first, plain.size - bytes);
      const parts: Part[] = [];
      for await (const part of from(at)) parts.push(part);
      // One more than wanted: the first may have lost its first lines.
      if (at === first || parts.reduce((count, { rows }) => count + rows.length, 0) > this.#last) {
        yield* parts;
        return;
      }
    }
  }

  #chunks(text: TextSource, started: StartedDecoder): AsyncGenerator<InputChunk> {
    return this.#decoders.read(text, started.decoder, this.#sieveOf(started) === null ? undefined : this.#texts);
  }

  #sieveOf({ decoder }: StartedDecoder): LevelSieve | null {
    const { level, until } = this.#selection;
    return level === null || until !== null || this.#keepsOthers ? null : LevelSieve.of(decoder, level);
  }

  #parts(chunks: AsyncIterable<InputChunk>, started: StartedDecoder, source: LineSource): AsyncGenerator<Part> {
    const { failures } = this;
    const { until } = this.#selection;
    return partsOf(
      { ...started, chunks },
      { source, context: this.#context, failures, select: this.#select, until, sieve: this.#sieveOf(started) },
    );
  }

  /** A file that was named, by its name; others by their paths. */
  #nameOf(path: string): string {
    return this.#named.get(path) ?? path;
  }

  readonly #select = (batch: Part['batch']): Selected => select(batch, this.#selection, this.#keepsOthers);

  #sourceOf(name: string, { decoder }: StartedDecoder): LineSource {
    const { labels } = this;
    const index = labels.indexOf(name);
    return {
      name,
      index,
      plan: summaryPlan(decoder?.[0].meta ?? null),
      get label() {
        return labels.of(index);
      },
    };
  }

  async #timeAt(text: TextSource, { decoder, sandbox, second }: StartedDecoder): Promise<bigint | null> {
    for await (const chunk of wholeRecords(this.#decoders.read(text, decoder), decoder)) {
      const { result } = await decodeChunk(sandbox, chunk, second);
      const time = firstTime(result.injected);
      if (time !== null) return time;
    }
    return null;
  }

  /** Of files that are followed, who follows them tells: they may come yet. */
  #fail(error: Error): void {
    if (this.#followed !== null) return;
    this.#context.complain(messageOf(error));
    this.unreadable = true;
  }
}
