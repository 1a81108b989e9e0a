import { printable, visibleText } from '../../api/printable.ts';
import type { DecoderChoice, DecoderPreview, PluginInfo, RawLines, SourceInfo, SourceKind, UnreadPage } from '../../api/types.ts';
import { EngineError } from '../../base/errors.ts';
import { HeldInput } from '../../inputs/held-input.ts';
import type { SplitOptions } from '../../inputs/splitters/index.ts';
import type { Input } from '../../inputs/types.ts';
import type { ClockKind } from '../../message/types.ts';
import type { DecodedRecords } from '../../pipeline/decode-stage.ts';
import { Pipeline } from '../../pipeline/pipeline.ts';
import type { PipelineReport } from '../../pipeline/plugin-report.ts';
import { isEnding } from '../../pipeline/restarted-input.ts';
import { findPlugin } from '../../plugins/catalog.ts';
import { decoderSplit } from '../../plugins/split.ts';
import type { Config } from '../../plugins/parameters.ts';
import type { Sandbox } from '../../sandbox/contract/types.ts';
import { Serial } from '../../base/time/serial.ts';
import type { SourceContext } from './context.ts';
import type { RunningDecoder } from './running-decoder.ts';
import { SourceDecoders } from './decoders.ts';
import { Growth } from './growth.ts';
import type { SourceOptions, SourcePart } from './options.ts';
import { PREVIEW_RECORDS, previewDecoder } from './preview.ts';
import { rawLines, type RawPlace } from './raw-lines.ts';
import { Received } from './received.ts';
import { RecordSink } from './record-sink.ts';
import { firstRawLines, headLines, sampleRecords } from './samples.ts';
import { SourceStatus } from './status.ts';
import { SourceTally, type SourceSchema } from './tally.ts';
import { NO_TABLE, tableOf } from './table-columns.ts';
import { UnreadFile, type UnreadPlace } from './unread-file.ts';

/** Bytes that were written since the end was reached, from which on reading them takes a while: a live log is read as it grows. */
const FAR_BEHIND = 1 << 20;
/** Bytes that a last line without its end may have, for which a file waits a while: the next file may begin. */
const LAST_LINE = 1 << 16;

/** A file or listener of the workspace: input, decoder, and the way into the store and through the filters. */
export class Source {
  readonly id: number;
  readonly kind: SourceKind;
  /** The label that it was given, whatever else is open. */
  readonly name: string;
  readonly location: string;
  readonly bringsOutputs: boolean;
  readonly clock: ClockKind;
  readonly #options: SourceOptions;
  readonly #context: SourceContext;
  #label: string;
  readonly #tally = new SourceTally();
  readonly #status: SourceStatus;
  #inputs: readonly Input[] = [];
  /** The input of a file, which can be held. */
  #file: HeldInput | null = null;
  #pipeline: Pipeline | null = null;
  readonly #decoders: SourceDecoders;
  readonly #sink: RecordSink;
  readonly #received: Received;
  readonly #unread: UnreadFile;
  /** Seconds that are added to the time of each record. */
  #timeOffset: number;
  readonly #offsetNs = (): bigint => BigInt(Math.round(this.#timeOffset * 1e9));
  readonly #growth = new Growth();
  #isAwaited: boolean;
  #isClosing = false;
  readonly #opened = Promise.withResolvers<void>();
  /** Starting and stopping happen one after the other. */
  readonly #turns = new Serial();

