import type { End } from '../../api/ends.ts';
import type { DecoderChoice, PluginInfo } from '../../api/types.ts';
import type { DecoderDetector } from '../../detect/detect.ts';
import { LateDecoder } from '../../detect/late-decoder.ts';
import { PeekedInput } from '../../inputs/peeked-input.ts';
import type { SplitOptions } from '../../inputs/splitters/index.ts';
import type { EndingInput } from '../../inputs/types.ts';
import { shareDecoder } from '../../pipeline/decoder-group.ts';
import { findPlugin } from '../../plugins/catalog.ts';
import type { SandboxStarter } from '../../plugins/sandboxes.ts';
import { decoderSplit } from '../../plugins/split.ts';
import type { PluginScript } from '../../plugins/types.ts';
import type { Sandbox, SandboxReport } from '../../sandbox/contract/types.ts';
import { SourceRefusedReader } from './refused-reader.ts';
import { RunningDecoder, startDecoder } from './running-decoder.ts';
import { detectByFiles, detectByText } from './detection.ts';
import type { SourceStatus } from './status.ts';

/** The parts of a source and of its workspace that its decoders use. */
interface DecodersContext {
  readonly source: { readonly id: number; readonly label: string };
  readonly status: SourceStatus;
  readonly starter: SandboxStarter;
  readonly detector: DecoderDetector;
  /** Called when the choice has changed. */
  changed(): void;
  /** Called when a running decoder has ended by itself. @param sandbox its name */
  terminated(sandbox: string, end: End): void;
}

const LINES: SplitOptions = { kind: 'line' };

/** The decoders of a source: that of its first input, which is chosen or detected, and those of its further inputs. */
export class SourceDecoders {
  readonly #context: DecodersContext;
  #choice: DecoderChoice | null = null;
  /** Of the chosen decoder, as it was when it started. */
  #script: PluginScript | null = null;
  /** The decoder of the first input, if it has one, and those of its parts. */
  #running: readonly RunningDecoder[] = [];
  /** Exchanges the decoder while the source runs, so that a command need not run again. */
  #late: LateDecoder | null = null;
  #unrecognised = false;
  /** Someone chose while the source ran, so that nothing is detected any more. */
  #settled = false;

  constructor(context: DecodersContext) {
    this.#context = context;
  }

  /** The decoder of the first input; null: its records are raw. */
  get choice(): DecoderChoice | null {
    return this.#choice;
  }

  /** The script of that decoder, as it was when it started. */
  get script(): PluginScript | null {
    return this.#script;
  }

  /** Whether the beginning of the source was looked at, and no decoder fits. */
  get unrecognised(): boolean {
    return this.#unrecognised;
  }

  /** Whether the decoder can be exchanged while the source runs. */
  get exchangeable(): boolean {
    return this.#late !== null;
  }

  /** The way in which the chosen decoder wants files cut into records. */
  get split(): SplitOptions {
    return this.#script === null ? LINES : decoderSplit(this.#script, this.#choice?.config);
  }

