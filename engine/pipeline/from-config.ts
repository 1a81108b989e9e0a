import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import type { DecoderConfig, EncoderConfig, FilterConfig, InputConfig, OutputConfig, PipelineConfig } from '../config/index.ts';
import { EngineError, messageOf } from '../errors.ts';
import type { Input, InputNotice } from '../inputs/types.ts';
import { compileMatcher } from '../matcher/index.ts';
import { builtInEncoder, FORMS, scriptEncoder, type AnyBatchEncoder } from '../outputs/encode.ts';
import { FileWriter, StreamWriter, type Writer } from '../outputs/writers.ts';
import { findPlugin, type PluginScript } from '../plugins/index.ts';
import type { Sandbox, SandboxKind, SandboxLimits } from '../sandbox/types.ts';
import type { ClockKind } from './clock.ts';
import type { Selector } from './consumer.ts';
import { makeInput } from './inputs.ts';
import { OutputRunner } from './output-runner.ts';
import { Pipeline } from './pipeline.ts';
import { sandboxSpec, type SandboxStarter } from './sandboxes.ts';

type ScriptSection = FilterConfig | DecoderConfig | EncoderConfig;

export interface PipelineHost {
  readonly starter: SandboxStarter;
  /** Where `LogOutput` writes to. */
  readonly stdout: Writable;
  /** Folder of checkpoints, unless the configuration names one. */
  readonly dataFolder: string;
  readonly notice: (notice: InputNotice) => void;
  /** A plugin ended that must not: the service is to stop. */
  readonly onFatal: (text: string) => void;
}

/**
 * Builds the pipeline of a checked configuration, with its decoders and filters started.
 * @throws {EngineError} when a plugin cannot start; what was started is stopped again
 */
export async function pipelineFromConfig(config: PipelineConfig, host: PipelineHost): Promise<Pipeline> {
  return new Builder(config, host).build();
}

class Builder {
  readonly #config: PipelineConfig;
  readonly #host: PipelineHost;
  readonly #pipeline: Pipeline;
  readonly #started: Sandbox[] = [];

  constructor(config: PipelineConfig, host: PipelineHost) {
    this.#config = config;
    this.#host = host;
    const { max_message_loops: maxMessageLoops, plugin_chansize: capacity } = config.service;
    this.#pipeline = new Pipeline({ clock: clockOf(config.inputs), maxMessageLoops, capacity });
  }

  async build(): Promise<Pipeline> {
    try {
      for (const output of this.#config.outputs) await this.#inSection(output, () => this.#addOutput(output));
      for (const filter of this.#config.filters) await this.#inSection(filter, () => this.#addFilter(filter));
      for (const input of this.#config.inputs) await this.#inSection(input, () => this.#addInput(input));
      return this.#pipeline;
    } catch (error) {
      await Promise.allSettled(this.#started.map((sandbox) => sandbox.stop()));
      throw error;
    }
  }

  /** Says of an error in which section of which file it is. */
  async #inSection({ name, origin }: { name: string; origin: { file: string; line: number } }, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const code = error instanceof EngineError ? error.code : 'plugin.failed';
      throw new EngineError(code, `${origin.file}:${origin.line}: [${name}] ${messageOf(error)}`, { cause: error });
    }
  }

  async #addInput(config: InputConfig): Promise<void> {
    if (config.type === 'SandboxInput') throw unsupported('SandboxInput');
    const input: Input = makeInput(config, {
      hostname: this.#config.service.hostname ?? hostname(),
      stateDirectory: join(this.#baseFolder(), 'inputs'),
      maxMessageSize: this.#config.service.max_message_size,
    });
    const decoder = config.decoder === undefined ? null : await this.#startDecoder(config.name, config.decoder);
    this.#pipeline.addInput({
      input,
      decoder,
      sendDecodeFailures: config.send_decode_failures,
      onNotice: this.#host.notice,
      onRecords: ({ failures, input: { firstLine, source }, origins }) => {
        if (!config.log_decode_failures) return;
        for (const { row, reason } of failures) {
          const line = firstLine === 0 ? '' : `:${firstLine + (origins === null ? row : (origins[row] as number))}`;
          this.#log('warning', 'decode.failed', `[${config.name}] ${source ?? config.name}${line}: ${reason}`);
        }
      },
      onDecoderTerminated: (reason) => this.#log('error', 'decoder.terminated', `[${config.name}] its decoder has ended: ${reason}`),
      onFault: (error) => this.#host.onFatal(`[${config.name}] ${messageOf(error)}`),
    });
  }

