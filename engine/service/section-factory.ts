import { offsetOf } from '../pipeline/shifted-times.ts';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import type {
  FilterConfig,
  InputConfig,
  OutputConfig,
  PlainInputConfig,
  PlainOutputConfig,
  ScriptInputConfig,
  ScriptOutputConfig,
} from '../config/schema/sections.ts';
import type { SourceConfig } from '../config/schema/script-ports.ts';
import { clockOfInput } from '../config/clocks.ts';
import type { PipelineConfig } from '../config/sections.ts';
import type { End } from '../api/ends.ts';
import { messageOf } from '../base/errors.ts';
import { StatHub } from '../inputs/stats/stat-hub.ts';
import type { Input, InputNotice } from '../inputs/types.ts';
import { compileMatcher } from '../matcher/matcher.ts';
import { NotDeliveredError } from '../outputs/delivery.ts';
import type { Sandbox, SandboxReport, SandboxSpec } from '../sandbox/contract/types.ts';
import { BufferedConsumer, type Buffering } from '../pipeline/buffered-consumer.ts';
import { openBuffering, queuePath } from './buffering.ts';
import type { Consumer } from '../pipeline/consumer.ts';
import { makeInput, type InputSurroundings } from './inputs.ts';
import { makeWriter } from './make-writer.ts';
import { OutputRunner } from '../pipeline/output-runner.ts';
import type { PipelineEdges } from './pipeline-edges.ts';
import type { PipelineFilter } from '../pipeline/pipeline.ts';
import { placesOf } from '../pipeline/record-places.ts';
import { isEnding, RestartedInput, restartNotice } from '../pipeline/restarted-input.ts';
import { isListener, RetriedListener } from '../pipeline/retried-listener.ts';
import type { ScriptStarter } from '../plugins/sandboxes.ts';
import type { PipelineInput } from '../pipeline/running-input.ts';
import { ScriptInput } from '../pipeline/scripts/script-input.ts';
import type { SourceFeed } from '../pipeline/scripts/source-feed.ts';
import type { Selector } from '../pipeline/selection.ts';
import { makeSource, sourceForm } from './script-source.ts';
import { SectionCodecs } from './section-codecs.ts';
import { SectionScripts } from './section-scripts.ts';
import { trialSource } from './trial-source.ts';
import { withTarget, type TargetSurroundings } from './script-target.ts';

export interface PipelineHost {
  readonly starter: ScriptStarter;
  /** Stream that `LogOutput` writes to. */
  readonly stdout: Writable;
  /** Folder of checkpoints, unless the configuration names one. */
  readonly dataFolder: string;
  readonly notice: (notice: InputNotice) => void;
  /** A plugin ended that must not: the service is to stop. */
  readonly onFatal: (text: string) => void;
  /** A script has ended by itself, or an input has failed: not all is read, decoded, processed and written. */
  readonly onUndone?: () => void;
  /** An input has dropped records that its decoder refused. */
  readonly onDropped?: (input: string, count: number) => void;
  /** An input came to its end and must not: the service is to stop, and that is no failure. Absent: as when a plugin fails. */
  readonly onEnd?: (text: string) => void;
  /** Hub in which stats are counted. */
  readonly stats?: StatHub;
  /** Takes the place of files, sockets, processes and input scripts: the configuration is only tried. */
  readonly edges?: PipelineEdges;
}

/** Told of the end of a sandbox. @param plugin its name */
type EndTeller = (plugin: string, end: End) => void;

/** Makes what the sections of one configuration describe, with its scripts started. */
export class SectionFactory {
  readonly #config: PipelineConfig;
  readonly #host: PipelineHost;
  readonly #scripts: SectionScripts;
  readonly #codecs: SectionCodecs;
  readonly #tellEnd: EndTeller;
  readonly #started: Sandbox[] = [];

  /** @param tellEnd hears of the ends of decoders, encoders and inputs; filters and outputs tell of theirs themselves */
  constructor(config: PipelineConfig, host: PipelineHost, tellEnd: EndTeller = () => undefined) {
    this.#config = config;
    this.#host = host;
    this.#tellEnd = tellEnd;
    this.#scripts = new SectionScripts(config, host.dataFolder);
    this.#codecs = new SectionCodecs(config, host, this.#scripts, (spec) => this.#start(spec));
  }

