import type { Demand } from '../../api/wire.ts';
import { EngineError } from '../../base/errors.ts';

/** Asks the shell, which asks the user if need be. Resolves with the keys of those that may start. */
export type Ask = (demands: readonly Demand[]) => Promise<readonly string[]>;

/** Names a demand in a few words: commands may be long, and stand in the window anyway. */
const NAMES: Readonly<Record<Demand['kind'], (demand: Demand) => string>> = {
  script: ({ section }) => `The script ${section}`,
  command: () => 'The command',
  listener: ({ text }) => `Listening (${text})`,
  client: ({ text }) => `Connecting (${text.split('\n', 1).join()})`,
  file: ({ text }) => `Reading ${text}`,
  open: ({ text }) => `Opening ${text}`,
};

/** The things that the user has confirmed. The shell keeps the record and shows the dialogs: the window has no part in either. */
export class Consent {
  readonly #ask: Ask;
  readonly #given = new Set<string>();

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** Tells whether it was confirmed since the engine started. */
  has({ key }: Demand): boolean {
    return this.#given.has(key);
  }

  /** Asks for all of these that are not confirmed yet, in one question. */
  async ask(demands: readonly Demand[]): Promise<void> {
    const open = demands.filter((demand) => !this.has(demand));
    if (open.length > 0) for (const key of await this.#ask(open)) this.#given.add(key);
  }

  /** @throws {EngineError} `consent.refused` */
  async require(demands: readonly Demand[]): Promise<void> {
    await this.ask(demands);
    const refused = demands.find((demand) => !this.has(demand));
    if (refused !== undefined)
      throw new EngineError('consent.refused', `${NAMES[refused.kind](refused)} was not confirmed, so nothing was done.`);
  }
}
