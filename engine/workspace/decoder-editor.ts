import { EngineError } from '../base/errors.ts';
import { bundledPlugins, findPlugin } from '../plugins/catalog.ts';
import { filesToRead } from '../plugins/files.ts';
import type { Config } from '../plugins/parameters.ts';
import type { UserScripts } from '../plugins/user-scripts.ts';
import type { Consent } from './common/consent.ts';
import type { ListedSources } from './opening/listed-sources.ts';
import type { AllowedScripts } from './scripts/allowed-scripts.ts';
import { fileDemand } from './sources/demands.ts';
import type { OpenSources } from './sources/open-sources.ts';
import { decoderAbout } from './sources/preview.ts';
import type { Source } from './sources/source.ts';
import type { DecoderAbout, DecoderChoice, DecoderPreview } from '../api/types.ts';
import type { Demand } from '../api/wire.ts';

interface DecoderEditorOptions {
  readonly sources: OpenSources;
  readonly listed: ListedSources;
  readonly consent: Consent;
  readonly scripts: AllowedScripts;
  /** The decoders in the workspace's folder of scripts. */
  readonly own: UserScripts;
  /** Removes the outputs of the filters of a source, which is decoded again. */
  readonly forget: (source: number) => void;
}

/** Lists the decoders, tries them on the records of a source, and gives a source another one. */
export class DecoderEditor {
  readonly #options: DecoderEditorOptions;

  constructor(options: DecoderEditorOptions) {
    this.#options = options;
  }

  /** The decoders that can be chosen: those of the user first. */
  all(): DecoderAbout[] {
    return [...this.#options.own.read(), ...bundledPlugins('decoder')].map(decoderAbout);
  }

  /**
   * Decodes a source by another decoder; null: shows it raw. Files that its parameters name have to be confirmed.
   * @throws {EngineError} `source.unknown`, `source.stored`, `plugin.unknown`, `plugin.parameter`, `script.foreign`, `consent.refused`
   */
  async choose(id: number, name: string | null, config: Readonly<Config>): Promise<void> {
    const { sources, consent, listed } = this.#options;
    sources.get(id).requireUndecoded();
    if (name !== null) await consent.require(this.#readBy(sources.get(id), name, config));
    const source = sources.get(id);
    if (source.kind === 'workstation') {
      throw new EngineError('source.parts', `The parts of ${source.label} have decoders of their own: ${listed.path} names them.`);
    }
    const choice: DecoderChoice | null = name === null ? null : { name, config, by: 'user', confidence: 1 };
    if (source.kind === 'file') listed.chooseDecoder(source.location, choice);
    this.#options.forget(id);
    void source.decodeBy(choice);
  }

  /**
   * Runs a decoder over the first records of a source. It is tried while somebody types: what was not confirmed is refused without a question.
   * @throws {EngineError} `source.unknown`, `plugin.unknown`, `script.foreign`, `file.ungranted`
   */
  preview(id: number, name: string, config: Readonly<Config>): Promise<DecoderPreview> {
    const source = this.#options.sources.get(id);
    const unread = this.#readBy(source, name, config).find((demand) => !this.#options.consent.has(demand));
    if (unread === undefined) return source.preview(name, config);
    throw new EngineError('file.ungranted', `${unread.text} is read when it was confirmed: use the decoder, and answer the question.`);
  }

  /** The files that a decoder is to read for a source, which did not until now. Throws `script.foreign`, `plugin.unknown`. */
  #readBy({ decoder }: Source, name: string, config: Readonly<Config>): Demand[] {
    if (name !== decoder?.name) this.#options.scripts.checkReference('decoder', name);
    const plugin = findPlugin('decoder', name);
    const read = decoder?.name === name ? filesToRead(plugin, decoder.config, decoder.folder) : [];
    return filesToRead(plugin, config)
      .filter((path) => !read.includes(path))
      .map(fileDemand);
  }

  /**
   * Decodes a source again from the beginning by its current decoder, which has ended.
   * @throws {EngineError} `source.unknown`
   */
  restart(id: number): void {
    const source = this.#options.sources.get(id);
    if (source.decoder === null) return;
    this.#options.forget(id);
    void source.decodeAnew();
  }
}
