import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import type { DecoderConfig, EncoderConfig, FilterConfig, InputConfig, OutputConfig, PipelineConfig } from '../config/index.ts';
import { EngineError, messageOf } from '../errors.ts';
import type { InputNotice } from '../inputs/types.ts';
import { compileMatcher } from '../matcher/index.ts';
import { builtInEncoder, FORMS, scriptEncoder, type AnyBatchEncoder } from '../outputs/encode.ts';
import { FileWriter, StreamWriter, type Writer } from '../outputs/writers.ts';
import { findPlugin, type PluginScript } from '../plugins/index.ts';
import type { Sandbox, SandboxKind, SandboxLimits, SandboxSpec } from '../sandbox/types.ts';
import type { Selector } from './consumer.ts';
import { makeInput } from './inputs.ts';
import { OutputRunner } from './output-runner.ts';
import type { PipelineFilter, PipelineInput } from './pipeline.ts';
import { isListener, RetriedListener } from './retried-listener.ts';
import { sandboxSpec, type SandboxStarter } from './sandboxes.ts';
import { scriptFolder } from './script-folder.ts';

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

/** Makes what the sections of one configuration describe, with its scripts started. */
export class SectionFactory {
  readonly #config: PipelineConfig;
  readonly #host: PipelineHost;
  readonly #started: Sandbox[] = [];

  constructor(config: PipelineConfig, host: PipelineHost) {
    this.#config = config;
    this.#host = host;
  }

