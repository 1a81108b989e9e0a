import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { decodeMessage, encodeMessage } from '../../../engine/message/protobuf/protobuf.ts';
import type { Field, Message } from '../../../engine/message/types.ts';
import { partitionOf } from '../../../engine/outputs/parquet-files.ts';
import { testMs } from '../../patience.ts';
import { ParquetWriter, type ParquetWriterOptions } from '../../../engine/outputs/parquet-output.ts';

let folder: string;
let problems: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluicebox-lake-'));
  problems = [];
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const HOUR = 3_600_000_000_000n;
const START = 1_700_002_800n * 1_000_000_000n;

const retries = { delay: 1, max_delay: 5, max_jitter: 0, max_retries: -1 };
const writer = (more: Partial<ParquetWriterOptions> = {}): ParquetWriter =>
  new ParquetWriter({
    place: { path: join(folder, 'lake'), modes: { file: 0o640, folder: 0o750 } },
    upkeep: null,
    flushInterval: 60_000,
    flushCount: 1000,
    uuids: true,
    quietMs: null,
    retries,
    onProblem: (text: string) => problems.push(text),
    ...more,
  });

const message = (type: string | undefined, hours: number, ...fields: Field[]): Uint8Array => {
  const base: Message = { uuid: new Uint8Array(16), timestamp: START + BigInt(hours) * HOUR, fields };
  return encodeMessage(type === undefined ? base : { ...base, type });
};
const number = (name: string, value: bigint): Field => ({ name, valueType: 2, values: [value] });
const text = (name: string, value: string): Field => ({ name, valueType: 0, values: [value] });

const files = (): string[] =>
  existsSync(join(folder, 'lake'))
    ? readdirSync(join(folder, 'lake'), { recursive: true, encoding: 'utf8' }).filter(
        (name) => name.includes('.') && !name.startsWith('_log'),
      )
    : [];
const folders = (): string[] => [...new Set(files().map((name) => name.slice(0, name.lastIndexOf('/'))))].sort();

async function ask(sql: string): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const result = await connection.runAndReadAll(
    `FROM read_parquet('${folder}/lake/**/*.parquet', union_by_name = true, hive_partitioning = true) SELECT ${sql}`,
  );
  const rows = result.getRows();
  connection.closeSync();
  return rows;
}

describe('partitionOf', () => {
  it.each([
    ['nginx.access', 0n, 'Type=nginx.access/Hour=1970-01-01-00'],
    [undefined, -1n, 'Type=__HIVE_DEFAULT_PARTITION__/Hour=1969-12-31-23'],
    ['..', HOUR, 'Type=%2E./Hour=1970-01-01-01'],
    ['../../etc', -HOUR, 'Type=%2E.%2F..%2Fetc/Hour=1969-12-31-23'],
    ['a=b', 2n ** 63n - 1n, 'Type=a%3Db/Hour=2262-04-11-23'],
    ['\ud800\0', -(2n ** 63n), 'Type=%EF%BF%BD%00/Hour=1677-09-21-00'],
  ])('names the folder of %j', (type, time, expected) => expect(partitionOf(type, time)).toBe(expected));

  it('cuts a name that no file system takes', () => {
    expect(partitionOf('ä'.repeat(500), 0n).split('/')[0]?.length).toBeLessThan(210);
  });
});