  /** Ends all scripts that were started here: for when the rest could not be. */
  async abandon(): Promise<void> {
    await Promise.allSettled(this.#started.splice(0).map((sandbox) => sandbox.stop()));
  }

  async input(config: InputConfig): Promise<PipelineInput> {
    const { edges } = this.#host;
    const texts = config.type === 'SandboxInput' ? (edges?.texts(config) ?? null) : null;
    if (edges !== undefined && texts === null) return this.#triedInput(config, edges.input(config));
    if (config.type === 'SandboxInput') return this.#scriptInput(config, texts);
    const { name } = config;
    const clock = clockOfInput(config);
    const fault = (error: unknown): void => {
      if (this.#isLeft(name, error)) return;
      this.#log('error', 'input.failed', name, messageOf(error));
      this.#host.onUndone?.();
      this.#mayExit(config);
    };
    const decoders = this.#codecs.isAuto(config) ? this.#codecs.autoDecoders(config) : undefined;
    const made = makeInput(config, {
      ...this.#inputSurroundings,
      kinds: decoders,
      split: 'decoder' in config && config.decoder !== undefined ? this.#codecs.splitFor(config.decoder) : undefined,
    });
    const input = isListener(made) ? new RetriedListener(made, config.retries, fault) : this.#restarted(made, config);
    if (!('send_decode_failures' in config)) {
      return { name, input, clock, decoder: null, sendDecodeFailures: false, onNotice: this.#host.notice, onFault: fault };
    }
    const decoder = config.decoder === undefined ? null : await this.#codecs.decoder(name, config.decoder);
    return {
      name,
      input,
      clock,
      decoder,
      decoders,
      sendDecodeFailures: config.send_decode_failures,
      timeOffset: offsetOf(config.time_offset),
      onNotice: this.#host.notice,
      onRecords: (records) => {
        const { failures, undecoded } = records;
        const refused = failures.slice(0, failures.length - undecoded);
        if (!config.send_decode_failures && refused.length > 0) this.#host.onDropped?.(name, refused.length);
        if (!config.log_decode_failures) return;
        const place = placesOf(records, 'address' in config ? null : name);
        for (const { row, reason } of refused) {
          this.#log('warning', 'decode.failed', name, `${place(row)}: ${reason}`);
        }
      },
      onDecoderTerminated: (end, { spec }) => {
        this.#log('error', 'decoder.terminated', name, `its decoder has ended, and records pass as they are: ${end.reason}`);
        this.#tellEnd(spec.name, end);
        this.#host.onUndone?.();
      },
      onUndecoded: (count) => {
        const records = count === 1 ? '1 record' : `${count} records`;
        this.#log('warning', 'decode.left', name, `${records} passed as they are, for its decoder had ended`);
      },
      onFault: fault,
    };
  }

  /** An input that is given its records instead of reading them. */
  async #triedInput(config: InputConfig, input: Input): Promise<PipelineInput> {
    const { name } = config;
    const named = 'decoder' in config && config.decoder !== undefined ? await this.#codecs.decoder(name, config.decoder) : null;
    const isAuto = config.type !== 'SandboxInput' && this.#codecs.isAuto(config);
    const decoder = isAuto ? this.#codecs.triedDecoders(config) : named;
    return {
      name,
      input,
      clock: 'message',
      decoder,
      sendDecodeFailures: 'send_decode_failures' in config && config.send_decode_failures === true,
      timeOffset: 'time_offset' in config ? offsetOf(config.time_offset) : undefined,
      onRecords: ({ failures }) => failures.forEach(({ reason }) => this.#log('warning', 'decode.failed', name, reason)),
    };
  }

  /** An input that can end is started again as its retries say. */
  #restarted(input: Input, config: PlainInputConfig): Input {
    if (!isEnding(input)) return input;
    const { name, retries } = config;
    return new RestartedInput(input, retries, {
      onRestart: (reason, wait) => this.#host.notice(restartNotice(name, reason, wait)),
      onEnd: (reason) => {
        if (reason === null) this.#mayEnd(config);
        else {
          this.#log('error', 'input.failed', name, reason);
          this.#mayExit(config);
        }
      },
    });
  }

  /** @param texts given to the script instead of its source */
  async #scriptInput(config: ScriptInputConfig, texts: readonly string[] | null): Promise<PipelineInput> {
    const { name, retries } = config;
    const spec = this.#scripts.spec('input', config, name);
    const { starter } = this.#host;
    const sandbox = await starter.startInput(spec);
    this.#started.push(sandbox);
    const input = new ScriptInput({
      sandbox,
      source: config.source && this.#source(config, config.source, texts),
      tickerInterval: config.ticker_interval,
      restart: retries && { retries, start: () => starter.startInput(spec) },
      onFailure: (reason) => this.#log('warning', 'input.failed', name, reason || 'process_message failed'),
      onRestart: ({ reason }, wait) =>
        this.#log('warning', 'plugin.restarted', name, `has ended and is started again in ${Math.ceil(wait)} ms: ${reason}`),
      onEnd: (end) => {
        if (end !== null) {
          this.#log('error', 'plugin.terminated', name, `has ended: ${end.reason}`);
          this.#tellEnd(name, end);
          this.#host.onUndone?.();
        }
        this.#mayExit(config);
      },
    });
    const onFault = (error: unknown): void => {
      if (this.#isLeft(name, error)) return;
      this.#log('error', 'input.failed', name, messageOf(error));
      this.#host.onUndone?.();
    };
    const scriptReport = (): Promise<SandboxReport> => input.report();
    const clock = clockOfInput(config);
    return { name, input, clock, scriptReport, decoder: null, sendDecodeFailures: false, onNotice: this.#host.notice, onFault };
  }

  #source(config: ScriptInputConfig, source: SourceConfig, texts: readonly string[] | null): SourceFeed {
    return texts === null ? makeSource(config, source, this.#inputSurroundings, this.#host.notice) : trialSource(texts, sourceForm(source));
  }

  get #inputSurroundings(): InputSurroundings {
    const { hostname: host = hostname(), max_message_size: maxMessageSize } = this.#config.service;
    const stateDirectory = join(this.#scripts.baseFolder, 'inputs');
    return { hostname: host, stateDirectory, maxMessageSize, stats: this.#host.stats ?? new StatHub() };
  }

  async filter(config: FilterConfig): Promise<PipelineFilter> {
    return this.#scriptConsumer(config, this.#scripts.spec('filter', config, config.name));
  }

  /** A filter that is loaded while the service runs: it must not be slow. */
  async managedFilter(config: FilterConfig): Promise<PipelineFilter> {
    const { max_process_duration: maxProcessDuration, plugin_chansize: capacity } = this.#config.service;
    const filter = await this.#scriptConsumer(config, { ...this.#scripts.sentSpec(config), judged: true });
    return { ...filter, slow: { maxProcessDuration, capacity } };
  }

  /** The runner of a filter or an output. */
  async #scriptConsumer(config: FilterConfig | ScriptOutputConfig, spec: SandboxSpec): Promise<PipelineFilter> {
    const { name, kind } = spec;
    const sandbox = await this.#start(spec);
    return {
      name,
      ...(kind === 'output' ? await withTarget(config as ScriptOutputConfig, sandbox, this.#surroundings(config)) : { sandbox }),
      ...selectionOf(config),
      buffering: await this.#buffering(config),
      tickerInterval: config.ticker_interval,
      timerEventOnShutdown: config.timer_event_on_shutdown,
      keepsRest: config.use_buffering || !config.can_exit,
      onFailures: (failures) => {
        const code = kind === 'filter' ? 'filter.failed' : 'output.failed';
        this.#log('warning', code, name, `${failures.at(-1)?.reason || 'refused a message'} (${failures.length})`);
      },
      onTerminated: ({ reason }) => {
        this.#log('error', 'plugin.terminated', name, `was terminated: ${reason}`);
        this.#host.onUndone?.();
        this.#mayExit(config);
      },
      onDropped: (count) => this.#dropped(name, count),
      onLeft: config.use_buffering ? undefined : (count) => this.#left(name, count),
    };
  }

  #dropped(name: string, count: number): void {
    const text = count === 1 ? 'a message that waited for it was dropped' : `${count} messages that waited for it were dropped`;
    this.#log('warning', 'plugin.dropped', name, text);
  }

  /** Reports the messages that an output without a buffer had not written at its end. */
  #left(name: string, count: number): void {
    const rest = `${count} messages were not written before the end: those of files are read again at the next start, others are lost`;
    this.#log('warning', 'output.left', name, rest);
  }

  /** The service stops and could not deliver everything any more: no failure of the input, which comes back to it. */
  #isLeft(name: string, error: unknown): boolean {
    if (!(error instanceof NotDeliveredError) || error.final) return false;
    const rest = 'stops before all was delivered that it had read; files are read on from there at the next start';
    this.#log('warning', 'input.left', name, rest);
    return true;
  }

  /** A plugin has ended: the service goes on only if that is allowed. */
  #mayExit({ name, can_exit: mayExit }: { readonly name: string; readonly can_exit: boolean }): void {
    if (!mayExit) this.#host.onFatal(`[${name}] has ended, and its can_exit is false`);
  }

  /** An input came to its end as it should: the service goes on only if that is allowed. */
  #mayEnd({ name, can_exit: mayExit }: { readonly name: string; readonly can_exit: boolean }): void {
    const { onFatal, onEnd = onFatal } = this.#host;
    if (!mayExit) onEnd(`[${name}] has ended, and its can_exit is false`);
  }