  /** The descriptions of the decoders for the window. @param rate messages a second of the source */
  infos(rate: number): PluginInfo[] {
    const { source } = this.#context;
    const alone = this.#running.length === 1;
    return this.#running.map((decoder, i) =>
      decoder.info(i === 0 ? `decoder/${source.id}` : `decoder/${source.id}/${i}`, source, alone ? rate : 0),
    );
  }

  /** Requests their reports. */
  async poll(): Promise<void> {
    await Promise.all(this.#running.map((decoder) => decoder.poll()));
  }

  /** Chooses what `start` starts; null: nothing. */
  choose(choice: DecoderChoice | null): void {
    this.#choice = choice;
    this.#unrecognised = false;
  }

  /** Chooses by the first of these files and patterns of files; the sandbox of what was found, ready to run. */
  async detect(samples: readonly string[]): Promise<Sandbox | null> {
    const found = await detectByFiles(this.#context.detector, samples);
    this.#choice = found?.choice ?? null;
    this.#unrecognised = found === null && samples.length > 0;
    return found?.sandbox ?? null;
  }

  /**
   * Starts what was chosen, on all cores where that is possible; null: the records are shown raw.
   * @param ready its sandbox, when it was started to detect it
   */
  async start(ready: Sandbox | null): Promise<RunningDecoder | null> {
    const tried = ready === null ? null : await reportOf(ready);
    return this.#run(this.#shared(ready ?? (await this.#startChosen())), tried);
  }

  /** Takes the decoder over by which the records of the input were made, for what its script says of them; nothing is decoded. */
  adopt(choice: DecoderChoice | null): void {
    this.choose(choice);
    try {
      this.#run(null, null);
    } catch {
      // A script of the user that is not there any more.
      this.#script = null;
    }
  }

  /** Holds the first records of an input until its decoder is detected by them, unless one was started. */
  late(input: EndingInput): { readonly input: PeekedInput; readonly sandbox: LateDecoder } {
    const late = new LateDecoder((end) => this.#running[0] !== undefined && this.ended(this.#running[0], end));
    this.#late = late;
    if (this.#running[0] !== undefined) void late.use(this.#running[0].sandbox);
    return { input: new PeekedInput(input, (text) => this.#recognise(text, late)), sandbox: late };
  }

  /** Exchanges the decoder of a source that runs and is `exchangeable`; null: its records are raw from here on. */
  async exchange(choice: DecoderChoice | null): Promise<void> {
    this.#settled = true;
    this.choose(choice);
    if (this.#late !== null) await this.#use(await this.#startChosen(), this.#late, null);
  }

  /** Starts the decoder of a further input; null: its records are shown raw. */
  async startPart(choice: DecoderChoice): Promise<RunningDecoder | null> {
    const sandbox = await this.#start(choice);
    if (sandbox === null) return null;
    const decoder = new RunningDecoder(choice.name, sandbox);
    this.#running = [...this.#running, decoder];
    return decoder;
  }

  /** Reads the records that a decoder refuses. @param decoder null: that of the first input, which may be exchanged */
  refused(decoder: RunningDecoder | null): SourceRefusedReader {
    const { starter, detector } = this.#context;
    const part = decoder === null || decoder === this.#running[0] ? null : ({ name: decoder.name, by: 'detected' } as const);
    return new SourceRefusedReader({ starter, detector, choice: () => part ?? this.#choice });
  }

  /** Says that a decoder has ended by itself. */
  ended(decoder: RunningDecoder, end: End): void {
    decoder.end = end;
    this.#context.terminated(decoder.sandbox.spec.name, end);
    this.#context.status.decoderEnded(decoder.name, end.reason);
  }

  /** Says that the source was stopped: the pipeline stops the sandboxes. */
  stopped(): void {
    this.#late = null;
  }

  async #recognise(text: string, late: LateDecoder): Promise<void> {
    if (this.#choice !== null || this.#settled) return;
    const found = await detectByText(this.#context.detector, text);
    const tried = found === null ? null : await reportOf(found.sandbox);
    if (this.#settled) return found?.sandbox.stop();
    this.#unrecognised = found === null;
    if (found === null) return this.#context.changed();
    this.#choice = found.choice;
    await this.#use(found.sandbox, late, tried);
  }

  async #use(sandbox: Sandbox | null, late: LateDecoder, tried: SandboxReport | null): Promise<void> {
    this.#run(sandbox, tried);
    await late.use(sandbox);
    this.#context.changed();
  }

  /** @param tried its report after it was started to detect the decoder: what it did until then is not counted */
  #run(sandbox: Sandbox | null, tried: SandboxReport | null): RunningDecoder | null {
    this.#script = this.#choice === null ? null : findPlugin('decoder', this.#choice.name);
    const decoder = sandbox === null ? null : new RunningDecoder(this.#choice?.name ?? '', sandbox, tried);
    this.#running = decoder === null ? [] : [decoder];
    return decoder;
  }

  #shared(sandbox: Sandbox | null): Sandbox | null {
    if (sandbox === null || this.#choice === null) return sandbox;
    return shareDecoder(sandbox, findPlugin('decoder', this.#choice.name), this.#context.starter);
  }

  async #startChosen(): Promise<Sandbox | null> {
    const sandbox = this.#choice === null ? null : await this.#start(this.#choice);
    if (sandbox === null) this.#choice = null;
    return sandbox;
  }

  /** null, after a notice, when it does not start. */
  async #start(choice: DecoderChoice): Promise<Sandbox | null> {
    const { starter, source, status } = this.#context;
    try {
      return await startDecoder(starter, choice, source.label);
    } catch (error) {
      status.decoderFailed(choice.name, error);
      return null;
    }
  }
}

const reportOf = (sandbox: Sandbox): Promise<SandboxReport | null> => sandbox.report().catch(() => null);
