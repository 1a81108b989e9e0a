import { bundledPlugins } from '../plugins/catalog.ts';
import type { PluginScript } from '../plugins/types.ts';
import type { UserScripts } from '../plugins/user-scripts.ts';
import { Look } from './looks.ts';
import { Patterns } from './forms/patterns.ts';

/** The bundled decoders and their looks, read once, at the first file. */
let bundled: readonly PluginScript[] | null = null;
let ownLooks: readonly Look[] | null = null;

export const bundledDecoders = (): readonly PluginScript[] => (bundled ??= bundledPlugins('decoder'));

export const bundledLooks = (): readonly Look[] => (ownLooks ??= bundledDecoders().flatMap(looksOf));

function looksOf(decoder: PluginScript): Look[] {
  const patterns = new Patterns(decoder);
  return (decoder.meta?.looks ?? []).map((look) => new Look(decoder, look, patterns));
}

/** From this rank on a look is that of a decoder for any log, which is tried when no other decoder fits, not even to a part of the lines. */
const GENERAL_RANK = 9;

/** Looks in groups of one rank. */
interface Ranks {
  readonly exact: readonly (readonly Look[])[];
  readonly general: readonly (readonly Look[])[];
}

/** All looks by which decoders are recognised, bundled and the user's. */
export class KnownLooks {
  readonly #scripts: UserScripts | null;
  /** Looks by script; a changed script is a new object. */
  readonly #own = new WeakMap<PluginScript, readonly Look[]>();
  #lastScripts: readonly PluginScript[] = [];
  #lastRanks: Ranks | null = null;

  /** @param scripts decoders of the user */
  constructor(scripts: UserScripts | null) {
    this.#scripts = scripts;
  }

  /**
   * Returns all looks in groups of one rank, the most exact rank first, and those of decoders that read any log by themselves. Within a rank the
   * user's come first, since they were written for the user's own logs.
   */
  ranks(): Ranks {
    const scripts = this.#scripts?.read() ?? [];
    const isAsBefore = scripts.length === this.#lastScripts.length && scripts.every((script, at) => script === this.#lastScripts[at]);
    this.#lastScripts = scripts;
    return (this.#lastRanks = isAsBefore && this.#lastRanks !== null ? this.#lastRanks : this.#ranksOf(scripts));
  }

  #ranksOf(scripts: readonly PluginScript[]): Ranks {
    const all = [...scripts.flatMap((script) => this.#looksOf(script)), ...bundledLooks()];
    const ranks = [...new Set(all.map(({ meta }) => meta.rank))].sort((a, b) => a - b);
    const looksOfRank = (rank: number): Look[] => all.filter(({ meta }) => meta.rank === rank);
    return {
      exact: ranks.filter((rank) => rank < GENERAL_RANK).map(looksOfRank),
      general: ranks.filter((rank) => rank >= GENERAL_RANK).map(looksOfRank),
    };
  }

  #looksOf(script: PluginScript): readonly Look[] {
    const looks = this.#own.get(script) ?? looksOf(script);
    this.#own.set(script, looks);
    return looks;
  }
}