  /**
   * Sees whether the script of a filter loads, without the state that it keeps.
   * @throws {EngineError} when it does not
   */
  async tryFilter(config: FilterConfig): Promise<void> {
    const sandbox = await this.#host.starter.start(this.#scripts.spec('filter', { ...config, preserve_data: false }, config.name));
    await sandbox.stop();
  }

  /**
   * Sees whether the scripts of an input load, without the state that they keep.
   * @throws {EngineError} when one does not
   */
  async tryInput(config: InputConfig): Promise<void> {
    if (config.type === 'SandboxInput') {
      const sandbox = await this.#host.starter.startInput(this.#scripts.spec('input', { ...config, preserve_data: false }, config.name));
      await sandbox.stop();
    } else if ('decoder' in config && config.decoder !== undefined) {
      const decoder = await this.#codecs.decoder(config.name, config.decoder);
      await decoder?.stop();
    }
  }

  /** An output that is a script. */
  async scriptOutput(config: ScriptOutputConfig): Promise<PipelineFilter> {
    return this.#scriptConsumer(config, this.#scripts.spec('output', config, config.name));
  }

  /** @param onGone it has ended by itself, and the service goes on */
  async output(config: PlainOutputConfig, onGone: (reason: string) => void): Promise<Consumer> {
    const runner = await this.#outputRunner(config, onGone);
    const buffering = await this.#buffering(config, runner.resumedAt);
    return buffering === undefined ? runner : new BufferedConsumer({ ...buffering, ...selectionOf(config), inner: runner });
  }

