import { addressOf, NetworkError, parseNetwork, type Network } from '../base/text/networks.ts';
import { nearOrAll } from '../base/text/suggest.ts';
import { csvRows } from './csv.ts';
import { LookupError, type Find, type Lookup } from './lookup.ts';
import { Prefixes } from './prefixes.ts';

/** Numbers as a program writes them: another form, such as one with a zero in front, is a text. */
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;
/** Two millions of IPv6 take ten seconds and 300 MiB. */
const MOST_ROWS = 2_000_000;
/** Text in the form of an IPv4 address or network, which may have a mistake. */
const LIKE_ADDRESS = /^\d+(?:\.\d+){3}(?:\/.*)?$/;

/**
 * Reads a list: the first cell of a row is its key, an address, a network or another text. The first row names the columns, unless it begins with
 * an address or a network. Of rows with the same key the last one counts.
 * @param file for errors
 * @param mostRows of which more would take too much memory
 * @throws {LookupError} with file and line when a row is broken
 */
export function readList(text: string, file: string, mostRows = MOST_ROWS): Lookup {
  const list = new List(file);
  for (const { line, cells } of csvRows(text)) {
    list.add(line, cells);
    if (list.rows > mostRows) throw new LookupError(`${file}:${line}: a list has ${mostRows.toLocaleString('en')} rows at most`);
  }
  list.end();
  return list;
}

class List implements Lookup {
  readonly #file: string;
  readonly #names: string[] = [];
  /** Cells of all rows, column by column. */
  readonly #columns: string[][] = [];
  /** Whether a column has numbers alone, once it was asked for. */
  readonly #numeric: boolean[] = [];
  readonly #texts = new Map<string, number>();
  readonly #networks = new Prefixes();
  #rows = 0;
  #problem: string | null = null;
  #problems = 0;

  constructor(file: string) {
    this.#file = file;
  }

  add(line: number, cells: readonly string[] | string): void {
    if (typeof cells === 'string') return this.#refuse(line, cells);
    const [key = ''] = cells;
    const network = this.#networkOf(key, line);
    if (this.#columns.length === 0) {
      this.#name(line, cells, network === undefined);
      if (network === undefined) return;
    }
    if (cells.length > this.#columns.length)
      return this.#refuse(line, `the row has ${cells.length} cells, and the first one has ${this.#columns.length}`);
    if (key === '') return this.#refuse(line, 'the first cell of the row is empty');
    if (network === null) return;
    this.#columns.forEach((column, i) => column.push(cells[i] ?? ''));
    if (network === undefined) this.#texts.set(key, this.#rows++);
    else this.#networks.set(network, this.#rows++);
  }

  /** @throws {LookupError} when a row was broken */
  end(): void {
    if (this.#problem === null) return;
    const others = this.#problems - 1;
    throw new LookupError(others === 0 ? this.#problem : `${this.#problem}; ${others} more rows are broken`);
  }

  get columns(): readonly string[] {
    return this.#names;
  }

  get rows(): number {
    return this.#rows;
  }

  keys(): readonly string[] {
    return this.#columns[0] ?? [];
  }

  has(key: string): boolean {
    return this.#find(key) !== undefined;
  }

  column(name: string): Find {
    const index = this.#names.indexOf(name);
    const cells = this.#columns[index];
    if (cells === undefined) throw new LookupError(`${this.#file} has no column ${name}`, { instead: nearOrAll(name, this.#names) });
    const isNumber = (this.#numeric[index] ??= cells.every((cell) => cell === '' || NUMBER.test(cell)));
    return (key) => {
      const row = this.#find(key);
      const cell = row === undefined ? '' : (cells[row] as string);
      return cell === '' ? null : isNumber ? Number(cell) : cell;
    };
  }

  #find(key: string): number | undefined {
    return this.#texts.get(key) ?? this.#networks.find(key);
  }

  /** Names the columns. @param isHeader the first row has their names; else it is of the list, and they are numbered */
  #name(line: number, cells: readonly string[], isHeader: boolean): void {
    for (const [i, cell] of cells.entries()) {
      const name = isHeader ? cell.replaceAll(/[^\p{L}\p{N}_-]+/gu, '_') : '';
      if (name !== '' && this.#names.includes(name)) this.#refuse(line, `there are two columns ${name}`);
      this.#names.push(name === '' ? `column_${i + 1}` : name);
      this.#columns.push([]);
    }
  }

  /** The network that a key is; undefined: it is another text; null: it is a broken network, which is noted. */
  #networkOf(key: string, line: number): Network | undefined | null {
    // An error for each of a million texts would take seconds.
    if (addressOf(key.replace(/\/.*/, '')) === null && !LIKE_ADDRESS.test(key)) return undefined;
    try {
      return parseNetwork(key);
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      this.#refuse(line, `${key} is no network: ${error.message}`);
      return null;
    }
  }

  #refuse(line: number, why: string): void {
    this.#problems++;
    this.#problem ??= `${this.#file}:${line}: ${why}`;
  }
}
