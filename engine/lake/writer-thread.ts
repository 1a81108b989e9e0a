/** The thread that makes Parquet files of batches and writes them. */
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { readRegularFile } from '../base/files/regular-file.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import type { TextColumn } from '../message/batch/columns.ts';
import { decodeBatch } from '../message/batch/wire.ts';
import { ColumnNames } from '../parquet/column-names.ts';
import { MessageTable } from '../parquet/message-table.ts';
import { TableReader } from '../parquet/read/table-reader.ts';
import { writeWhole } from '../parquet/write-whole.ts';
import { Serial } from '../base/time/serial.ts';
import { unwritable } from '../base/files/unwritable.ts';
import { packageVersion } from '../base/product/version.ts';
import { endCrcOf, MOST_FILE_BYTES } from './file-end.ts';
import type { ManifestFile } from './manifest.ts';
import { FILE_ROWS, type FromWriter, type ToWriter } from './protocol.ts';

/** Bytes in memory from which a file is written though it has few rows. */
const FILE_BYTES = 64 << 20;

const folder = workerData as string;
const work = new Serial();
let names = new ColumnNames();
let written: ManifestFile[] = [];

/** Rows that are not written yet. */
class OpenFile {
  readonly table = new MessageTable({ uuids: false });
  least = 2n ** 63n - 1n;
  most = -(2n ** 63n);

  add(batch: MessageBatch, raw: TextColumn | null): void {
    this.table.add(batch, raw);
    for (const time of batch.timestamps) {
      if (time < this.least) this.least = time;
      if (time > this.most) this.most = time;
    }
  }
}

let open = new OpenFile();

async function write(): Promise<void> {
  const { table, least, most } = open;
  open = new OpenFile();
  if (table.rows === 0) return;
  const { bytes, rows, layout, unused } = table.file(`sluicebox ${packageVersion()}`, names);
  const path = await writeWhole(folder, bytes, { file: 0o600, folder: 0o700 }).catch((error: unknown) => {
    throw new Error(unwritable(folder, error), { cause: error });
  });
  written.push({ name: basename(path), rows, bytes: bytes.length, endCrc: endCrcOf(bytes), least, most, layout, unused });
}

async function seal(): Promise<FromWriter> {
  await write();
  const files = written;
  written = [];
  return { kind: 'sealed', files };
}

async function drop(): Promise<void> {
  open = new OpenFile();
  for (const { name } of written.splice(0)) await rm(join(folder, name), { force: true });
}

async function answer(message: ToWriter): Promise<FromWriter> {
  switch (message.kind) {
    case 'begin':
      await drop();
      names = new ColumnNames();
      names.keep(message.names);
      return { kind: 'done' };
    case 'add':
      open.add(decodeBatch(message.batch), message.raw === null ? null : decodeBatch(message.raw).payload);
      if (open.table.rows >= FILE_ROWS || open.table.bytes >= FILE_BYTES) await write();
      return { kind: 'done' };
    case 'seal':
      return seal();
    case 'merge':
      for (const name of message.files) {
        const { bytes: file } = await readRegularFile(join(folder, name), MOST_FILE_BYTES);
        for (const { batch, raw } of TableReader.of(file).parts()) open.add(batch, raw);
      }
      return seal();
    case 'drop':
      await drop();
      return { kind: 'done' };
  }
}

parentPort?.on('message', (message: ToWriter) => {
  void work.run(async () => {
    const result = await answer(message).catch((error: unknown): FromWriter => ({
      kind: 'failed',
      text: error instanceof Error ? error.message : String(error),
    }));
    parentPort?.postMessage(result);
  });
});