describe('ParquetWriter', () => {
  it('removes drafts that a crash has left, and none that others may be writing', async () => {
    const partition = join(folder, 'lake', 'Type=a', 'Hour=2023-11-14-23');
    mkdirSync(partition, { recursive: true });
    const draft = (name: string, ageSeconds: number): void => {
      writeFileSync(join(partition, name), 'PAR1');
      const time = Date.now() / 1000 - ageSeconds;
      utimesSync(join(partition, name), time, time);
    };
    draft('.2023-11-14T230000Z-0123456789ab.parquet.part', 7200);
    draft('.2023-11-14T230000Z-0123456789cd.parquet.part', 60);
    draft('.notes.part', 7200);
    // At its start, whether anything comes or not.
    await writer().close();
    expect(readdirSync(partition).filter((name) => name.startsWith('.'))).toEqual([
      '.2023-11-14T230000Z-0123456789cd.parquet.part',
      '.notes.part',
    ]);
  });

  it('leaves whole files alone when it is killed', { timeout: 5 * testMs() }, async () => {
    for (let kill = 1; kill <= 6; kill++) {
      const child = spawn(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'parquet-child.ts'), join(folder, 'lake')],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      let told = '';
      for await (const more of child.stdout.setEncoding('utf8')) {
        told += String(more);
        if (told.split('\n').length > kill) child.kill('SIGKILL');
      }
      const [[rows] = []] = await ask('count(*)');
      expect(Number(rows)).toBeGreaterThanOrEqual((told.split('\n').length - 1) * 20);
      await rm(join(folder, 'lake'), { recursive: true });
    }
  });

  it('writes a file for each type and hour, and acknowledges when all of them are there', async () => {
    const output = writer();
    const done = output.write([
      message('a', 0, number('n', 1n)),
      message('a', 1, number('n', 2n)),
      message('b/c', 0),
      message(undefined, 0),
    ]);
    let acknowledged = false;
    void done.then(() => (acknowledged = true));
    await new Promise(setImmediate);
    expect([acknowledged, files()]).toEqual([false, []]);
    await output.close();
    await done;
    expect(folders()).toEqual([
      'Type=__HIVE_DEFAULT_PARTITION__/Hour=2023-11-14-23',
      'Type=a/Hour=2023-11-14-23',
      'Type=a/Hour=2023-11-15-00',
      'Type=b%2Fc/Hour=2023-11-14-23',
    ]);
    expect(await ask('Type, Hour, n ORDER BY n NULLS LAST, Type LIMIT 2')).toEqual([
      ['a', '2023-11-14-23', 1n],
      ['a', '2023-11-15-00', 2n],
    ]);
    expect(output.figures).toEqual({ WrittenFileCount: 4 });
  });

  it('takes rows of batches as well as messages', async () => {
    const output = writer();
    const sent = [message('a', 0, number('n', 1n)), message('b', 0, number('n', 2n)), message('a', 1), message('a', 0, number('n', 4n))];
    const batch = batchOf(sent.map((bytes) => decodeMessage(bytes)));
    const done = [output.writeBatch(batch, Uint32Array.of(0, 1, 3)), output.writeBatch(batch, null), output.write(sent)];
    await output.close();
    await Promise.all(done);
    const all = [1n, 2n, 4n].map((n) => [n === 2n ? 'b' : 'a', '2023-11-14-23', n, 3n]);
    expect(await ask('Type, Hour, n, count(*) WHERE n IS NOT NULL GROUP BY ALL ORDER BY n')).toEqual(all);
    expect(await ask('count(*)')).toEqual([[11n]]);
  });

  it('writes when it has gathered enough, when the time is up, and when nothing more comes', async () => {
    const full = writer({ flushCount: 2 });
    await Promise.all([full.write([message('a', 0)]), full.write([message('a', 0)])]);
    expect(files().length).toBe(1);
    const timed = writer({ flushInterval: 20 });
    await timed.write([message('a', 0)]);
    const quiet = writer({ quietMs: 20 });
    await quiet.write([message('a', 0)]);
    expect(files().length).toBe(3);
    await Promise.all([full.close(), timed.close(), quiet.close()]);
  });

  it('gathers for longer when nobody waits, until somebody does', async () => {
    const patient = writer({ quietMs: 1 });
    const batch = batchOf([decodeMessage(message('a', 0))]);
    const written = [patient.writeBatch(batch, null, true), patient.writeBatch(batch, null, true)];
    await delay(10);
    expect(files()).toEqual([]);
    patient.hurry();
    await Promise.all(written);
    await Promise.all([patient.writeBatch(batch, null, true), patient.writeBatch(batch, null, false)]);
    await patient.close();
    expect(files().length).toBe(2);
    expect(await ask('count(*)')).toEqual([[4n]]);
  });

  it('keeps the names of columns from file to file', async () => {
    const output = writer({ flushCount: 1 });
    await output.write([message('a', 0, number('status', 200n))]);
    await output.write([message('a', 0, text('status', '-'))]);
    await output.close();
    expect(await ask('status, status_text ORDER BY status')).toEqual([
      [200n, null],
      [null, '-'],
    ]);
  });

  it('tries again until it can write, writes nothing twice, and lets a disk buffer wait meanwhile', async () => {
    mkdirSync(join(folder, 'lake', 'Type=b'), { recursive: true });
    writeFileSync(join(folder, 'lake', 'Type=b', 'Hour=2023-11-14-23'), 'in the way');
    const output = writer({ flushCount: 2 });
    const done = output.write([message('a', 0), message('b', 0)]);
    let room = false;
    void output.room().then(() => (room = true));
    await expect.poll(() => problems).toContainEqual(expect.stringContaining('cannot be written'));
    expect(room).toBe(false);
    rmSync(join(folder, 'lake', 'Type=b', 'Hour=2023-11-14-23'));
    await done;
    await output.close();
    expect(await ask('count(*)')).toEqual([[2n]]);
    expect(files().length).toBe(2);
  });

  it('leaves no draft behind, and acknowledges nothing that it gave up', async () => {
    if (process.getuid?.() === 0) writeFileSync(join(folder, 'lake'), 'a file');
    else chmodSync(folder, 0o500);
    const output = writer({ retries: { ...retries, max_retries: 1 } });
    const done = output.write([message('a', 0)]);
    output.closing();
    await expect(done).rejects.toThrow('given up');
    await output.close();
    chmodSync(folder, 0o700);
  });

  it('reports what is not a message, and goes on', async () => {
    const output = writer();
    const done = output.write(['no message', message('a', 0)]);
    await output.close();
    await done;
    expect(problems).toEqual([expect.stringContaining('a message that is not valid protobuf')]);
    expect(await ask('count(*)')).toEqual([[1n]]);
  });
});
