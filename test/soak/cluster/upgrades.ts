import { writeRecords } from './configuration.ts';
import type { Program } from './program.ts';

interface Part {
  readonly program: Program;
}

/** Replaces programs by newer ones, one after the other while a soak lasts: the workers first, then the edges, whose records have other fields then. */
export class Upgrades {
  readonly #steps: readonly (() => Promise<number | null>)[];
  readonly #faults: number;
  #done = 0;

  /** @param faults of the whole soak */
  constructor(edges: readonly Part[], workers: readonly Part[], faults: number) {
    this.#faults = faults;
    this.#steps = [
      ...workers
        .filter(({ program }) => program.isOlder)
        .map(
          ({ program }) =>
            () =>
              renew(program),
        ),
      ...edges.map(
        ({ program }) =>
          () =>
            renew(program, () => writeRecords(program.folder, 'newer')),
      ),
    ];
  }

  get done(): number {
    return this.#done;
  }

  /** Does those whose time has come by this fault. Returns the exit codes of the programs before. */
  async through(fault: number): Promise<(number | null)[]> {
    const codes: (number | null)[] = [];
    for (; this.#done < this.#steps.length && (this.#done + 1) / (this.#steps.length + 1) <= fault / this.#faults; this.#done++)
      codes.push((await this.#steps[this.#done]?.()) ?? null);
    return codes;
  }
}

async function renew(program: Program, change?: () => void): Promise<number | null> {
  const code = await program.stop();
  program.isOlder = false;
  change?.();
  program.start();
  return code;
}
