import type { TextPool } from '../message/text-pool.ts';
import { TextSource } from '../inputs/shared/read.ts';
import type { SplitOptions } from '../inputs/splitters/index.ts';
import { SecondReading } from '../detect/second-reading.ts';
import { findPlugin } from '../plugins/catalog.ts';
import { parseParameters } from '../plugins/parameters.ts';
import { sandboxSpec, type SandboxStarter } from '../plugins/sandboxes.ts';
import { decoderSplit } from '../plugins/split.ts';
import type { PluginScript } from '../plugins/types.ts';
import type { Config } from '../plugins/parameters.ts';
import type { UserScripts } from '../plugins/user-scripts.ts';
import type { Sandbox } from '../sandbox/contract/types.ts';
import type { CommandContext } from './command.ts';
import { readInputs, type InputChunk } from './message-source.ts';
import { Recogniser } from './recogniser.ts';
import { parseScripts } from './script-folder.ts';
import { parseSettings } from './settings.ts';

/** Options of the decoding of files. */
export interface Decoding {
  /** null: each file is recognised. */
  readonly name: string | null;
  readonly settings: Readonly<Record<string, string>>;
  readonly scripts: UserScripts | null;
  readonly quiet: boolean;
  /** Records that no decoder takes are left out. */
  readonly onlyDecoded: boolean;
  /** A record that no decoder takes makes the exit code 1. */
  readonly strict: boolean;
}

export function parseDecoding(
  values: {
    readonly decoder?: string | undefined;
    readonly set: readonly string[];
    readonly scripts?: string | undefined;
    readonly quiet: boolean;
    readonly 'only-decoded': boolean;
    readonly strict: boolean;
  },
  complain: (text: string) => void,
): Decoding {
  return {
    name: values.decoder ?? null,
    settings: parseSettings(values.set),
    scripts: parseScripts(values, complain),
    quiet: values.quiet,
    onlyDecoded: values['only-decoded'],
    strict: values.strict,
  };
}

/** A decoder by its name and its parameters, as they were set before. */
export interface KnownDecoder {
  readonly name: string;
  readonly config: Readonly<Record<string, string>>;
  /** The hash of a script of the user, with what it imports; absent in stores of earlier versions, and for bundled ones. */
  readonly script?: string | undefined;
}

/** A file with its decoder. */
export interface DecodedSource {
  readonly sandbox: Sandbox;
  /** Reads what the decoder refuses; null: it refuses nothing. */
  readonly second: SecondReading | null;
  /** null: it is not recognised, its records pass as they are. */
  readonly decoder: readonly [PluginScript, Readonly<Config>] | null;
  /** Its records, which can be read once. */
  readonly chunks: AsyncIterable<InputChunk>;
}

/** A decoder that runs for a source. */
export type StartedDecoder = Omit<DecodedSource, 'chunks'>;

const LINES: SplitOptions = { kind: 'line' };

/** Starts the decoders of files, one after the other. */
export class FileDecoders {
  readonly #sandboxes: SandboxStarter;
  readonly #decoding: Decoding;
  readonly #context: CommandContext;
  readonly #recogniser: Recogniser;

  constructor(sandboxes: SandboxStarter, decoding: Decoding, context: CommandContext) {
    this.#sandboxes = sandboxes;
    this.#decoding = decoding;
    this.#context = context;
    const { settings, scripts, onlyDecoded } = decoding;
    this.#recogniser = new Recogniser(sandboxes, { settings, modules: [], scripts, onlyDecoded }, context.complain);
  }

  /**
   * Opens a file with a decoder that is new. It ends when `use` has ended.
   * @param known the decoder that reads it instead of one that is recognised
   * @throws {InputError} when the file cannot be read; {EngineError} when a setting does not fit the decoder
   */
  async with(file: string, use: (source: DecodedSource) => Promise<void>, known: KnownDecoder | null = null): Promise<void> {
    const { signal } = this.#context;
    const source = new TextSource(file, { signal });
    try {
      const { decoder, sandbox, second } = await this.start(source, known);
      await use({ decoder, sandbox, second, chunks: this.read(source, decoder) });
      if (signal.aborted) return;
      await sandbox.stop();
      await second?.stop();
    } finally {
      await source.close();
    }
  }

  /**
   * Starts the decoder of a source.
   * @param known the decoder that it had before; it replaces what would be recognised
   */
  async start(source: TextSource, known: KnownDecoder | null = null): Promise<StartedDecoder> {
    const { name, settings, quiet } = this.#decoding;
    if (name === null && known === null) return this.#recogniser.recognise(source, quiet);
    const plugin = findPlugin('decoder', name ?? (known as KnownDecoder).name);
    const config = parseParameters(plugin, name === null ? { ...known?.config, ...settings } : settings);
    const sandbox = await this.#sandboxes.start(sandboxSpec('decoder', plugin, { config }));
    const named = { starter: this.#sandboxes, detector: null, first: plugin.name, keepsRefused: !this.#decoding.onlyDecoded };
    const second = name === null ? this.#recogniser.secondReading(plugin) : new SecondReading(named);
    return { decoder: [plugin, config], sandbox, second };
  }

  /** The records of a source, cut as its decoder asks for. @param texts memory for them; whoever gives it releases the chunks */
  read(source: TextSource, decoder: DecodedSource['decoder'], texts?: TextPool): AsyncGenerator<InputChunk> {
    const { complain, signal } = this.#context;
    const split = decoder === null ? LINES : decoderSplit(...decoder);
    return readInputs(source, { form: 'lines', notice: ({ text }) => complain(text), signal, split, texts });
  }
}
