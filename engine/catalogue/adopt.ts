import { COLUMN_ORDER } from '../api/headers.ts';
import { textAt } from '../message/batch/batch.ts';
import { ParquetError } from '../parquet/read/byte-reader.ts';
import { TableReader } from '../parquet/read/table-reader.ts';
import type { LakeFile } from './commit.ts';
import type { LakeFiles } from './lake-files.ts';

/** Whether a path may be that of a lake's file. */
const isVisible = (path: string): boolean => path.endsWith('.parquet') && !path.split('/').some((part) => /^[._]/.test(part));

/** The files in a folder that have messages; others have been written by other programs. @param isWanted whether to look at the file of a path */
export async function adoptable(files: LakeFiles, isWanted: (path: string) => boolean = () => true): Promise<LakeFile[]> {
  const found: LakeFile[] = [];
  for (const path of (await files.list('')).filter((each) => isVisible(each) && isWanted(each)).sort()) {
    const file = described(path, await files.read(path));
    if (file !== null) found.push(file);
  }
  return found;
}

/** null: it has no messages of ours. */
function described(path: string, bytes: Buffer): LakeFile | null {
  try {
    const reader = TableReader.of(bytes);
    let least = 2n ** 63n - 1n;
    let most = -(2n ** 63n);
    let type: string | null = null;
    const used = new Set<string>();
    for (const batch of reader.batches()) {
      for (const time of batch.timestamps) {
        if (time < least) least = time;
        if (time > most) most = time;
      }
      type ??= textAt(batch.type, 0) ?? null;
      for (const { name, member } of COLUMN_ORDER) if (batch[member] !== null) used.add(name);
    }
    if (reader.rows === 0) return null;
    const unused = COLUMN_ORDER.map(({ name }) => name).filter((name) => !used.has(name));
    return { path, type, rows: reader.rows, bytes: bytes.length, least, most, uuids: reader.hasUuids, layout: reader.layout, unused };
  } catch (error) {
    if (error instanceof ParquetError) return null;
    throw error;
  }
}