  /** The disk buffer of a filter or output; undefined when it has none. */
  #buffering(config: FilterConfig | OutputConfig, delivered: string | null = null): Promise<Buffering | undefined> {
    const { name } = config;
    return openBuffering(config, {
      baseFolder: this.#scripts.baseFolder,
      delivered,
      startRetries: this.#config.service.full_buffer_max_retries,
      onProblem: (text) => this.#log('warning', 'buffer.problem', name, text),
      onFull: (text) => this.#host.onFatal(`[${name}] ${text}`),
    });
  }

  async #outputRunner(config: PlainOutputConfig, onGone: (reason: string) => void): Promise<OutputRunner> {
    const { name } = config;
    const surroundings = this.#surroundings(config);
    const { onError } = surroundings;
    const { encoder, stop, ...script } = await this.#codecs.encoder(config, onError);
    const writer = await makeWriter(config, surroundings);
    const onEnd = (reason: string): void => {
      this.#log('error', 'plugin.terminated', name, `has ended: ${reason}`);
      if (config.can_exit) onGone(reason);
      else this.#mayExit(config);
    };
    const onEncoderEnd = (end: End): void => {
      this.#tellEnd(script.encoderSandbox?.spec.name ?? name, end);
      this.#host.onUndone?.();
    };
    const onDropped = (count: number): void => this.#dropped(name, count);
    const keepsRest = config.use_buffering || !config.can_exit;
    const onLeft = (count: number): void => this.#left(name, count);
    const told = { onError, onEnd, onEncoderEnd, onDropped, onLeft: config.use_buffering ? undefined : onLeft };
    return new OutputRunner({ name, ...selectionOf(config), ...script, encoder, writer, keepsRest, ...told, onStop: stop });
  }

  #surroundings({
    name,
    use_buffering: buffered,
    buffering,
  }: Pick<OutputConfig, 'name' | 'use_buffering' | 'buffering'>): TargetSurroundings {
    const { stdout, edges } = this.#host;
    // The default folder may be that of several services, which must not take each other's state for theirs.
    const isOwn = buffered || this.#config.service.base_dir !== undefined;
    return {
      stdout,
      notedAfter: buffered ? buffering.cursor_update_count + 1 : undefined,
      stateFolder: isOwn ? queuePath(this.#scripts.baseFolder, name) : undefined,
      writer: edges?.writer(name),
      onProblem: (text) => this.#log('warning', 'output.problem', name, text),
      onError: (text) => this.#log('error', 'output.failed', name, text),
    };
  }

  async #start(spec: SandboxSpec): Promise<Sandbox> {
    const sandbox = await this.#host.starter.start(spec);
    this.#started.push(sandbox);
    return sandbox;
  }

  #log(level: InputNotice['level'], code: InputNotice['code'], subject: string, text: string): void {
    this.#host.notice({ level, code, subject, text: `[${subject}] ${text}` });
  }
}

/** Selection of the messages that a filter or output is given. */
function selectionOf(config: { message_matcher: string; message_signer?: string | undefined }): {
  readonly matcher: Selector;
  readonly signer: string | undefined;
} {
  const { message_matcher: expression, message_signer: signer } = config;
  return { matcher: compileMatcher(expression), signer };
}
