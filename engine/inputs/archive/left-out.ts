import type { LeftOut } from './types.ts';

/** Names that a text has, and files that are remembered. */
const [MOST_NAMES, MOST_FILES] = [8, 10_000];

/** Files that are not read, and why. */
export class LeftOutFiles {
  readonly #files: LeftOut[] = [];

  get all(): readonly LeftOut[] {
    return this.#files;
  }

  add(file: LeftOut): void {
    if (this.#files.length < MOST_FILES) this.#files.push(file);
  }

  /** Leaves out one that may hold a log. */
  lose(name: string, why: string): void {
    this.add({ name, why, isLoss: true });
  }
}

/** A sentence about files that are left out, the first ones by name, those of one reason together; null: there is none. */
export function leftOutText(place: string, files: readonly LeftOut[]): string | null {
  if (files.length === 0) return null;
  const groups = [...Map.groupBy(files.slice(0, MOST_NAMES), ({ why }) => why)];
  const named = groups.map(([why, those]) => `${those.map(({ name }) => name).join(', ')} (${why})`);
  const rest = files.length - Math.min(files.length, MOST_NAMES);
  const count = files.length === 1 ? '1 file was' : `${files.length.toLocaleString('en')} files were`;
  return `${place}: ${count} left out: ${named.join(', ')}${rest > 0 ? `, and ${rest.toLocaleString('en')} more` : ''}.`;
}
