import type { PlainInputConfig, PlainOutputConfig } from '../config/schema/sections.ts';
import type { PipelineConfig } from '../config/sections.ts';
import { RecordsDecoder } from '../detect/records-decoder.ts';
import type { SplitOptions } from '../inputs/splitters/index.ts';
import type { InputNotice } from '../inputs/types.ts';
import { builtInEncoder, FORMS, rowsEncoder, scriptEncoder, type AnyBatchEncoder, type EncoderOptions } from '../outputs/encode.ts';
import { shareDecoder } from '../pipeline/decoder-group.ts';
import { scriptReference } from '../plugins/catalog.ts';
import type { Config } from '../plugins/parameters.ts';
import type { ScriptStarter } from '../plugins/sandboxes.ts';
import { decoderSplit } from '../plugins/split.ts';
import type { Sandbox, SandboxSpec } from '../sandbox/contract/types.ts';
import { AutoDecoders } from './auto-decoders.ts';
import { decoderInstance, encoderInstance } from './kept-names.ts';
import { columnEncoder } from './column-encoder.ts';
import type { Detectors } from './detectors.ts';
import { userScriptsFolder } from './script-folder.ts';
import type { PipelineSink } from './pipeline-events.ts';
import type { SectionScripts } from './section-scripts.ts';

interface CodecsHost {
  readonly starter: ScriptStarter;
  readonly tell: PipelineSink;
  readonly detectors: Detectors;
}

/** Makes the decoders and encoders that the sections of one configuration name. */
export class SectionCodecs {
  readonly #config: PipelineConfig;
  readonly #host: CodecsHost;
  readonly #scripts: SectionScripts;
  readonly #start: (spec: SandboxSpec) => Promise<Sandbox>;

  /** @param start starts a sandbox of which the caller keeps account */
  constructor(config: PipelineConfig, host: CodecsHost, scripts: SectionScripts, start: (spec: SandboxSpec) => Promise<Sandbox>) {
    this.#config = config;
    this.#host = host;
    this.#scripts = scripts;
    this.#start = start;
  }

  /** Returns the options with which a decoder, which may be a script of the user, wants files to be split. */
  splitFor(name: string): SplitOptions {
    const section = this.#config.decoders.find((decoder) => decoder.name === name);
    if (section === undefined && isBuiltIn(name)) return { kind: 'line' };
    return decoderSplit(this.#scripts.find('decoder', section ?? name), section?.config);
  }

  /** Tells whether the files of an input are to be recognised. */
  isAuto(config: PlainInputConfig): boolean {
    return 'decoder' in config && config.decoder === AUTO && !this.#config.decoders.some(({ name }) => name === AUTO);
  }

  /** The decoders of an input whose files are recognised. */
  autoDecoders({ name: input, origin }: PlainInputConfig): AutoDecoders {
    return new AutoDecoders({
      starter: this.#host.starter,
      detector: this.#host.detectors.of(this.#userScripts(origin)),
      find: (name) => this.#scripts.find('decoder', name),
      spec: (plugin, config) => this.#scripts.spec('decoder', scriptReference(plugin), decoderInstance(plugin.name, input), config),
      onRecognised: (file, decoder, config) => this.#log('info', 'decoder.recognised', input, `${file}: ${decoderText(decoder, config)}`),
      onError: (text) => this.#log('warning', 'decoder.untried', input, text),
    });
  }

  /** The same for an input that is only tried. */
  triedDecoders({ origin }: PlainInputConfig): RecordsDecoder {
    return new RecordsDecoder(this.#host.detectors.of(this.#userScripts(origin)));
  }

  /** The decoder of an input, on all cores where that is possible; null: the messages come decoded, or are recognised. */
  async decoder(input: string, name: string): Promise<Sandbox | null> {
    const section = this.#config.decoders.find((decoder) => decoder.name === name);
    if (section === undefined && isBuiltIn(name)) return null;
    const first = await this.#start(this.#scripts.spec('decoder', section ?? name, decoderInstance(name, input)));
    const plugin = this.#scripts.find('decoder', section ?? name);
    return shareDecoder(first, plugin, this.#host.starter);
  }

  /** One of the encoders without a script, the encoder of a section, or a bundled one. A script's pieces are never transient. */
  async encoder(
    config: PlainOutputConfig,
    { onError, transient }: Required<Pick<EncoderOptions, 'onError' | 'transient'>>,
  ): Promise<{ encoder: AnyBatchEncoder; takesProtobuf?: boolean; encoderSandbox?: Sandbox; stop: () => Promise<void> }> {
    const framing = 'use_framing' in config ? config.use_framing : undefined;
    const { max_message_size: maxMessageSize } = this.#config.service;
    // An output that takes messages as they are gets them as protobuf.
    const name = 'encoder' in config ? config.encoder : 'protobuf';
    const unframed = 'encoder' in config ? framing : false;
    const form = FORMS.find((known) => known === name);
    if (form !== undefined) {
      const encoder = await builtInEncoder(form, { onError, transient, maxMessageSize, framing: unframed });
      return { encoder, takesProtobuf: form === 'protobuf' && unframed === false, stop: () => Promise.resolve() };
    }
    const section = this.#config.encoders.find((known) => known.name === name) ?? null;
    const spec = this.#scripts.spec('encoder', section ?? name, encoderInstance(name, config.name));
    const own = columnEncoder(spec, this.#scripts.find('encoder', section ?? name), { transient });
    const options = { onError, maxMessageSize, framing: framing ?? false };
    if (own !== null) return { encoder: await rowsEncoder(own, options), stop: () => Promise.resolve() };
    const sandbox = await this.#start(spec);
    const encoder = await scriptEncoder(sandbox, options);
    return { encoder, encoderSandbox: sandbox, stop: () => sandbox.stop() };
  }

  #userScripts(origin: PlainInputConfig['origin']): string {
    return userScriptsFolder(this.#config.service, origin);
  }

  #log(level: InputNotice['level'], code: InputNotice['code'], subject: string, text: string): void {
    this.#host.tell({ kind: 'notice', notice: { level, code, subject, text: `[${subject}] ${text}` } });
  }
}

/** The decoder that is recognised. */
const AUTO = 'auto';

/** Decoders without a script, unless a section has the name. */
const isBuiltIn = (decoder: string): boolean => decoder === 'protobuf' || decoder === AUTO;

/** A recognised decoder in the words of a section. */
function decoderText(name: string | null, config: Readonly<Config>): string {
  if (name === null) return 'no decoder recognises it, its lines stay as they are';
  const parameters = Object.entries(config).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  return `decoded by ${name}${parameters.length === 0 ? '' : ` with ${parameters.join(', ')}`}`;
}
