import { hostname } from 'node:os';
import { join } from 'node:path';
import { TextPool } from '../message/text-pool.ts';
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
import { StatHub } from '../inputs/stats/stat-hub.ts';
import type { Input } from '../inputs/types.ts';
import { compileExpression } from '../matcher/expression.ts';
import type { RunningScript, Sandbox, SandboxReport, SandboxSpec } from '../sandbox/contract/types.ts';
import { BufferedConsumer, type Buffering } from '../pipeline/buffered-consumer.ts';
import { openBuffering, queuePath } from './buffering.ts';
import type { Consumer } from '../pipeline/consumer.ts';
import { inputTypeOf } from '../inputs/built-in.ts';
import { makeInput, type InputSurroundings } from './inputs.ts';
import { Detectors } from './detectors.ts';
import { makeWriter } from './make-writer.ts';
import { outputTypeOf } from '../outputs/built-in.ts';
import { OutputRunner } from '../pipeline/output-runner.ts';
import type { PipelineEdges } from './pipeline-edges.ts';
import { offsetOf } from '../pipeline/shifted-times.ts';
import type { PipelineFilter } from '../pipeline/pipeline.ts';
import { isEnding, RestartedInput } from '../pipeline/restarted-input.ts';
import { isListener, RetriedListener } from '../pipeline/retried-listener.ts';
import type { ScriptStarter } from '../plugins/sandboxes.ts';
import type { PipelineInput } from '../pipeline/running-input.ts';
import { ScriptInput } from '../pipeline/scripts/script-input.ts';
import type { SourceFeed } from '../pipeline/scripts/source-feed.ts';
import type { Selector } from '../pipeline/selection.ts';
import { makeSource, sourceForm } from './script-source.ts';
import type { PipelineSink } from './pipeline-events.ts';
import { SectionCodecs } from './section-codecs.ts';
import { SectionEvents, type EndTeller } from './section-events.ts';
import { SectionScripts } from './section-scripts.ts';
import { trialSource } from './trial-source.ts';
import { withTarget, type TargetSurroundings } from './script-target.ts';

export interface PipelineHost {
  readonly starter: ScriptStarter;
  /** Stream that `LogOutput` writes to. */
  readonly stdout: Writable;
  /** Folder of checkpoints, unless the configuration names one. */
  readonly dataFolder: string;
  readonly tell: PipelineSink;
  /** Hub in which stats are counted. */
  readonly stats?: StatHub;
  /** Detectors for the files of inputs; absent: one of its own. */
  readonly detectors?: Detectors;
  /** Takes the place of files, sockets, processes and input scripts: the configuration is only tried. */
  readonly edges?: PipelineEdges;
}

/** Makes what the sections of one configuration describe, with its scripts started. */
export class SectionFactory {
  readonly #config: PipelineConfig;
  readonly #host: PipelineHost;
  readonly #scripts: SectionScripts;
  readonly #codecs: SectionCodecs;
  readonly #tellEnd: EndTeller;
  readonly #started: RunningScript[] = [];
  readonly #texts = new TextPool();

