import { readdir } from 'node:fs/promises';
import type { Modes } from '../parquet/write-whole.ts';
import { Lake } from './lake.ts';
import type { LakeFiles } from './lake-files.ts';
import { LocalFiles } from './local-files.ts';
import { accessFrom, S3Files, type S3Access } from './s3-files.ts';

/** Place of a lake, in a form that goes to threads. */
export interface LakePlace {
  /** A folder, or `s3://BUCKET/PREFIX`. */
  readonly path: string;
  /** Of files and folders that are made. */
  readonly modes?: Modes | undefined;
  /** Access to a bucket; absent: as the environment says. */
  readonly s3?: S3Access | undefined;
}

export const isInBucket = (path: string): boolean => path.startsWith('s3://');

/** The files of a lake in a place. */
export const filesAt = ({ path, modes, s3 }: LakePlace): LakeFiles =>
  isInBucket(path) ? new S3Files(path, s3 ?? accessFrom(process.env)) : new LocalFiles(path, modes);

/** The lake in a place; null: there is none. */
export async function lakeAt(path: string): Promise<Lake | null> {
  const lake = new Lake(filesAt({ path }));
  return isInBucket(path) || (await lake.exists()) || (await isOldLake(path)) ? lake : null;
}

/** Whether a folder has the files of a `ParquetOutput` without a log, as earlier versions have left them. */
const isOldLake = (path: string): Promise<boolean> =>
  readdir(path).then(
    (names) => names.some((name) => name.startsWith('Type=')),
    () => false,
  );