  /** null: the messages come decoded. */
  async #startDecoder(input: string, name: string): Promise<Sandbox | null> {
    const section = this.#config.decoders.find((decoder) => decoder.name === name);
    if (section === undefined && name === 'protobuf') return null;
    if (section) return this.#start('decoder', scriptOf('decoder', section), section, `${name} (${input})`);
    return this.#start('decoder', findPlugin('decoder', name), null, `${name} (${input})`);
  }

  async #addFilter(config: FilterConfig): Promise<void> {
    const { name } = config;
    const sandbox = await this.#start('filter', scriptOf('filter', config), config, name);
    this.#pipeline.addFilter({
      name,
      sandbox,
      ...selectionOf(config),
      tickerInterval: config.ticker_interval,
      timerEventOnShutdown: config.timer_event_on_shutdown,
      onFailures: (failures) =>
        this.#log('warning', 'filter.failed', `[${name}] ${failures.at(-1)?.reason || 'refused a message'} (${failures.length})`),
      onTerminated: (reason) => {
        this.#log('error', 'plugin.terminated', `[${name}] was terminated: ${reason}`);
        if (!config.can_exit) this.#host.onFatal(`[${name}] has ended, and its can_exit is false`);
      },
    });
  }

  async #addOutput(config: OutputConfig): Promise<void> {
    if (config.type === 'SandboxOutput') throw unsupported('SandboxOutput');
    const { name } = config;
    const onError = (text: string): void => this.#log('error', 'output.failed', `[${name}] ${text}`);
    const { encoder, stop } = await this.#encoder(config, onError);
    const writer: Writer = config.type === 'LogOutput' ? new StreamWriter(this.#host.stdout, { lines: true }) : await fileWriter(config);
    this.#pipeline.addOutput(new OutputRunner({ name, ...selectionOf(config), encoder, writer, onError, onStop: stop }));
  }

  /** One of the encoders without a script, the encoder of a section, or a bundled one. */
  async #encoder(
    config: Exclude<OutputConfig, { type: 'SandboxOutput' }>,
    onError: (text: string) => void,
  ): Promise<{ encoder: AnyBatchEncoder; stop: () => Promise<void> }> {
    const framing = config.type === 'FileOutput' ? config.use_framing : undefined;
    const form = FORMS.find((known) => known === config.encoder);
    if (form !== undefined) {
      const { max_message_size: maxMessageSize } = this.#config.service;
      const encoder = await builtInEncoder(form, { onError, maxMessageSize, ...(framing === undefined ? {} : { framing }) });
      return { encoder, stop: () => Promise.resolve() };
    }
    const section = this.#config.encoders.find(({ name }) => name === config.encoder) ?? null;
    const plugin = section === null ? findPlugin('encoder', config.encoder) : scriptOf('encoder', section);
    const sandbox = await this.#start('encoder', plugin, section, `${config.encoder} (${config.name})`);
    return { encoder: await scriptEncoder(sandbox, framing ?? false, onError), stop: () => sandbox.stop() };
  }

  async #start(kind: SandboxKind, plugin: PluginScript, section: ScriptSection | null, name: string): Promise<Sandbox> {
    const { service } = this.#config;
    const limits: Partial<SandboxLimits> = {
      ...(section === null ? {} : { memory: section.memory_limit, instructions: section.instruction_limit, output: section.output_limit }),
      processInject: service.max_process_inject,
      timerInject: service.max_timer_inject,
    };
    const modules = section?.module_directory?.split(';').filter(Boolean) ?? [];
    const host = service.hostname === undefined ? {} : { hostname: service.hostname };
    const preservation = section?.preserve_data === true ? { preservation: this.#preservation(name) } : {};
    const spec = sandboxSpec(kind, plugin, { name, config: section?.config ?? {}, limits, modules, ...host, ...preservation });
    const sandbox = await this.#host.starter.start(spec);
    this.#started.push(sandbox);
    return sandbox;
  }

  /** The file that keeps a plugin's state. */
  #preservation(name: string): string {
    return join(this.#baseFolder(), 'sandbox_preservation', `${name.replaceAll(/\W/g, '_')}.data`);
  }

  #baseFolder(): string {
    return this.#config.service.base_dir ?? this.#host.dataFolder;
  }

  #log(level: InputNotice['level'], code: string, text: string): void {
    this.#host.notice({ level, code, text });
  }
}

/** The message clock needs inputs that all follow it: a live source has no other time than now. */
function clockOf(inputs: readonly InputConfig[]): ClockKind {
  return inputs.length > 0 && inputs.every((input) => 'clock' in input && input.clock === 'message') ? 'message' : 'wall';
}

function scriptOf(kind: SandboxKind, { plugin, filename, origin }: ScriptSection): PluginScript {
  if (plugin !== undefined) return findPlugin(kind, plugin);
  return findPlugin(kind, filename ?? '', join(origin.file, '..'));
}

/** Which messages a filter or output is given. */
function selectionOf(config: { message_matcher: string; message_signer?: string | undefined }): { matcher: Selector; signer?: string } {
  const { message_matcher: expression, message_signer: signer } = config;
  return { matcher: compileMatcher(expression), ...(signer === undefined ? {} : { signer }) };
}

async function fileWriter(config: Extract<OutputConfig, { type: 'FileOutput' }>): Promise<Writer> {
  const writer = new FileWriter({
    path: config.path,
    perm: parseInt(config.perm, 8),
    folderPerm: parseInt(config.folder_perm, 8),
    flushInterval: config.flush_interval,
    flushCount: config.flush_count,
    flushOperator: config.flush_operator,
  });
  await writer.opened();
  return writer;
}

function unsupported(what: string): EngineError {
  return new EngineError('config.unsupported', `${what} is not available in this version.`);
}