  /** @param tellEnd hears of the ends of decoders, encoders and inputs; filters and outputs tell of theirs themselves */
  constructor(config: PipelineConfig, host: PipelineHost, tellEnd: EndTeller = () => undefined) {
    this.#config = config;
    this.#host = host;
    this.#tellEnd = tellEnd;
    this.#scripts = new SectionScripts(config, host.dataFolder);
    this.#codecs = new SectionCodecs(
      config,
      { ...host, detectors: host.detectors ?? new Detectors(host.starter, host.tell) },
      this.#scripts,
      (spec) => this.#start(spec),
    );
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
    const events = this.#events(config, inputTypeOf(config.type).repeats);
    const decoders = this.#codecs.isAuto(config) ? this.#codecs.autoDecoders(config) : undefined;
    const made = makeInput(config, {
      ...this.#inputSurroundings,
      texts: this.#texts,
      kinds: decoders,
      split: 'decoder' in config && config.decoder !== undefined ? this.#codecs.splitFor(config.decoder) : undefined,
    });
    const input = withRetries(made, config, events);
    if (!('send_decode_failures' in config)) {
      return { name, input, clock, decoder: null, sendDecodeFailures: false, onNotice: events.notice, onFault: events.inputFailed };
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
      onNotice: events.notice,
      onRecords: (records) => events.decoded(config, records),
      onDecoderTerminated: events.decoderEnded,
      onUndecoded: events.undecoded,
      onFault: events.inputFailed,
    };
  }

  /** An input that is given its records instead of reading them. */
  async #triedInput(config: InputConfig, input: Input): Promise<PipelineInput> {
    const { name } = config;
    const events = this.#events(config);
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
      onRecords: ({ failures }) => failures.forEach(({ reason }) => events.log('warning', 'decode.failed', reason)),
    };
  }

  /** @param texts given to the script instead of its source */
  async #scriptInput(config: ScriptInputConfig, texts: readonly string[] | null): Promise<PipelineInput> {
    const { name, retries } = config;
    const events = this.#events(config, config.source !== undefined && inputTypeOf(config.source.type).repeats);
    const spec = this.#scripts.spec('input', config, name);
    const { starter } = this.#host;
    const sandbox = await starter.startInput(spec);
    this.#started.push(sandbox);
    const input = new ScriptInput({
      sandbox,
      source: config.source && this.#source(config, config.source, texts),
      tickerInterval: config.ticker_interval,
      restart: retries && { retries, start: () => starter.startInput(spec) },
      onFailure: events.messageFailed,
      onRestart: events.scriptRestarts,
      onEnd: events.scriptInputEnded,
    });
    const { notice: onNotice, scriptInputFailed: onFault } = events;
    const scriptReport = (): Promise<SandboxReport> => input.report();
    const clock = clockOfInput(config);
    const timeOffset = offsetOf(config.time_offset);
    return { name, input, clock, scriptReport, decoder: null, sendDecodeFailures: false, timeOffset, onNotice, onFault };
  }

  #source(config: ScriptInputConfig, source: SourceConfig, texts: readonly string[] | null): SourceFeed {
    return texts === null
      ? makeSource(config, source, this.#inputSurroundings, this.#events(config))
      : trialSource(texts, sourceForm(source));
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
    const events = this.#events(config);
    return {
      name,
      ...(kind === 'output' ? await withTarget(config as ScriptOutputConfig, sandbox, this.#surroundings(config)) : { sandbox }),
      ...selectionOf(config),
      buffering: await this.#buffering(config),
      tickerInterval: config.ticker_interval,
      timerEventOnShutdown: config.timer_event_on_shutdown,
      keepsRest: config.use_buffering || !config.can_exit,
      onFailures: kind === 'filter' ? events.filterRefused : events.outputRefused,
      onTerminated: events.scriptEnded,
      onDropped: events.dropped,
      onLeft: config.use_buffering ? undefined : events.left,
    };
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
    const { bufferProblem: onProblem, bufferFull: onFull } = this.#events(config);
    return openBuffering(config, {
      baseFolder: this.#scripts.baseFolder,
      delivered,
      startRetries: this.#config.service.full_buffer_max_retries,
      onProblem,
      onFull,
    });
  }

  async #outputRunner(config: PlainOutputConfig, onGone: (reason: string) => void): Promise<OutputRunner> {
    const { name } = config;
    const events = this.#events(config);
    const surroundings = this.#surroundings(config);
    const { onError } = surroundings;
    // The runner encodes the next batch when this one is written.
    const transient = surroundings.writer === undefined && outputTypeOf(config.type).keepsNothing === true;
    const { encoder, stop, ...script } = await this.#codecs.encoder(config, { onError, transient });
    const writer = await makeWriter(config, surroundings);
    const keepsRest = config.use_buffering || !config.can_exit;
    const told = {
      onError,
      onEnd: (reason: string) => events.outputEnded(reason, onGone),
      onEncoderEnd: (end: End) => events.encoderEnded('encoder' in config ? config.encoder : name, end),
      onDropped: events.dropped,
      onLeft: config.use_buffering ? undefined : events.left,
    };
    return new OutputRunner({ name, ...selectionOf(config), ...script, encoder, writer, keepsRest, ...told, onStop: stop });
  }

  #surroundings(config: FilterConfig | OutputConfig): TargetSurroundings {
    const { name, use_buffering: buffered, buffering } = config;
    const { stdout, edges } = this.#host;
    const { targetProblem: onProblem, writeFailed: onError } = this.#events(config);
    // The default folder may be that of several services, which must not take each other's state for theirs.
    const isOwn = buffered || this.#config.service.base_dir !== undefined;
    return {
      stdout,
      notedAfter: buffered ? buffering.cursor_update_count + 1 : undefined,
      stateFolder: isOwn ? queuePath(this.#scripts.baseFolder, name) : undefined,
      writer: edges?.writer(name),
      onProblem,
      onError,
    };
  }

  async #start(spec: SandboxSpec): Promise<Sandbox> {
    const sandbox = await this.#host.starter.start(spec);
    this.#started.push(sandbox);
    return sandbox;
  }

  /** @param repeats for an input: what was not delivered comes again */
  #events(config: InputConfig | FilterConfig | OutputConfig, repeats = false): SectionEvents {
    return new SectionEvents(config, this.#host.tell, this.#tellEnd, repeats);
  }
}

/** An input that is started again after a failure, as its retries say. */
function withRetries(input: Input, { retries }: PlainInputConfig, events: SectionEvents): Input {
  if (isListener(input)) return new RetriedListener(input, retries, events.inputFailed);
  return isEnding(input) ? new RestartedInput(input, retries, { onRestart: events.inputRestarts, onEnd: events.inputEnded }) : input;
}

/** Selection of the messages that a filter or output is given. */
function selectionOf(config: { message_matcher: string; message_signer?: string | undefined }): {
  readonly matcher: Selector;
  readonly signer: string | undefined;
} {
  const { message_matcher: expression, message_signer: signer } = config;
  return { matcher: compileExpression(expression), signer };
}
