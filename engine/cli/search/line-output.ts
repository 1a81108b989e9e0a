import { sourceName } from '../../inputs/shared/standard-input.ts';
import type { LineSearch } from '../../search/line-search.ts';

/** Forms in which a search of lines is answered. */
export type LineForm = 'lines' | 'matches' | 'count' | 'files';

/** Prints what a search finds in files, and sums it up. */
export class LineOutput {
  readonly #form: LineForm;
  readonly #search: LineSearch;
  #counted = '';
  #held = '';
  #found = 0;
  #files = 0;
  #filesFound = 0;

  /** @param sums what is printed is counted, too */
  constructor(form: LineForm, search: LineSearch, sums: boolean) {
    this.#form = form;
    if (form === 'count' || form === 'files') {
      const print = (bytes: Uint8Array): Promise<void> => {
        this.#counted += Buffer.from(bytes).toString();
        return Promise.resolve();
      };
      this.#search = { ...search, names: false, direct: false, print, more: [...search.more, '--count', '--include-zero'] };
      return;
    }
    const isMatches = form === 'matches';
    const print = (bytes: Uint8Array): Promise<void> => {
      for (const byte of bytes) if (byte === 10) this.#found++;
      return search.print(isMatches ? this.#withoutReturns(bytes) : bytes);
    };
    const more = isMatches ? [...search.more, '--only-matching'] : search.more;
    this.#search = sums || isMatches ? { ...search, more, direct: false, print } : search;
  }

  /** Ripgrep ends each match with CRLF. The return may be in one piece, and its line end in the next. */
  #withoutReturns(bytes: Uint8Array): Uint8Array {
    const text = `${this.#held}${Buffer.from(bytes).toString('latin1')}`;
    this.#held = text.endsWith('\r') ? '\r' : '';
    return Buffer.from(text.slice(0, text.length - this.#held.length).replaceAll('\r\n', '\n'), 'latin1');
  }

  /** Searches a file. @param run tells whether a line matches @returns that, and the line about the file; empty: there is none */
  async of(file: string, names: boolean, run: (search: LineSearch) => Promise<boolean>): Promise<{ found: boolean; line: string }> {
    this.#counted = '';
    const found = await run(this.#search);
    this.#files++;
    if (found) this.#filesFound++;
    const count = Number(this.#counted);
    this.#found += count;
    if (this.#form === 'count') return { found, line: `${names ? `${sourceName(file)}:` : ''}${count}\n` };
    return { found, line: this.#form === 'files' && found ? `${sourceName(file)}\n` : '' };
  }

  /** The sums, as ripgrep words them. */
  get sums(): readonly string[] {
    const what = this.#form === 'matches' ? 'matches' : 'matched lines';
    return [`${this.#found} ${what}`, `${this.#filesFound} files contained matches`, `${this.#files} files searched`];
  }
}
