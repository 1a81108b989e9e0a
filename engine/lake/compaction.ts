import type { ListedFile } from './manifest.ts';
import type { Store } from './store.ts';
import { FILE_ROWS } from './protocol.ts';
import type { StoreWriter } from './store-writer.ts';

/** Sizes of files by rows: as soon as there are several neighbours of one size, they become one file. */
const SIZES = [1_000, 12_000, FILE_ROWS];
/** Neighbours of one size that a log which is followed may have. */
const MOST_NEIGHBOURS = 8;

/**
 * The small files of a log, neighbours in the order of its text, that are to become one, now that it has a new one; [] when they are few. Each row is written again
 * some ten times for each size until it is in a large file.
 */
export function smallNeighbours(files: readonly ListedFile[]): readonly ListedFile[] {
  for (const size of SIZES) {
    const run = tail(files, (file) => isSettled(file) && file.rows < size);
    if (run.length >= MOST_NEIGHBOURS) return run;
  }
  return [];
}

/** The last files for which something holds, and which together have no more rows than a file. */
function tail(files: readonly ListedFile[], holds: (file: ListedFile) => boolean): readonly ListedFile[] {
  let from = files.length;
  for (let rows = 0; from > 0; from--) {
    const file = files[from - 1] as ListedFile;
    rows += file.rows;
    if (!holds(file) || rows > FILE_ROWS) break;
  }
  return files.slice(from);
}

/** Files behind the settled part of their log are replaced when it grows. */
const isSettled = ({ last }: ListedFile): boolean => !last;

/** All runs of neighbours of a log that fit into one file. */
export function runsThatFit(files: readonly ListedFile[]): (readonly ListedFile[])[] {
  const runs: ListedFile[][] = [];
  let run: ListedFile[] = [];
  let rows = 0;
  for (const file of files) {
    if (!isSettled(file) || rows + file.rows > FILE_ROWS) {
      runs.push(run);
      run = [];
      rows = 0;
    }
    if (!isSettled(file)) continue;
    run.push(file);
    rows += file.rows;
  }
  return [...runs, run].filter(({ length }) => length > 1);
}

/** Makes one file of neighbours. The messages are at every moment in the old files or in the new one. */
export async function merge(store: Store, writer: StoreWriter, parts: readonly ListedFile[]): Promise<void> {
  const [first] = parts;
  if (first === undefined) return;
  await writer.begin(store.columnsOf(first.table));
  await store.replace(
    parts.map(({ name }) => name),
    await writer.merge(parts.map(({ name }) => name)),
  );
}
