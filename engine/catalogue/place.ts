import { readdir } from 'node:fs/promises';
import type { Modes } from '../parquet/write-whole.ts';
import { Lake } from './lake.ts';
import type { LakeFiles } from './lake-files.ts';
import { LocalFiles } from './local-files.ts';

/** Where a lake is, in a form that goes to threads. */
export interface LakePlace {
  /** A folder. */
  readonly path: string;
  readonly modes?: Modes | undefined;
}

/** The files of a lake in a place. */
export const filesAt = ({ path, modes }: LakePlace): LakeFiles => new LocalFiles(path, modes);

/** The lake in a place; null: there is none. */
export async function lakeAt(path: string): Promise<Lake | null> {
  const lake = new Lake(filesAt({ path }));
  return (await lake.exists()) || (await isOldLake(path)) ? lake : null;
}

/** Whether a folder has the files of a `ParquetOutput` without a log, as earlier versions have left them. */
const isOldLake = (path: string): Promise<boolean> =>
  readdir(path).then(
    (names) => names.some((name) => name.startsWith('Type=')),
    () => false,
  );
