import { cutTo, displayWidth } from '../display-width.ts';
import { printable } from '../../api/printable.ts';

/** Most columns that the name of a file takes on each line. */
const MOST = 24;

/** Short names of files, which tell each from the others: the last parts of their paths that differ. */
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
