import { hostname } from 'node:os';
import { messageOf } from '../../base/errors.ts';
import { TextSource } from '../../inputs/shared/read.ts';
import { isStandardInput, sourceName } from '../../inputs/shared/standard-input.ts';
import { summaryPlan } from '../../plugins/summary-plan.ts';
import type { SandboxStarter } from '../../plugins/sandboxes.ts';
import type { CommandContext } from '../command.ts';
import { FailureReport } from '../failures.ts';
import { decodeChunk } from '../decoded.ts';
import { FileDecoders, type Decoding, type StartedDecoder } from '../file-decoders.ts';
import type { InputChunk } from '../message-source.ts';
import { namedFiles } from '../named-files.ts';
import { labelsOf } from './labels.ts';
import type { FileParts } from './merge.ts';
import { partsOf, type Part } from './records.ts';
import type { LineSource } from './lines.ts';
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
  readonly failures = new FailureReport();
  /** Called with records that are about to be shown, of all files before the first one is. */
  onRecords: (batch: Part['batch']) => void = () => undefined;
  /** A file could not be read. */
  unreadable = false;
  /** Columns of the longest name on the lines; 0: there is but one file. */
  labelWidth = 0;
  readonly machine = hostname();

  constructor(sandboxes: SandboxStarter, decoding: Decoding, { context, selection, keepsOthers, last }: ViewOptions) {
    this.#decoders = new FileDecoders(sandboxes, decoding, context);
    this.#context = context;
    this.#selection = selection;
    this.#keepsOthers = keepsOthers;
    this.#last = keepsOthers ? null : last;
  }

  /** The records of all files that some arguments stand for. */
  async of(paths: readonly string[]): Promise<FileParts[]> {
    const files: string[] = [];
    for await (const { file, problem } of namedFiles(paths, this.#context.complain)) {
      if (problem === undefined) files.push(file);
      else this.#fail(problem);
    }
    const { labels, width } = labelsOf(files.map(sourceName));
    this.labelWidth = width;
    return files.map((file, index) => ({
      isOnce: isStandardInput(file),
      [Symbol.asyncIterator]: () => this.#partsOf(file, labels[index] as string, index),
    }));
  }

  async *#partsOf(file: string, label: string, index: number): AsyncGenerator<Part> {
    const { signal } = this.#context;
    const text = new TextSource(file, { signal });
    try {
      const started = await this.#decoders.start(text);
      const source = { name: text.name, label, index, plan: summaryPlan(started.decoder?.[0].meta ?? null) };
      for await (const part of this.#read(file, { text, started, source })) {
        this.onRecords(part.batch);
        yield part;
      }
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
    await using plain = (since === null && this.#last === null) || !canBeCut(started.decoder) ? null : await PlainFile.open(file);
    if (plain === null) {
      yield* this.#parts(this.#decoders.read(text, started.decoder), started, source);
      return;
    }
    const from = (at: number): AsyncGenerator<Part> => {
      const chunks = this.#decoders.read(plain.from(at), started.decoder);
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

  #parts(chunks: AsyncIterable<InputChunk>, started: StartedDecoder, source: LineSource): AsyncGenerator<Part> {
    const { failures } = this;
    const { until } = this.#selection;
    const selectRows = (batch: Part['batch']): Selected => select(batch, this.#selection, this.#keepsOthers);
    return partsOf({ ...started, chunks }, { source, context: this.#context, failures, select: selectRows, until });
  }

  async #timeAt(text: TextSource, { decoder, sandbox, second }: StartedDecoder): Promise<bigint | null> {
    for await (const chunk of wholeRecords(this.#decoders.read(text, decoder), decoder)) {
      const { result } = await decodeChunk(sandbox, chunk, second);
      const time = firstTime(result.injected);
      if (time !== null) return time;
    }
    return null;
  }

  #fail(error: Error): void {
    this.#context.complain(messageOf(error));
    this.unreadable = true;
  }
}
