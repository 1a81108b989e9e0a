import { bundledPlugins } from '../plugins/catalog.ts';
import type { PluginScript } from '../plugins/types.ts';
import type { UserScripts } from '../plugins/user-scripts.ts';
import { Look } from './looks.ts';
import { Patterns } from './forms/patterns.ts';

/** Those of the bundled decoders: read once, at the first file. */
let bundled: readonly Look[] | null = null;

export const bundledLooks = (): readonly Look[] => (bundled ??= bundledPlugins('decoder').flatMap(looksOf));

function looksOf(decoder: PluginScript): Look[] {
  const patterns = new Patterns(decoder);
  return (decoder.meta?.looks ?? []).map((look) => new Look(decoder, look, patterns));
}

/** All decoders that can be recognised, by what they say about their files. */
export class KnownLooks {
  readonly #scripts: UserScripts | null;
  /** By the scripts: a script that is another has other looks. */
  readonly #own = new WeakMap<PluginScript, readonly Look[]>();

  /** @param scripts decoders of the user */
  constructor(scripts: UserScripts | null) {
    this.#scripts = scripts;
  }

  /**
   * All looks, those of one rank together and the exactest first. In each rank the user's stand first: somebody wrote them for the logs
   * that he has.
   */
  ranks(): readonly (readonly Look[])[] {
    const all = [...(this.#scripts?.read() ?? []).flatMap((script) => this.#looksOf(script)), ...bundledLooks()];
    const ranks = [...new Set(all.map(({ meta }) => meta.rank))].sort((a, b) => a - b);
    return ranks.map((rank) => all.filter(({ meta }) => meta.rank === rank));
  }

  #looksOf(script: PluginScript): readonly Look[] {
    const looks = this.#own.get(script) ?? looksOf(script);
    this.#own.set(script, looks);
    return looks;
  }
}
