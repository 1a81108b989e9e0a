import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../../../engine/ask/asker.ts';
import { namedWords } from '../../../../engine/ask/named-words.ts';
import { writeCsv } from '../../../../engine/ask/result-text.ts';
import { ALL, askedTables, columnsOfTables, type StoredTable } from '../../../../engine/ask/tables.ts';
import { tableName } from '../../../../engine/ask/table-names.ts';
import { FileStore } from '../../../../engine/cli/query/file-store.ts';
import { Store } from '../../../../engine/lake/store.ts';
import { storedMessages } from '../../../../engine/lake/stored-messages.ts';
import type { MessageBatch } from '../../../../engine/message/batch/batch.ts';
import { testMs } from '../../../patience.ts';
import { sluicebox } from '../run-cli.ts';

const samples = resolve(import.meta.dirname, '../../../../resources/samples');
const NAMES = ['access', 'syslog', 'syslog_5424'];

let folder: string;
const batches = new Map<string, MessageBatch[]>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluicebox-columns-'));
  await sluicebox(['import', '-q', '--store', join(folder, 'store'), samples]);
  using store = Store.toRead(join(folder, 'store'));
  for (const name of NAMES) {
    const list: MessageBatch[] = [];
    for await (const batch of storedMessages(store, { from: null, to: null, tables: new Set([name]) })) list.push(batch);
    batches.set(name, list);
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

let stores = 0;

async function tables(words: ReadonlySet<string> | null): Promise<StoredTable[]> {
  const place = join(folder, `files-${stores++}`);
  await mkdir(place);
  const store = new FileStore(place, words);
  for (const [name, list] of batches) for (const batch of list) await store.add(name, batch);
  return store.end();
}

async function answer(stored: readonly StoredTable[], sql: string): Promise<string> {
  let text = '';
  const out = { add: (more: string) => void (text += more), room: () => Promise.resolve() };
  const files = stored.flatMap((table) => table.files.map(({ path }) => path));
  const question = { tables: askedTables(stored), files, spill: join(folder, 'spill'), memoryMib: 512, sql };
  await ask(question, new AbortController().signal, (result) => writeCsv(result, out));
  return text;
}

describe('a query that names its columns', { timeout: 5 * testMs() }, () => {
  it('is answered alike whether the others are there or not, for every column of all samples', async () => {
    const whole = await tables(null);
    expect(whole.map(({ name }) => name)).toEqual(NAMES.map((name) => tableName(`${name}.log`)));
    for (const [table, columns] of columnsOfTables(whole)) {
      const names = columns.map(({ name }) => `"${name}"`);
      const half = names.filter((_, i) => i % 2 === 0);
      const [first = '', second = first] = half;
      const queries = [
        `SELECT ${half.join(', ')} FROM ${table} ORDER BY ALL`,
        `SELECT ${names.filter((_, i) => i % 2 === 1).join(', ')} FROM ${table} t ORDER BY ALL`,
        `SELECT count(*), count(${first}) AS n FROM ${table} WHERE ${second} IS NOT NULL`,
      ];
      for (const sql of queries) {
        const words = namedWords(sql, [ALL, ...NAMES]);
        expect(words).not.toBe(null);
        const few = await tables(words);
        expect(columnsOfTables(few)).toEqual(columnsOfTables(whole));
        expect(await answer(few, sql)).toBe(await answer(whole, sql));
      }
    }
  });
});
