import type { DecoderDetector } from '../detect/detect.ts';
import { SecondReading } from '../detect/second-reading.ts';
import { sourceHead } from '../detect/source-head.ts';
import { messageOf } from '../base/errors.ts';
import type { FileKinds } from '../inputs/shared/file-kinds.ts';
import type { TextSource } from '../inputs/shared/read.ts';
import type { SplitOptions } from '../inputs/splitters/index.ts';
import type { InputBatch } from '../inputs/types.ts';
import { shareDecoder } from '../pipeline/decoder-group.ts';
import type { DecoderSet } from '../pipeline/running-input.ts';
import type { Config } from '../plugins/parameters.ts';
import type { ScriptStarter } from '../plugins/sandboxes.ts';
import { decoderSplit } from '../plugins/split.ts';
import type { PluginScript } from '../plugins/types.ts';
import type { Sandbox, SandboxSpec } from '../sandbox/contract/types.ts';

export interface AutoDecodersOptions {
  readonly starter: ScriptStarter;
  readonly detector: DecoderDetector;
  /** Finds a decoder by its name, or its path. @throws {EngineError} */
  readonly find: (name: string) => PluginScript;
  /** Returns the specification of a decoder's sandbox. */
  readonly spec: (plugin: PluginScript, config: Readonly<Config>) => SandboxSpec;
  /** Told for each file by which decoder it is read; null: by none. */
  readonly onRecognised: (file: string, decoder: string | null, config: Readonly<Config>) => void;
  readonly onError: (text: string) => void;
}

interface Running {
  readonly split: SplitOptions;
  readonly decoder: Sandbox;
  readonly refused: SecondReading;
}

/**
 * The decoders of an input with `decoder = "auto"`: each file is recognised by itself, and files that need the same decoder with the same
 * parameters share one. The name of a kind is the decoder with its parameters, as JSON.
 */
export class AutoDecoders implements FileKinds, DecoderSet {
  readonly #options: AutoDecodersOptions;
  readonly #running = new Map<string, Running>();
  /** Files that were told to be of no known kind. */
  readonly #unknown = new Set<string>();

  constructor(options: AutoDecodersOptions) {
    this.#options = options;
  }

  async recognise(source: TextSource, writtenNs: bigint): Promise<string | null> {
    const { text } = await sourceHead(source);
    const found = await this.#options.detector.recognise(text, writtenNs);
    if (found === null) {
      if (text !== '' && !this.#unknown.has(source.name)) this.#options.onRecognised(source.name, null, {});
      this.#unknown.add(source.name);
      return null;
    }
    const { name, config } = found;
    await this.#start(name, config);
    this.#options.onRecognised(source.name, name, config);
    return kindOf(name, config);
  }

  async recall(kind: string): Promise<boolean> {
    try {
      const [name, config] = JSON.parse(kind) as [string, Config];
      await this.#start(name, config);
      return true;
    } catch (error) {
      // The words of a damaged checkpoint are not repeated: they may be anything.
      const why = error instanceof SyntaxError ? 'it is not JSON' : messageOf(error).slice(0, 200);
      this.#options.onError(`the decoder that a checkpoint names for a file cannot be used, so the file is recognised anew: ${why}`);
      return false;
    }
  }

  splitOf(kind: string): SplitOptions {
    return this.#running.get(kind)?.split ?? { kind: 'line' };
  }

  of({ fileKind = '' }: InputBatch): Sandbox | null {
    return this.#running.get(fileKind)?.decoder ?? null;
  }

  refusedBy({ fileKind = '' }: InputBatch): SecondReading | null {
    return this.#running.get(fileKind)?.refused ?? null;
  }

  all(): Sandbox[] {
    return [...this.#running.values()].map(({ decoder }) => decoder);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#running.values()].flatMap(({ decoder, refused }) => [decoder.stop(), refused.stop()]));
  }

  async #start(name: string, config: Readonly<Config>): Promise<void> {
    const kind = kindOf(name, config);
    if (this.#running.has(kind)) return;
    const { starter, detector, find, spec } = this.#options;
    const plugin = find(name);
    const sandbox = await starter.start(spec(plugin, config));
    const refused = new SecondReading({ starter, detector, first: name, keepsRefused: true });
    this.#running.set(kind, { split: decoderSplit(plugin, config), decoder: shareDecoder(sandbox, plugin, starter), refused });
  }
}

const kindOf = (name: string, config: Readonly<Config>): string => JSON.stringify([name, config]);
