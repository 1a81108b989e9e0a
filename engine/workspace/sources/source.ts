import type { End } from '../../api/ends.ts';
import { printable, visibleText } from '../../api/printable.ts';
import type { DecoderChoice, DecoderPreview, PluginInfo, RawLines, SourceInfo, SourceKind } from '../../api/types.ts';
import { HeldInput } from '../../inputs/held-input.ts';
import { PeekedInput } from '../../inputs/peeked-input.ts';
import type { SplitOptions } from '../../inputs/splitters/index.ts';
import type { EndingInput, Input, InputNotice } from '../../inputs/types.ts';
import type { ClockKind, Message } from '../../message/types.ts';
import type { DecodedRecords } from '../../pipeline/decode-stage.ts';
import { shareDecoder } from '../../pipeline/decoder-group.ts';
import { asRecord, type DecoderDetector } from '../../detect/detect.ts';
import { LateDecoder } from '../../detect/late-decoder.ts';
import { Pipeline } from '../../pipeline/pipeline.ts';
import type { PipelineReport } from '../../pipeline/plugin-report.ts';
import { isEnding } from '../../pipeline/restarted-input.ts';
import type { SandboxStarter } from '../../plugins/sandboxes.ts';
import { findPlugin } from '../../plugins/catalog.ts';
import { decoderSplit } from '../../plugins/split.ts';
import type { PluginScript } from '../../plugins/types.ts';
import type { Config } from '../../plugins/parameters.ts';
import type { Sandbox, SandboxReport } from '../../sandbox/types.ts';
import { Serial } from '../../serial.ts';
import type { RecordStore } from '../../store/record-store.ts';
import { firstRaw } from '../../store/rows.ts';
import { PREVIEW_RECORDS, previewDecoder } from './preview.ts';
import { SourceDecoder, startDecoder } from './decoder.ts';
import { detectByFiles, detectByText } from './detection.ts';
import { Growth } from './growth.ts';
import type { SourceOptions, SourcePart } from './options.ts';
import { rawLines, type RawPlace } from './raw-lines.ts';
import { firstFile, firstRecords, firstRawLines, headLines } from './samples.ts';
import { RecordSink } from './record-sink.ts';
import { SourceStatus } from './status.ts';
import { SourceTally, type SourceSchema } from './tally.ts';
import { tableColumns } from './table-columns.ts';

/** The parts of the workspace that a source uses. */
export interface SourceContext {
  readonly store: RecordStore;
  readonly starter: SandboxStarter;
  readonly detector: DecoderDetector;
  /** Adds the workspace's filters and outputs to the pipeline of a source. */
  addPlugins(source: Source, pipeline: Pipeline): void;
  /** A file was read to its end. */
  atEnd(source: Source): void;
  /** Something in `info` is different. */
  changed(): void;
  /** There are further records: `info` and `schema` are different. */
  took(): void;
  notice(notice: InputNotice): void;
}

const LINES: SplitOptions = { kind: 'line' };

/** A file or listener of the workspace: input, decoder, and the way into the store and through the filters. */
export class Source {
  readonly id: number;
  readonly kind: SourceKind;
  readonly label: string;
  readonly location: string;
  readonly clock: ClockKind;
  readonly #options: SourceOptions;
  readonly #context: SourceContext;
  readonly #tally = new SourceTally();
  readonly #status: SourceStatus;
  #decoder: DecoderChoice | null = null;
  /** Of the decoder, as it was when it started. */
  #script: PluginScript | null = null;
  #inputs: readonly Input[] = [];
  /** The input of a file, which can be held. */
  #file: HeldInput | null = null;
  #pipeline: Pipeline | null = null;
  /** The decoder of the first input, if it has one, and those of its parts. */
  #decoders: readonly SourceDecoder[] = [];
  /** Exchanges the decoder while the source runs, so that a command need not run again. */
  #late: LateDecoder | null = null;
  readonly #sink: RecordSink;
  /** Its beginning was looked at, and no decoder fits. */
  #unrecognised = false;
  /** Someone chose how it is decoded while it ran. */
  #chosen = false;
  /** Seconds that are added to the time of each record. */
  #timeOffset: number;
  readonly #growth = new Growth();
  readonly #opened = Promise.withResolvers<void>();
  /** Starting and stopping happen one after the other. */
  readonly #turns = new Serial();