  /** Ends all scripts that were started here: for when the rest could not be. */
  async abandon(): Promise<void> {
    await Promise.allSettled(this.#started.splice(0).map((sandbox) => sandbox.stop()));
  }

  async input(config: InputConfig): Promise<PipelineInput> {
    if (config.type === 'SandboxInput') throw unsupported('SandboxInput');
    const { name } = config;
    const fault = (error: unknown): void => {
      this.#log('error', 'input.failed', `[${name}] ${messageOf(error)}`);
      if (!config.can_exit) this.#host.onFatal(`[${name}] has ended, and its can_exit is false`);
    };
    const made = makeInput(config, {
      hostname: this.#config.service.hostname ?? hostname(),
      stateDirectory: join(this.#baseFolder(), 'inputs'),
      maxMessageSize: this.#config.service.max_message_size,
    });
    const input = isListener(made) ? new RetriedListener(made, config.retries, fault) : made;
    return {
      name,
      input,
      decoder: config.decoder === undefined ? null : await this.#decoder(name, config.decoder),
      sendDecodeFailures: config.send_decode_failures,
      onNotice: this.#host.notice,
      onRecords: ({ failures, input: { firstLine, source }, origins }) => {
        if (!config.log_decode_failures) return;
        for (const { row, reason } of failures) {
          const line = firstLine === 0 ? '' : `:${firstLine + (origins === null ? row : (origins[row] as number))}`;
          this.#log('warning', 'decode.failed', `[${name}] ${source ?? name}${line}: ${reason}`);
        }
      },
      onDecoderTerminated: (reason) => this.#log('error', 'decoder.terminated', `[${name}] its decoder has ended: ${reason}`),
      onFault: fault,
    };
  }

  async filter(config: FilterConfig): Promise<PipelineFilter> {
    const { name } = config;
    return {
      name,
      sandbox: await this.#start(this.#spec('filter', config, name)),
      ...selectionOf(config),
      tickerInterval: config.ticker_interval,
      timerEventOnShutdown: config.timer_event_on_shutdown,
      onFailures: (failures) =>
        this.#log('warning', 'filter.failed', `[${name}] ${failures.at(-1)?.reason || 'refused a message'} (${failures.length})`),
      onTerminated: (reason) => {
        this.#log('error', 'plugin.terminated', `[${name}] was terminated: ${reason}`);
        if (!config.can_exit) this.#host.onFatal(`[${name}] has ended, and its can_exit is false`);
      },
    };
  }

  /**
   * Sees whether the script of a filter loads, without the state that it keeps.
   * @throws {EngineError} when it does not
   */
  async tryFilter(config: FilterConfig): Promise<void> {
    const sandbox = await this.#host.starter.start(this.#spec('filter', { ...config, preserve_data: false }, config.name));
    await sandbox.stop();
  }

  async output(config: OutputConfig): Promise<OutputRunner> {
    if (config.type === 'SandboxOutput') throw unsupported('SandboxOutput');
    const { name } = config;
    const onError = (text: string): void => this.#log('error', 'output.failed', `[${name}] ${text}`);
    const { encoder, stop, ...script } = await this.#encoder(config, onError);
    const writer: Writer = config.type === 'LogOutput' ? new StreamWriter(this.#host.stdout, { lines: true }) : await fileWriter(config);
    return new OutputRunner({ name, ...selectionOf(config), ...script, encoder, writer, onError, onStop: stop });
  }

  /** null: the messages come decoded. */
  async #decoder(input: string, name: string): Promise<Sandbox | null> {
    const section = this.#config.decoders.find((decoder) => decoder.name === name);
    if (section === undefined && name === 'protobuf') return null;
    return this.#start(this.#spec('decoder', section ?? name, `${name} (${input})`));
  }

  /** One of the encoders without a script, the encoder of a section, or a bundled one. */
  async #encoder(
    config: Exclude<OutputConfig, { type: 'SandboxOutput' }>,
    onError: (text: string) => void,
  ): Promise<{ encoder: AnyBatchEncoder; encoderSandbox?: Sandbox; stop: () => Promise<void> }> {
    const framing = config.type === 'FileOutput' ? config.use_framing : undefined;
    const { max_message_size: maxMessageSize } = this.#config.service;
    const form = FORMS.find((known) => known === config.encoder);
    if (form !== undefined) {
      const encoder = await builtInEncoder(form, { onError, maxMessageSize, ...(framing === undefined ? {} : { framing }) });
      return { encoder, stop: () => Promise.resolve() };
    }
    const section = this.#config.encoders.find(({ name }) => name === config.encoder) ?? null;
    const sandbox = await this.#start(this.#spec('encoder', section ?? config.encoder, `${config.encoder} (${config.name})`));
    const encoder = await scriptEncoder(sandbox, framing ?? false, onError);
    return { encoder, encoderSandbox: sandbox, stop: () => sandbox.stop() };
  }

  /** How a script of a section, or a bundled one, is started. */
  #spec(kind: SandboxKind, script: ScriptSection | string, name: string): SandboxSpec {
    const { service } = this.#config;
    const host = service.hostname === undefined ? {} : { hostname: service.hostname };
    const injection: Partial<SandboxLimits> = { processInject: service.max_process_inject, timerInject: service.max_timer_inject };
    const shared = service.share_dir === undefined ? [] : [join(service.share_dir, 'modules')];
    if (typeof script === 'string')
      return sandboxSpec(kind, findPlugin(kind, script), { name, limits: injection, modules: shared, ...host });
    const { memory_limit: memory, instruction_limit: instructions, output_limit: output, config } = script;
    const folder = scriptFolder(service, script.origin);
    const own = (script.module_directory?.split(';') ?? []).filter(Boolean).map((directory) => resolve(folder, directory));
    return sandboxSpec(kind, scriptOf(kind, script, folder), {
      name,
      config,
      limits: { memory, instructions, output, ...injection },
      modules: [...own, ...shared],
      ...host,
      ...(script.preserve_data ? { preservation: this.#preservation(name) } : {}),
    });
  }

  async #start(spec: SandboxSpec): Promise<Sandbox> {
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

function scriptOf(kind: SandboxKind, { plugin, filename }: ScriptSection, folder: string): PluginScript {
  return plugin === undefined ? findPlugin(kind, filename ?? '', folder) : findPlugin(kind, plugin);
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
