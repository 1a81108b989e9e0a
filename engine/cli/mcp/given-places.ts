import type { GrantedPlace } from '../../assistants/granted-places.ts';
import { Redactor } from '../../redact/redactor.ts';
import type { ReadPlace } from './granted-logs.ts';
import { RedactedCopies } from './redacted-copies.ts';
import { placesThere, type WindowGrants } from './window-grants.ts';

/** Milliseconds between two looks at what the window grants. */
const LOOK_MS = 1000;

interface GivenPlacesOptions {
  /** Those of the command line, and whether they are read with pseudonyms. */
  readonly given: readonly GrantedPlace[];
  readonly redact: boolean;
  /** Those of the window; null: they do not count. */
  readonly grants: WindowGrants | null;
  /** For copies with pseudonyms. */
  readonly folder: string;
  readonly complain: (text: string) => void;
}

/** The places that may be read now: those of the command line, and those that the window grants, as they are or as copies with pseudonyms. */
export class GivenPlaces {
  readonly #options: GivenPlacesOptions;
  readonly #copies: RedactedCopies;
  /** Whether some of them are copies. */
  hasCopies: boolean;

  constructor(options: GivenPlacesOptions) {
    this.#options = options;
    this.#copies = new RedactedCopies(options.folder, new Redactor(), options.complain);
    this.hasCopies = options.redact;
  }

  async now(): Promise<ReadPlace[]> {
    const { given, redact, grants } = this.#options;
    const window = await grants?.read();
    const granted = window === undefined ? [] : await placesThere(window);
    const isRedacted = redact || window?.redact === true;
    const originals = [...(redact ? [] : given), ...(isRedacted ? [] : granted)];
    const copied = [...(redact ? given : []), ...(isRedacted ? granted : [])];
    this.hasCopies = redact || (isRedacted && granted.length > 0);
    return [...originals, ...(await this.#copies.places(copied))];
  }

  /** Calls back when the window grants something else. */
  follow(changed: () => void): { stop(): void } {
    const { grants } = this.#options;
    if (grants === null) return { stop: () => undefined };
    let stamp: string | null = null;
    const look = async (): Promise<void> => {
      const now = await grants.stamp();
      if (stamp !== null && now !== stamp) changed();
      stamp = now;
    };
    const timer = setInterval(() => void look(), LOOK_MS).unref();
    return { stop: () => clearInterval(timer) };
  }
}