  constructor(options: SourceOptions, context: SourceContext) {
    this.#options = options;
    this.#context = context;
    this.#timeOffset = options.timeOffset ?? 0;
    this.clock = options.kind === 'file' ? 'message' : 'wall';
    ({ id: this.id, kind: this.kind, location: this.location } = options);
    // A file may have any name, and the label stands in sentences.
    this.label = visibleText(printable(options.label));
    this.#status = new SourceStatus(this, context);
    this.#sink = new RecordSink({
      source: this,
      store: context.store,
      isFresh: () => this.#growth.caughtUp,
      took: () => context.took(),
      failed: (error) => this.#status.fail(error),
    });
  }

  /** Resolves when it was opened for the first time, or could not be. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  get decoder(): DecoderChoice | null {
    return this.#decoder;
  }

  /** Milliseconds: of the record that was read last; null: there is none. */
  get lastTime(): number | null {
    return this.#tally.lastTime;
  }

  /** Counts and samples of its messages. */
  get schema(): SourceSchema {
    return this.#tally.schema;
  }

  get queued(): number {
    return this.#pipeline === null ? 0 : this.#pipeline.queued + this.#pipeline.router.pending;
  }

  info(): SourceInfo {
    const stats = this.#inputs.map((input) => input.stats());
    const tally = this.#tally.info();
    const sum = (of: (one: (typeof stats)[number]) => number): number => stats.reduce((total, one) => total + of(one), 0);
    return {
      id: this.id,
      kind: this.kind,
      label: this.label,
      location: this.location,
      ...this.#status.info(stats),
      decoder: this.#decoder,
      ...(this.#unrecognised ? { unrecognised: true as const } : {}),
      timeOffset: this.#timeOffset,
      columns: this.#decoder === null || this.kind === 'workstation' ? [] : tableColumns(this.#script?.meta?.columns, this.#tally),
      ...tally,
      // Those that can be seen.
      records: Math.max(0, tally.records - this.#sink.waiting),
      dropped: sum(({ dropped }) => dropped),
      bytes: sum(({ bytes }) => bytes),
      totalBytes: sum(({ totalBytes }) => totalBytes),
    };
  }

  /** Whether it has grown lately since it was read to its end, or receives what happens now. */
  get isLive(): boolean {
    return this.kind === 'file' ? this.#growth.isLive : this.#status.state === 'listening';
  }

  /** The report of its pipeline; null: it does not run. */
  async report(): Promise<PipelineReport | null> {
    return this.#pipeline === null ? null : this.#pipeline.report();
  }

  /** The decoders as plugins; none: the records are raw. */
  decoderInfos(): PluginInfo[] {
    return this.#decoders.map((decoder, i) => {
      const id = i === 0 ? `decoder/${this.id}` : `decoder/${this.id}/${i}`;
      return decoder.info(id, this, this.#decoders.length === 1 ? this.#tally.rate : 0);
    });
  }

  /**
   * Runs a decoder over the first records.
   * @throws {EngineError} when there is no such decoder, or its parameters are wrong
   */
  async preview(name: string, config: Readonly<Config>): Promise<DecoderPreview> {
    return previewDecoder(
      this.#context.starter,
      { name, config },
      await this.#firstRecords(decoderSplit(findPlugin('decoder', name), config)),
    );
  }

  /** Asks the decoders how they are. */
  async poll(): Promise<void> {
    await Promise.all(this.#decoders.map((decoder) => decoder.poll()));
  }

  /**
   * Starts with this decoder; null: it is detected. Never throws: what goes wrong is in `info` and a notice.
   * @param timeOffset seconds that are added to its times; absent: those that it was made with
   */
  async open(decoder: DecoderChoice | null, timeOffset = this.#timeOffset): Promise<void> {
    await this.#inTurn(async () => {
      // It may have been closed while its opening waited for the workspace file.
      if (this.#status.state === 'closed') return;
      this.#decoder = decoder;
      this.#timeOffset = timeOffset;
      await this.#start(decoder === null ? await this.#detect() : null);
    });
    this.#opened.resolve();
  }

  /** Decodes anew by another decoder; null: raw. Live sources go on with it from here. */
  async decodeBy(choice: DecoderChoice | null): Promise<void> {
    await this.#inTurn(async () => {
      this.#tally.forgetFields();
      this.#unrecognised = false;
      if (this.#late !== null && this.#pipeline !== null) {
        this.#chosen = true;
        this.#decoder = choice;
        await this.#use(choice === null ? null : await this.#startDecoder(choice), this.#late);
        return;
      }
      await this.#stop();
      this.#decoder = choice;
      if (this.kind === 'file') {
        this.#context.store.remove(this.id);
        this.#tally.forgetRecords();
      }
      await this.#start(null);
    });
  }

  /** Adds so many seconds to the times of its records. A file is read anew for it; other sources go on with it from here. */
  async shiftTimes(seconds: number): Promise<void> {
    if (seconds === this.#timeOffset) return;
    this.#timeOffset = seconds;
    if (this.kind === 'file') await this.decodeBy(this.#decoder);
    else this.#context.changed();
  }

  /** Stops reading; filters and records stay. A file stops only on the way to its end. */
  async pause(): Promise<void> {
    if (this.kind === 'file') await this.opened;
    await this.#inTurn(async () => {
      if (this.#pipeline === null) return;
      if (this.#file !== null && this.#status.state !== 'reading') return;
      this.#status.become('paused');
      if (this.#file !== null) this.#file.hold();
      else await Promise.all(this.#inputs.map((input) => input.stop()));
    });
  }

  /** Goes on after `pause`, or runs anew what has ended. */
  async resume(): Promise<void> {
    await this.#inTurn(async () => {
      if (this.#pipeline === null) return;
      if (this.#file !== null) this.#readOn(this.#file);
      else if (this.#status.state !== 'listening') {
        this.#status.mended();
        await this.#listen(this.#pipeline);
      }
    });
  }

  #readOn(file: HeldInput): void {
    if (this.#status.state !== 'paused') return;
    this.#status.starting();
    // Everything was read when it was stopped: nothing will tell of the end again.
    if (this.#growth.caughtUp) this.#status.become('following');
    file.release();
  }

  async close(): Promise<void> {
    await this.#inTurn(async () => {
      await this.#stop();
      this.#status.closed();
    });
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    return this.#turns.run(async () => {
      try {
        await work();
      } catch (error) {
        this.#status.fail(error);
      }
      this.#context.changed();
    });
  }

  /** The first lines as they are, for a look at them: of the file, or of what has come. */
  async firstLines(): Promise<string[]> {
    return this.kind === 'file' ? headLines(this.location) : firstRawLines(this.#context.store, this.id);
  }

  /** Lines of a file as they stand in it; null: they cannot be read so. */
  rawLines(place: RawPlace): Promise<RawLines | null> {
    return this.kind === 'file' ? rawLines(this.location, place) : Promise.resolve(null);
  }

  /** The first records as they were read: files are cut as the decoder wants it. */
  async #firstRecords(split: SplitOptions): Promise<Message[]> {
    const path = await firstFile(this.#options.samples ?? []);
    const { store } = this.#context;
    if (path !== null) return firstRecords(path, split, PREVIEW_RECORDS);
    return (await firstRaw(store, this.id, PREVIEW_RECORDS)).map((text) => asRecord(text));
  }

  /** Detects the decoder; its sandbox, ready to run. */
  async #detect(): Promise<Sandbox | null> {
    const { samples = [] } = this.#options;
    const found = await detectByFiles(this.#context.detector, samples);
    this.#unrecognised = found === null && samples.length > 0;
    this.#decoder = found?.choice ?? null;
    return found?.sandbox ?? null;
  }

  async #start(ready: Sandbox | null): Promise<void> {
    this.#status.mended();
    this.#growth.begin(this.kind !== 'file');
    const tried = await ready?.report().catch(() => null);
    const decoder = this.#shared(ready ?? (this.#decoder === null ? null : await this.#startDecoder(this.#decoder)));
    this.#script = this.#decoder === null ? null : findPlugin('decoder', this.#decoder.name);
    const pipeline = new Pipeline({ clock: this.clock });
    this.#context.addPlugins(this, pipeline);
    const input = this.#newInput(this.#script === null ? LINES : decoderSplit(this.#script, this.#decoder?.config));
    this.#decoders = decoder === null ? [] : [new SourceDecoder(this.#decoder?.name ?? '', decoder, tried)];
    if (this.kind === 'command' && isEnding(input)) this.#addLate(pipeline, input, decoder);
    else {
      this.#inputs = [input];
      this.#addInput(pipeline, input, decoder, this.#decoders[0]);
    }
    for (const part of this.#options.parts ?? []) await this.#addPart(pipeline, part);
    this.#pipeline = pipeline;
    await this.#listen(pipeline);
  }

  #newInput(split: SplitOptions): Input {
    const input = this.#options.input(split);
    this.#file = this.kind === 'file' ? new HeldInput(input) : null;
    return this.#file ?? input;
  }

  #addInput(pipeline: Pipeline, input: Input, sandbox: Sandbox | null, decoder: SourceDecoder | undefined): void {
    pipeline.addInput({
      name: input.name,
      input,
      decoder: sandbox,
      sendDecodeFailures: false,
      timeOffset: () => BigInt(Math.round(this.#timeOffset * 1e9)),
      onRecords: (records) => this.#take(records, decoder?.name ?? this.#decoder?.name ?? null),
      onNotice: (notice) => this.#status.hear(notice),
      onIdle: () => this.#idle(),
      onDecoderTerminated: (end) => decoder !== undefined && this.#decoderEnded(decoder, end),
      onFault: (error) => this.#status.fail(error),
    });
  }

  #idle(): void {
    this.#growth.reachedEnd();
    this.#status.become(this.kind === 'file' ? 'following' : 'listening');
    if (this.kind === 'file') this.#context.atEnd(this);
  }

  /** An input whose decoder is found by its first records. */
  #addLate(pipeline: Pipeline, input: EndingInput, decoder: Sandbox | null): void {
    const late = new LateDecoder((end) => this.#decoders[0] !== undefined && this.#decoderEnded(this.#decoders[0], end));
    const head = new PeekedInput(input, (text) => this.#recognise(text, late));
    this.#late = late;
    this.#inputs = [head];
    if (decoder !== null) void late.use(decoder);
    this.#addInput(pipeline, head, late, undefined);
  }

  async #recognise(text: string, late: LateDecoder): Promise<void> {
    if (this.#decoder !== null || this.#chosen) return;
    const found = await detectByText(this.#context.detector, text);
    if (this.#chosen) return found?.sandbox.stop();
    this.#unrecognised = found === null;
    if (found === null) return this.#context.changed();
    this.#decoder = found.choice;
    await this.#use(found.sandbox, late, await found.sandbox.report().catch(() => null));
  }

  async #use(sandbox: Sandbox | null, late: LateDecoder, tried?: SandboxReport | null): Promise<void> {
    this.#script = this.#decoder === null ? null : findPlugin('decoder', this.#decoder.name);
    this.#decoders = sandbox === null ? [] : [new SourceDecoder(this.#decoder?.name ?? '', sandbox, tried)];
    await late.use(sandbox);
    this.#context.changed();
  }

  async #addPart(pipeline: Pipeline, { input: make, decoder: choice }: SourcePart): Promise<void> {
    const input = make();
    const sandbox = choice === null ? null : await this.#startPart(choice);
    const decoder = choice === null || sandbox === null ? undefined : new SourceDecoder(choice.name, sandbox);
    this.#inputs = [...this.#inputs, input];
    if (decoder !== undefined) this.#decoders = [...this.#decoders, decoder];
    this.#addInput(pipeline, input, sandbox, decoder);
  }

  async #listen(pipeline: Pipeline): Promise<void> {
    this.#status.starting();
    await pipeline.start();
    if (this.kind !== 'file') this.#status.become('listening');
    for (const input of this.#inputs.filter(isEnding))
      void input.ended.then((end) => this.#inputs.includes(input) && this.#status.ended(end));
  }

  /** The decoder on all cores, where that is possible. */
  #shared(decoder: Sandbox | null): Sandbox | null {
    if (decoder === null || this.#decoder === null) return decoder;
    return shareDecoder(decoder, findPlugin('decoder', this.#decoder.name), this.#context.starter);
  }

  /** null, after a notice, when it does not start; then the records are shown raw. */
  async #startDecoder(choice: DecoderChoice): Promise<Sandbox | null> {
    const sandbox = await this.#startPart(choice);
    if (sandbox === null) this.#decoder = null;
    return sandbox;
  }

  async #startPart(choice: DecoderChoice): Promise<Sandbox | null> {
    try {
      return await startDecoder(this.#context.starter, choice, this.label);
    } catch (error) {
      this.#status.decoderFailed(choice.name, error);
      return null;
    }
  }

  async #stop(): Promise<void> {
    const pipeline = this.#pipeline;
    this.#pipeline = null;
    this.#late = null;
    await this.#sink.end(async () => pipeline?.stop());
  }

  async #take(records: DecodedRecords, decoder: string | null): Promise<void> {
    this.#tally.take(records);
    this.#growth.came();
    if (this.kind === 'file') this.#status.become('reading');
    await this.#sink.take(records, decoder);
  }

  #decoderEnded(decoder: SourceDecoder, end: End): void {
    decoder.end = end;
    this.#pipeline?.tellTerminated(decoder.sandbox.spec.name, end);
    this.#status.decoderEnded(decoder.name, end.reason);
  }
}
