import { existsSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import type { DecoderChoice, DecoderPreview, PluginInfo, SourceInfo, SourceKind } from './types.ts';
import { messageOf } from '../errors.ts';
import { readRecords } from '../inputs/read.ts';
import type { SplitOptions } from '../inputs/splitters/index.ts';
import type { Input, InputNotice } from '../inputs/types.ts';
import { textAt, type MessageBatch } from '../message/batch.ts';
import { SchemaSamples } from '../outputs/schema-tree.ts';
import type { ClockKind } from '../pipeline/clock.ts';
import type { DecodedRecords } from '../pipeline/decode-stage.ts';
import { decoderSplit } from '../pipeline/decoder-splits.ts';
import { HEAD_LENGTH, type DecoderDetector } from '../pipeline/detect.ts';
import { Pipeline } from '../pipeline/pipeline.ts';
import { sandboxSpec, type SandboxStarter } from '../pipeline/sandboxes.ts';
import { findPlugin, type Config } from '../plugins/index.ts';
import type { Sandbox, SandboxReport } from '../sandbox/types.ts';
import { firstRaw, type RecordStore } from '../store/index.ts';
import { PREVIEW_RECORDS, previewDecoder } from './preview.ts';
import { pluginInfo } from './plugin-info.ts';
import { RateMeter } from './rates.ts';
import { tableColumns } from './templates.ts';

/** What a source needs of the workspace. */
export interface SourceContext {
  readonly store: RecordStore;
  readonly starter: SandboxStarter;
  readonly detector: DecoderDetector;
  /** Adds the workspace's filters and outputs to the pipeline of a source. */
  addPlugins(source: Source, pipeline: Pipeline): void;
  /** Something in `info` is different. */
  changed(): void;
  notice(notice: InputNotice): void;
}

export interface SourceOptions {
  readonly id: number;
  readonly kind: SourceKind;
  readonly label: string;
  readonly location: string;
  /** Makes the input, reading from the beginning; files are cut into records as the decoder wants it. */
  readonly input: (split: SplitOptions) => Input;
  /** Files, or patterns of files, to detect the decoder by. */
  readonly samples?: readonly string[];
}

/** A file or listener of the workspace: input, decoder, and the way into the store and through the filters. */
export class Source {
  readonly id: number;
  readonly kind: SourceKind;
  readonly label: string;
  readonly location: string;
  readonly clock: ClockKind;
  samples = new SchemaSamples();
  readonly #options: SourceOptions;
  readonly #context: SourceContext;
  readonly #meter = new RateMeter();
  #decoder: DecoderChoice | null = null;
  #state: SourceInfo['state'] = 'opening';
  #problem: string | null = null;
  #records = 0;
  #failures = 0;
  /** Fields of the first records that were decoded. */
  #fields: readonly string[] = [];
  #input: Input | null = null;
  #pipeline: Pipeline | null = null;
  /** The decoder's sandbox, what it last said, and why it ended. */
  #running: { readonly sandbox: Sandbox; report: SandboxReport | null; reason: string | null } | null = null;
  readonly #opened = Promise.withResolvers<void>();
  /** Starting and stopping happen one after the other. */
  #turn: Promise<void> = Promise.resolve();

  constructor(options: SourceOptions, context: SourceContext) {
    this.#options = options;
    this.#context = context;
    this.clock = options.kind === 'file' ? 'message' : 'wall';
    ({ id: this.id, kind: this.kind, label: this.label, location: this.location } = options);
  }

  /** Resolves when it was opened for the first time, or could not be. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  get decoder(): DecoderChoice | null {
    return this.#decoder;
  }

  get queued(): number {
    return this.#pipeline === null ? 0 : this.#pipeline.queued + this.#pipeline.router.pending;
  }

  info(): SourceInfo {
    const stats = this.#input?.stats() ?? { bytes: 0, dropped: 0, totalBytes: 0 };
    return {
      ...{ id: this.id, kind: this.kind, label: this.label, location: this.location },
      ...{ state: this.#state, decoder: this.#decoder, problem: this.#problem },
      columns: this.#decoder === null ? [] : tableColumns(this.#decoder.name, this.#fields),
      ...{ records: this.#records, failures: this.#failures, dropped: stats.dropped, bytes: stats.bytes, totalBytes: stats.totalBytes },
      ...{ rate: this.#meter.rate(), history: this.#meter.history() },
    };
  }

  /** The decoder as a plugin; null: the records are raw. */
  decoderInfo(): PluginInfo | null {
    if (this.#running === null) return null;
    const { sandbox, report, reason } = this.#running;
    const name = `${this.#decoder?.name ?? sandbox.spec.name} (${this.label})`;
    return pluginInfo({ spec: { ...sandbox.spec, name }, matcher: null, source: this.id, reason, report });
  }

  /**
   * What a decoder would make of the first records.
   * @throws {EngineError} when there is no such decoder, or its parameters are wrong
   */
  async preview(name: string, config: Readonly<Config>): Promise<DecoderPreview> {
    return previewDecoder(this.#context.starter, { name, config }, await this.#firstRecords(name));
  }

  /** Asks the decoder's sandbox how it is. */
  async poll(): Promise<void> {
    const running = this.#running;
    if (running === null || running.reason !== null) return;
    running.report = await running.sandbox.report().catch(() => running.report);
  }

  /** Starts with this decoder; null: it is detected. Never throws: what goes wrong is in `info` and a notice. */
  async open(decoder: DecoderChoice | null): Promise<void> {
    await this.#inTurn(async () => {
      this.#decoder = decoder;
      await this.#start(decoder === null ? await this.#detect() : null);
    });
    this.#opened.resolve();
  }

  /** Decodes anew by another decoder; null: raw. Live sources go on with it from here. */
  async decodeBy(choice: DecoderChoice | null): Promise<void> {
    await this.#inTurn(async () => {
      await this.#stop();
      this.#decoder = choice;
      this.#fields = [];
      if (this.kind === 'file') this.#forget();
      await this.#start(null);
    });
  }

  async close(): Promise<void> {
    await this.#inTurn(async () => {
      await this.#stop();
      this.#state = 'closed';
    });
  }

  #forget(): void {
    this.#context.store.remove(this.id);
    this.samples = new SchemaSamples();
    this.#records = 0;
    this.#failures = 0;
  }

  async #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(async () => {
      try {
        await work();
      } catch (error) {
        this.#fail(error);
      }
      this.#context.changed();
    });
    this.#turn = turn;
    await turn;
  }

  /** The first records as they were read: files are cut as the decoder wants it. */
  async #firstRecords(decoder: string): Promise<string[]> {
    const path = await firstFile(this.#options.samples ?? []);
    if (path === null) return firstRaw(this.#context.store, this.id, PREVIEW_RECORDS);
    const records: string[] = [];
    for await (const { batch } of readRecords(path, { split: decoderSplit(decoder) })) {
      for (let row = 0; row < batch.length && records.length < PREVIEW_RECORDS; row++) records.push(textAt(batch.payload, row) ?? '');
      if (records.length >= PREVIEW_RECORDS) break;
    }
    return records;
  }

  /** Detects the decoder; its sandbox, ready to run. */
  async #detect(): Promise<Sandbox | null> {
    const path = await firstFile(this.#options.samples ?? []);
    if (path === null) return null;
    const found = await this.#context.detector.detect(await readHead(path));
    if (found === null) return null;
    const { sandbox, name, config, confidence } = found;
    this.#decoder = { name, config, confidence, by: 'detected' };
    return sandbox;
  }

  async #start(ready: Sandbox | null): Promise<void> {
    this.#problem = null;
    const decoder = ready ?? (this.#decoder === null ? null : await this.#startDecoder(this.#decoder));
    this.#running = decoder === null ? null : { sandbox: decoder, report: null, reason: null };
    const input = this.#options.input(decoderSplit(this.#decoder?.name ?? ''));
    const pipeline = new Pipeline({ clock: this.clock });
    this.#context.addPlugins(this, pipeline);
    pipeline.addInput({
      input,
      decoder,
      sendDecodeFailures: false,
      onRecords: (records) => this.#take(records),
      onNotice: (notice) => this.#hear(notice),
      onIdle: () => this.#become(this.kind === 'file' ? 'following' : 'listening'),
      onDecoderTerminated: (reason) => this.#decoderEnded(reason),
      onFault: (error) => this.#fail(error),
    });
    this.#input = input;
    this.#pipeline = pipeline;
    this.#state = this.kind === 'file' ? 'reading' : 'listening';
    this.#context.changed();
    await pipeline.start();
  }

  async #startDecoder({ name, config }: DecoderChoice): Promise<Sandbox | null> {
    try {
      const spec = sandboxSpec('decoder', findPlugin('decoder', name), { name: `${name} (${this.label})`, config });
      return await this.#context.starter.start(spec);
    } catch (error) {
      this.#problem = `The decoder ${name} did not start, so the records are shown raw: ${messageOf(error)}`;
      this.#context.notice({ level: 'error', code: 'decoder.failed', text: `${this.label}: ${this.#problem}` });
      this.#decoder = null;
      return null;
    }
  }

  async #stop(): Promise<void> {
    const pipeline = this.#pipeline;
    this.#pipeline = null;
    await pipeline?.stop();
  }

  async #take(records: DecodedRecords): Promise<void> {
    const count = records.input.batch.length;
    this.#records += count;
    this.#failures += records.failures.length;
    this.#meter.add(count);
    if (this.kind === 'file') this.#become('reading');
    this.samples.observe(records.batch);
    if (this.#fields.length === 0 && count > records.failures.length) this.#fields = fieldNames(records.batch);
    await this.#context.store.append({
      batch: records.batch,
      raw: records.raw,
      source: this.id,
      decoder: this.#decoder?.name ?? null,
    });
    this.#context.changed();
  }

  #hear(notice: InputNotice): void {
    if (notice.level === 'error') {
      this.#problem = notice.text;
      // A listener has nothing else to go on with; a file may come back.
      if (this.kind !== 'file') this.#state = 'failed';
    }
    this.#context.notice(notice);
    this.#context.changed();
  }

  #decoderEnded(reason: string): void {
    if (this.#running !== null) this.#running.reason = reason;
    this.#problem = `The decoder ${this.#decoder?.name ?? ''} has ended, so the records are shown raw: ${reason}`;
    this.#context.notice({ level: 'error', code: 'decoder.terminated', text: `${this.label}: ${this.#problem}` });
    this.#context.changed();
  }

  #become(state: SourceInfo['state']): void {
    if (this.#state === state || this.#state === 'failed' || this.#state === 'closed') return;
    this.#state = state;
    this.#context.changed();
  }

  #fail(error: unknown): void {
    this.#state = 'failed';
    this.#problem = messageOf(error);
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'source.failed';
    this.#context.notice({ level: 'error', code, text: this.#problem });
    this.#context.changed();
  }
}

const MOST_FIELDS = 200;

function fieldNames({ fields }: MessageBatch): string[] {
  return [...new Set(fields.map(({ name }) => name))].slice(0, MOST_FIELDS);
}

/** The first lines of a file, a little more than a detection looks at. */
async function readHead(path: string): Promise<string> {
  let head = '';
  for await (const { batch } of readRecords(path)) {
    for (let row = 0; row < batch.length && head.length <= HEAD_LENGTH; row++) head += `${textAt(batch.payload, row) ?? ''}\n`;
    if (head.length > HEAD_LENGTH) break;
  }
  return head;
}

/** The first file that a list of paths and patterns leads to. */
async function firstFile(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) {
    if (!/[*?[{]/.test(path) || existsSync(path)) return path;
    for await (const found of glob(path)) return found;
  }
  return null;
}
