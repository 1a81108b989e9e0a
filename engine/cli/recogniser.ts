import { LateDecoder } from '../detect/late-decoder.ts';
import { scriptReference } from '../plugins/catalog.ts';
import { DecoderDetector, type DetectedDecoder } from '../detect/detect.ts';
import { SecondReading } from '../detect/second-reading.ts';
import { sourceHead } from '../detect/source-head.ts';
import type { TextSource } from '../inputs/shared/read.ts';
import { parseParameters, type Config } from '../plugins/parameters.ts';
import { sandboxSpec, type SandboxStarter } from '../plugins/sandboxes.ts';
import type { PluginScript } from '../plugins/types.ts';
import type { UserScripts } from '../plugins/user-scripts.ts';
import type { Sandbox } from '../sandbox/contract/types.ts';
import { shellWord } from './shell-word.ts';

/** A decoder that runs for one source. */
export interface RunningDecoder {
  /** null: the source is not recognised, its records pass as they are. */
  readonly decoder: readonly [PluginScript, Readonly<Config>] | null;
  readonly sandbox: Sandbox;
  /** Reads what the decoder refuses; null: it refuses nothing. */
  readonly second: SecondReading | null;
}

export interface RecogniserOptions {
  /** Parameters that replace those that are recognised. */
  readonly settings: Readonly<Record<string, string>>;
  readonly modules: readonly string[];
  /** Decoders that are recognised beside the bundled ones. */
  readonly scripts: UserScripts | null;
  /** Records that no decoder takes are left out. */
  readonly onlyDecoded: boolean;
}

/** Finds the decoders of sources by their first lines, and says which. */
export class Recogniser {
  readonly #starter: SandboxStarter;
  readonly #detector: DecoderDetector;
  readonly #options: RecogniserOptions;
  readonly #say: (line: string) => void;

  constructor(starter: SandboxStarter, options: RecogniserOptions, say: (line: string) => void) {
    this.#starter = starter;
    this.#detector = new DecoderDetector(starter, say, options.scripts);
    this.#options = options;
    this.#say = say;
  }

  /** Reads what a decoder that was recognised refuses. */
  secondReading(first: PluginScript): SecondReading {
    return new SecondReading({
      starter: this.#starter,
      detector: this.#detector,
      first: scriptReference(first),
      keepsRefused: !this.#options.onlyDecoded,
    });
  }

  /** @throws {InputError} when the source cannot be read; {EngineError} when a setting does not fit the decoder */
  async recognise(source: TextSource, quiet: boolean): Promise<RunningDecoder> {
    const { text, writtenNs } = await sourceHead(source);
    const found = await this.#detector.detect(text, writtenNs);
    if (found === null) {
      if (!quiet && text !== '') this.#say(`${source.name}: no decoder recognises it, its lines stay as they are`);
      return { decoder: null, sandbox: new LateDecoder(() => undefined), second: null };
    }
    const { config, sandbox } = await this.#withSettings(found);
    if (!quiet) this.#say(`${source.name}: decoded by ${commandWords(found.name, config)}`);
    return { decoder: [found.script, config], sandbox, second: this.secondReading(found.script) };
  }

  async #withSettings(found: DetectedDecoder): Promise<{ config: Readonly<Config>; sandbox: Sandbox }> {
    const { settings, modules } = this.#options;
    if (Object.keys(settings).length === 0) return found;
    const recognised = Object.fromEntries(Object.entries(found.config).map(([name, value]) => [name, String(value)] as const));
    const config = parseParameters(found.script, { ...recognised, ...settings });
    await found.sandbox.stop();
    return { config, sandbox: await this.#starter.start(sandboxSpec('decoder', found.script, { config, modules })) };
  }
}

/** A decoder with its parameters as words of a shell, to be typed behind `sluicebox decode`. */
export function commandWords(name: string, config: Readonly<Config>): string {
  return [name, ...Object.entries(config).map(([key, value]) => `-s ${shellWord(`${key}=${String(value)}`)}`)].join(' ');
}
