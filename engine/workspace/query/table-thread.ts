/** The thread that writes records as Parquet files: decoding and writing them takes a microsecond each, which the engine's own thread does not have. */
import { writeFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../base/errors.ts';
import { takeRows } from '../../message/batch/gather.ts';
import { decodeBatch } from '../../message/batch/wire.ts';
import { ColumnNames } from '../../parquet/column-names.ts';
import { MessageTable } from '../../parquet/message-table.ts';
import { withoutRaw } from '../../store/segment.ts';
import type { FromTables, ToTables } from './table-protocol.ts';

/** Names of columns by tables, so that a field has the same name in all files of a table. */
const names = new Map<string, ColumnNames>();
let open = newTable();

function newTable(): MessageTable {
  return new MessageTable({ uuids: false });
}

function answer(message: ToTables): FromTables {
  if (message.kind === 'add') {
    const { bytes, rows } = message;
    const batch = withoutRaw(decodeBatch(bytes));
    open.add(rows.length === batch.length ? batch : takeRows(batch, rows));
    return { kind: 'added', heldBytes: open.bytes };
  }
  const table = open;
  open = newTable();
  const known = names.get(message.table) ?? new ColumnNames();
  names.set(message.table, known);
  const { path } = message;
  const { bytes, rows, layout, unused } = table.file('sluicebox', known);
  writeFileSync(path, bytes, { mode: 0o600, flag: 'wx' });
  return { kind: 'written', file: { path, rows, bytes: bytes.length, layout, unused } };
}

parentPort?.on('message', (message: ToTables) => {
  let reply: FromTables;
  try {
    reply = answer(message);
  } catch (error) {
    open = newTable();
    reply = { kind: 'failed', text: messageOf(error) };
  }
  parentPort?.postMessage(reply);
});
