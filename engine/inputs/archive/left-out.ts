import type { LeftOut } from './types.ts';

/** Names that a text has, those of many files of one reason, and files that are remembered. */
const [MOST_NAMES, FEW_NAMES, MOST_FILES] = [8, 3, 10_000];

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

/** A sentence about files that are left out, by their reasons, the first ones of each by name; null: there is none. */
export function leftOutText(place: string, files: readonly LeftOut[]): string | null {
  if (files.length === 0) return null;
  const groups = [...Map.groupBy(files, ({ why }) => why)];
  const room = Math.max(1, Math.floor(MOST_NAMES / groups.length));
  const named = groups.slice(0, MOST_NAMES).map(([why, those]) => `${namesText(those, room)} (${why})`);
  const rest = groups.slice(MOST_NAMES).reduce((sum, [, those]) => sum + those.length, 0);
  const count = files.length === 1 ? '1 file was' : `${files.length.toLocaleString('en')} files were`;
  return `${place}: ${count} left out: ${named.join(', ')}${rest > 0 ? `, and ${rest.toLocaleString('en')} more` : ''}.`;
}

/** The names where there is room for all, else the first ones and the number of the others. */
function namesText(files: readonly LeftOut[], room: number): string {
  const shown = files.length <= room ? files : files.slice(0, Math.min(room, FEW_NAMES));
  const names = shown.map(({ name }) => name).join(', ');
  return shown.length === files.length ? names : `${names} and ${(files.length - shown.length).toLocaleString('en')} more`;
}
