import { posix } from 'node:path';
import { packageVersion } from '../base/product/version.ts';
import { ColumnNames } from '../parquet/column-names.ts';
import { MessageTable } from '../parquet/message-table.ts';
import { TableReader } from '../parquet/read/table-reader.ts';
import { newPath, type LakeFile, type Snapshot } from './commit.ts';
import { ConflictError, type Lake } from './lake.ts';

/** Rows of a file, about: as many as readers take at a time. */
const FILE_ROWS = 120_000;
/** Bytes of files that are made one: unpacked they take some ten times as much. */
const MOST_BYTES = 32 << 20;
/** Sizes of files by rows: as soon as a folder has several of one size, they become one file. So each row is written again a few times. */
const SIZES = [1_000, 12_000, FILE_ROWS];
const MOST_OF_A_SIZE = 8;

/**
 * The files that are to become one each, by their folders.
 * @param isWhole whether a folder gets no more files, so that all that fit are put together
 */
export function runsToMerge({ files }: Snapshot, isWhole: (folder: string) => boolean): (readonly LakeFile[])[] {
  const folders = Map.groupBy(files.values(), ({ path, uuids }) => `${posix.dirname(path)} ${uuids}`);
  return [...folders.values()].flatMap((own) => {
    const [first] = own as [LakeFile];
    const open = own.filter(isSmall);
    if (isWhole(posix.dirname(first.path))) return fitting(open, 2);
    for (const size of SIZES) {
      const small = open.filter(({ rows }) => rows < size);
      if (small.length >= MOST_OF_A_SIZE) return fitting(small, MOST_OF_A_SIZE);
    }
    return [];
  });
}

const isSmall = ({ rows, bytes }: LakeFile): boolean => rows < FILE_ROWS / 2 && bytes < MOST_BYTES / 2;

/** Runs that fit into a file, in the order of their times. */
function fitting(files: readonly LakeFile[], atLeast: number): (readonly LakeFile[])[] {
  const runs: LakeFile[][] = [];
  let run: LakeFile[] = [];
  let rows = 0;
  let bytes = 0;
  for (const file of files.toSorted((one, other) => (one.least < other.least ? -1 : one.least > other.least ? 1 : 0))) {
    if (rows + file.rows > FILE_ROWS || bytes + file.bytes > MOST_BYTES) {
      runs.push(run);
      run = [];
      rows = bytes = 0;
    }
    run.push(file);
    rows += file.rows;
    bytes += file.bytes;
  }
  return [...runs, run].filter(({ length }) => length >= atLeast);
}

/**
 * Makes one file of several. Every snapshot has the messages once: before the commit in the old files, then in the new one.
 * @returns whether it was done; false: another program was faster
 */
export async function merge(lake: Lake, parts: readonly LakeFile[]): Promise<boolean> {
  const [first] = parts as [LakeFile];
  const table = new MessageTable({ uuids: first.uuids });
  const names = new ColumnNames();
  for (const { path, layout } of parts) {
    names.keep([...layout.columns, ...layout.more]);
    for (const { batch, raw } of TableReader.of(await lake.files.read(path)).parts()) table.add(batch, raw);
  }
  const { bytes, rows, layout, unused } = table.file(`sluicebox ${packageVersion()}`, names);
  const expected = parts.reduce((sum, part) => sum + part.rows, 0);
  if (rows !== expected) throw new Error(`${rows} rows came of ${expected}`);
  const times = parts.flatMap(({ least, most }) => [least, most]).sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  const path = newPath(posix.dirname(first.path));
  const writtenMs = Date.now();
  await lake.files.create(path, bytes);
  const made: LakeFile = {
    ...{ path, type: first.type, rows, bytes: bytes.length, uuids: first.uuids, layout, unused },
    ...{ least: times[0] as bigint, most: times.at(-1) as bigint },
  };
  const replaced = parts.map((part) => part.path);
  try {
    await lake.replace('compact', replaced, { files: [made], writtenMs });
    return true;
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    await lake.files.remove(path);
    return false;
  }
}
