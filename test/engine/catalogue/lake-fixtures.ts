import { batchOf } from '../../../engine/message/batch/builder.ts';
import type { Field, Message } from '../../../engine/message/types.ts';
import type { Lake } from '../../../engine/catalogue/lake.ts';
import { LakeWriter, type NewFile } from '../../../engine/catalogue/lake-writer.ts';
import type { LakeFiles } from '../../../engine/catalogue/lake-files.ts';
import type { LakeFile, Snapshot } from '../../../engine/catalogue/commit.ts';
import { ColumnNames } from '../../../engine/parquet/column-names.ts';
import { MessageTable } from '../../../engine/parquet/message-table.ts';
import { TableReader } from '../../../engine/parquet/read/table-reader.ts';

export const FOLDER = 'Type=a/Hour=2026-11-01-00';

/** A file of messages whose Payloads are texts, from a time on. */
export function fileOf(
  texts: readonly string[],
  { time = 0n, fields = [], folder = FOLDER }: { time?: bigint; fields?: Field[]; folder?: string } = {},
): NewFile {
  const messages = texts.map((payload, i): Message => ({
    uuid: new Uint8Array(16),
    type: 'a',
    timestamp: time + BigInt(i),
    payload,
    fields,
  }));
  const table = new MessageTable({ uuids: true });
  table.add(batchOf(messages));
  const { bytes, rows, layout, unused } = table.file('test', new ColumnNames());
  const most = time + BigInt(texts.length - 1);
  return { folder, bytes, entry: { type: 'a', rows, least: time, most, uuids: true, layout, unused } };
}

export const add = (lake: Lake, ...files: NewFile[]): Promise<void> => new LakeWriter(lake).step(files)();

/** The Payloads of all that a snapshot has, as its files have them. */
export async function payloads(files: LakeFiles, snapshot: Snapshot): Promise<string[]> {
  const found: string[] = [];
  for (const { path, rows } of snapshot.files.values()) {
    const before = found.length;
    for (const batch of TableReader.of(await files.read(path)).batches())
      for (let row = 0; row < batch.length; row++) found.push(batch.message(row).payload ?? '');
    if (found.length - before !== rows) throw new Error(`${path} has other rows than the log says`);
  }
  return found.sort();
}

/** Entry of a file in a log. @param most in milliseconds */
export const entry = (path: string, rows: number, most = 0): LakeFile => ({
  ...{ path, type: 'a', rows, bytes: 10, least: BigInt(most), most: BigInt(most) * 1_000_000n, uuids: true },
  ...{ layout: { layout: 1, columns: [], more: [] }, unused: [] },
});
export const snapshotOf = (...entries: LakeFile[]): Snapshot => ({
  ...{ number: 1, files: new Map(entries.map((file) => [file.path, file])), removed: new Map() },
});
