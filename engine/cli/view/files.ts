import { hostname } from 'node:os';
import { messageOf } from '../../base/errors.ts';
import { TextSource } from '../../inputs/shared/read.ts';
import { isStandardInput, sourceName } from '../../inputs/shared/standard-input.ts';
import { summaryPlan } from '../../plugins/summary-plan.ts';
import type { SandboxStarter } from '../../plugins/sandboxes.ts';
import type { CommandContext } from '../command.ts';
import { FailureReport } from '../failures.ts';
import { FileDecoders, type Decoding } from '../file-decoders.ts';
import { namedFiles } from '../named-files.ts';
import { labelsOf } from './labels.ts';
import type { FileParts } from './merge.ts';
import { partsOf, type Part } from './records.ts';
import { select, type Selection } from './selection.ts';

/** Files that are shown. */
export class ViewedFiles {
  readonly #decoders: FileDecoders;
  readonly #context: CommandContext;
  readonly #selection: Selection;
  readonly #keepsOthers: boolean;
  readonly failures = new FailureReport();
  /** Called with records that are about to be shown, of all files before the first one is. */
  onRecords: (batch: Part['batch']) => void = () => undefined;
  /** A file could not be read. */
  unreadable = false;
  /** Columns of the longest name on the lines; 0: there is but one file. */
  labelWidth = 0;
  readonly machine = hostname();

  constructor(
    sandboxes: SandboxStarter,
    decoding: Decoding,
    { context, selection, keepsOthers }: { readonly context: CommandContext; readonly selection: Selection; readonly keepsOthers: boolean },
  ) {
    this.#decoders = new FileDecoders(sandboxes, decoding, context);
    this.#context = context;
    this.#selection = selection;
    this.#keepsOthers = keepsOthers;
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
      const { failures } = this;
      const { until } = this.#selection;
      const selectRows = (batch: Part['batch']): ReturnType<typeof select> => select(batch, this.#selection, this.#keepsOthers);
      const parts = partsOf(
        { ...started, chunks: this.#decoders.read(text, started.decoder) },
        { source, context: this.#context, failures, select: selectRows, until },
      );
      for await (const part of parts) {
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

  #fail(error: Error): void {
    this.#context.complain(messageOf(error));
    this.unreadable = true;
  }
}