  constructor(options: SourceOptions, context: SourceContext) {
    this.#options = options;
    this.#context = context;
    this.#timeOffset = options.timeOffset ?? 0;
    this.clock = options.kind === 'file' ? 'message' : 'wall';
    ({ id: this.id, kind: this.kind, location: this.location, bringsOutputs: this.bringsOutputs = false } = options);
    this.name = options.label;
    this.#label = shownLabel(options.label);
    this.#isAwaited = options.isAwaited ?? false;
    this.#status = new SourceStatus(this, {
      changed: () => context.changed(),
      notice: (notice) => this.#isAwaited || context.notice(notice),
    });
    this.#decoders = new SourceDecoders({
      source: this,
      status: this.#status,
      starter: context.starter,
      detector: context.detector,
      changed: () => context.changed(),
      terminated: (sandbox, end) => this.#pipeline?.tellTerminated(sandbox, end),
    });
    this.#unread = new UnreadFile({
      source: this,
      name: options.label,
      context,
      decoders: this.#decoders,
      timeOffset: this.#offsetNs,
    });
    this.#sink = new RecordSink({
      source: this,
      store: context.store,
      isFresh: () => this.#growth.caughtUp,
      took: (count) => context.took(count),
      failed: (error) => this.#status.fail(error),
    });
    this.#received = new Received({
      file: options.kind === 'file' || options.kind === 'engine' ? null : context.received.of(options),
      sink: this.#sink,
      count: (records) => this.#tally.take(records),
      route: async (batch, signer) => this.#pipeline?.router.accept(batch, signer),
      damaged: (text) => context.notice({ level: 'warning', code: 'received.damaged', text: `${this.label}: ${text}.` }),
      restored: () => context.changed(),
    });
  }

  /** Resolves when it was opened for the first time, or could not be. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  get decoder(): DecoderChoice | null {
    return this.#decoders.choice;
  }

  /** Whether its messages come decoded from a store. */
  get isStored(): boolean {
    return this.#options.stored !== undefined;
  }

  /** @throws {EngineError} `source.stored` when its messages come decoded */
  requireUndecoded(): void {
    if (!this.isStored) return;
    throw new EngineError('source.stored', `${this.label} comes from a store, decoded. Open its log to decode it by another decoder.`);
  }

  /** Counts and samples of its messages. */
  get schema(): SourceSchema {
    return this.#tally.schema;
  }

  /** Short name for lists and sentences. */
  get label(): string {
    return this.#label;
  }

  /** Sets the label while files of the same name are open. */
  set label(label: string) {
    const shown = shownLabel(label);
    if (shown !== this.#label) this.#context.changed();
    this.#label = shown;
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
      decoder: this.#decoders.choice,
      ...(this.#decoders.unrecognised ? { unrecognised: true as const } : {}),
      ...(this.isStored ? { stored: true as const } : {}),
      ...this.#received.info,
      timeOffset: this.#timeOffset,
      ...(this.#hasColumns ? tableOf(this.#decoders.script?.meta?.columns, this.#tally) : NO_TABLE),
      ...tally,
      // Records that still wait for earlier ones are not in the store.
      records: Math.max(0, tally.records - this.#sink.waiting),
      dropped: sum(({ dropped }) => dropped),
      bytes: sum(({ bytes }) => bytes),
      totalBytes: sum(({ totalBytes }) => totalBytes),
    };
  }

  /** The records of a source with several decoders have no columns in common. */
  get #hasColumns(): boolean {
    return this.#decoders.choice !== null && this.kind !== 'workstation';
  }

  /** Bytes of a file that were not read yet. */
  get #bytesLeft(): number {
    const { bytes, totalBytes } = this.#file?.stats() ?? { bytes: 0, totalBytes: 0 };
    return totalBytes - bytes;
  }

  /** Whether it has grown lately since it was read to its end, or receives what happens now. */
  get isLive(): boolean {
    return this.kind === 'file' ? this.#growth.isLive : this.#status.state === 'listening';
  }

  /** The report of its pipeline; null: it does not run. */
  async report(): Promise<PipelineReport | null> {
    return this.#pipeline === null ? null : this.#pipeline.report();
  }

  /** The descriptions of the decoders for the window; none: the records are raw. */
  decoderInfos(): PluginInfo[] {
    return this.#decoders.infos(this.#tally.rate);
  }

  /**
   * Runs a decoder over the first records.
   * @throws {EngineError} when there is no such decoder, or its parameters are wrong
   */
  async preview(name: string, config: Readonly<Config>): Promise<DecoderPreview> {
    const { starter, store } = this.#context;
    const split = decoderSplit(findPlugin('decoder', name), config);
    const records = await sampleRecords({ samples: this.#options.samples ?? [], split, store, source: this.id, most: PREVIEW_RECORDS });
    return previewDecoder(starter, { name, config }, records);
  }

  /** Requests the reports of the decoders. */
  async poll(): Promise<void> {
    await this.#decoders.poll();
  }

  /**
   * Starts with this decoder; null: it is detected. Never throws: what goes wrong is in `info` and a notice.
   * @param timeOffset seconds that are added to its times; absent: those that it was made with
   */
  async open(decoder: DecoderChoice | null, timeOffset = this.#timeOffset): Promise<void> {
    await this.#inTurn(async () => {
      if (this.kind === 'file' && !this.#isClosing) await this.#context.reading.begin(this);
      // It may have been closed while its opening waited for the workspace file, or for other files.
      if (this.#isClosing) return;
      this.#timeOffset = timeOffset;
      this.#decoders.choose(decoder);
      await this.#start(decoder === null ? await this.#decoders.detect(this.#options.samples ?? []) : null);
    });
    this.#isAwaited = false;
    this.#opened.resolve();
  }

  /** Decodes anew by another decoder; null: raw. Live sources go on with it from here. */
  decodeBy(choice: DecoderChoice | null): Promise<void> {
    return this.#decodeBy(() => choice);
  }

  /** Decodes anew by the decoder that it has when its turn comes. */
  decodeAnew(): Promise<void> {
    return this.#decodeBy(() => this.#decoders.choice);
  }

  async #decodeBy(chosen: () => DecoderChoice | null): Promise<void> {
    await this.#inTurn(async () => {
      const choice = chosen();
      this.#tally.forgetFields();
      if (this.#pipeline !== null && this.#decoders.exchangeable) return this.#decoders.exchange(choice);
      await this.#stop();
      this.#decoders.choose(choice);
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
    if (this.kind === 'file') await this.decodeAnew();
    else this.#context.changed();
  }

  /** Stops reading; filters and records stay. A file stops only on the way to its end. */
  async pause(): Promise<void> {
    if (this.kind === 'file') await this.opened;
    await this.#inTurn(async () => {
      if (this.#pipeline === null) return;
      if (this.#file !== null && this.#status.state !== 'reading') return;
      this.#status.become('paused');
      this.#context.reading.end(this);
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

  /** @param keepReceived leaves what it has received to the next process */
  async close({ keepReceived = false } = {}): Promise<void> {
    this.#isClosing = true;
    this.#context.reading.end(this);
    await this.#inTurn(async () => {
      await this.#stop();
      await this.#received.close(keepReceived);
      this.#status.closed();
    });
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    return this.#turns.run(async () => {
      try {
        await work();
      } catch (error) {
        this.#status.fail(error);
        this.#context.reading.end(this);
      }
      this.#context.changed();
    });
  }

  /** The first lines as they are, for a look at them: of the file, or of what has come. */
  async firstLines(): Promise<string[]> {
    return this.#isText ? headLines(this.location) : firstRawLines(this.#context.store, this.id);
  }

  /** Lines of a file as they stand in it; null: they cannot be read so. */
  rawLines(place: RawPlace): Promise<RawLines | null> {
    return this.#isText ? rawLines(this.location, place) : Promise.resolve(null);
  }

  /** Records of any place of a file, also before those in front of it are read; null: see `UnreadFile`. */
  async unread(place: UnreadPlace): Promise<UnreadPage | null> {
    await this.opened;
    const page = (): Promise<UnreadPage | null> => this.#unread.page(place);
    return !this.#isText || this.#file === null ? null : this.#file.during(page);
  }

  /** Whether its location is that of a text. */
  get #isText(): boolean {
    return this.kind === 'file' && !this.isStored;
  }

  async #start(ready: Sandbox | null): Promise<void> {
    this.#status.mended();
    this.#growth.begin(this.kind !== 'file');
    const decoder = await this.#startDecoder(ready);
    const pipeline = new Pipeline({ clock: this.clock });
    this.#context.addPlugins(this, pipeline);
    const input = this.#newInput(this.#decoders.split);
    this.#inputs = [];
    if (this.kind === 'command' && isEnding(input)) {
      const late = this.#decoders.late(input);
      this.#addInput(pipeline, late.input, late.sandbox, null);
    } else this.#addInput(pipeline, input, decoder?.sandbox ?? null, decoder);
    for (const part of this.#options.parts ?? []) await this.#addPart(pipeline, part);
    this.#pipeline = pipeline;
    await this.#listen(pipeline);
    this.#received.restore();
  }

  async #startDecoder(ready: Sandbox | null): Promise<RunningDecoder | null> {
    const { stored } = this.#options;
    if (stored === undefined) return this.#decoders.start(ready);
    this.#decoders.adopt(stored.decoder);
    return null;
  }

  #newInput(split: SplitOptions): Input {
    const input = this.#options.input(split);
    this.#file = this.kind === 'file' ? new HeldInput(input) : null;
    return this.#file ?? input;
  }

  #addInput(pipeline: Pipeline, input: Input, sandbox: Sandbox | null, decoder: RunningDecoder | null): void {
    this.#inputs = [...this.#inputs, input];
    pipeline.addInput({
      name: input.name,
      input,
      decoder: sandbox,
      refused: sandbox === null ? undefined : this.#decoders.refused(decoder),
      sendDecodeFailures: false,
      timeOffset: this.#offsetNs,
      onRecords: (records) => this.#take(records, decoder?.name ?? this.#decoders.choice?.name ?? null),
      onNotice: (notice) => this.#status.hear(notice),
      onIdle: () => this.#idle(),
      onDecoderTerminated: (end) => decoder !== null && this.#decoders.ended(decoder, end),
      onFault: (error) => this.#status.fail(error),
    });
  }

  #idle(): void {
    this.#growth.reachedEnd();
    this.#status.become(this.kind === 'file' ? 'following' : 'listening');
    if (this.kind !== 'file') return;
    this.#context.reading.end(this);
    void this.#unread.rest();
    this.#context.atEnd(this);
  }

  async #addPart(pipeline: Pipeline, { input: make, decoder: choice }: SourcePart): Promise<void> {
    const input = make();
    const decoder = choice === null ? null : await this.#decoders.startPart(choice);
    this.#addInput(pipeline, input, decoder?.sandbox ?? null, decoder);
  }

  async #listen(pipeline: Pipeline): Promise<void> {
    this.#status.starting();
    await pipeline.start();
    if (this.kind !== 'file') this.#status.become('listening');
    for (const input of this.#inputs.filter(isEnding))
      void input.ended.then((end) => this.#inputs.includes(input) && this.#status.ended(end));
  }

  async #stop(): Promise<void> {
    const pipeline = this.#pipeline;
    this.#pipeline = null;
    this.#decoders.stopped();
    await this.#unread.rest();
    await this.#sink.end(async () => pipeline?.stop());
  }

  async #take(records: DecodedRecords, decoder: string | null): Promise<void> {
    await this.#received.add({ records, decoder });
    this.#tally.take(records);
    this.#growth.came();
    if (this.kind === 'file' && (!this.#growth.caughtUp || this.#bytesLeft > FAR_BEHIND)) this.#status.become('reading');
    const comments = this.#decoders.script?.meta?.comments === true ? records.unchanged : undefined;
    await this.#sink.take(records, decoder, comments);
    if (this.kind === 'file' && this.#bytesLeft < LAST_LINE) this.#context.reading.end(this);
  }
}

/** A label in sentences: a file may have any name, so what is invisible is shown. */
const shownLabel = (label: string): string => visibleText(printable(label));
