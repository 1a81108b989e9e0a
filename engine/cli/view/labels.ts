import { cutTo, displayWidth } from '../display-width.ts';
import { printable } from '../../api/printable.ts';

/** Most columns that the name of a file takes on each line. */
const MOST = 24;

/** Short names of files, which tell each from the others. Further files may change those of the others. */
export class Labels {
  readonly #names: string[] = [];
  #labels: readonly string[] = [];
  /** Columns of the longest one; 0: there is but one file. */
  width = 0;

  add(names: readonly string[]): void {
    this.#names.push(...names);
    const { labels, width } = labelsOf(this.#names);
    this.#labels = labels;
    this.width = width;
  }

  /** The number of a file, which is added if it is new. */
  indexOf(name: string): number {
    if (!this.#names.includes(name)) this.add([name]);
    return this.#names.indexOf(name);
  }

  of(index: number): string {
    return this.#labels[index] ?? '';
  }
}

/** The last parts of the paths of files that differ. */
export function labelsOf(names: readonly string[]): { readonly labels: readonly string[]; readonly width: number } {
  if (names.length < 2) return { labels: names, width: 0 };
  const parts = names.map((name) => name.split(/[\\/]/).filter((part) => part !== ''));
  const labels = parts.map((own, at) => {
    for (let count = 1; count < own.length; count++) {
      const short = own.slice(-count).join('/');
      if (!parts.some((other, place) => place !== at && other.slice(-count).join('/') === short)) return short;
    }
    return own.join('/');
  });
  const shown = labels.map((label) => cutTo(printable(label), MOST));
  return { labels: shown, width: Math.max(...shown.map(displayWidth)) };
}
