import { appendFileSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Store } from '../../../../engine/lake/store.ts';
import { testMs } from '../../../patience.ts';
import { until } from '../../../until.ts';
import { sluicebox } from '../run-cli.ts';
import { startCommand, type RunningCommand } from '../start-command.ts';

let folder: string;
let store: string;
let logs: string;
let log: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluicebox-follow-'));
  store = join(folder, 'store');
  logs = join(folder, 'logs');
  log = join(logs, 'access.log');
  mkdirSync(logs);
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const line = (number: number): string =>
  `127.0.0.1 - - [10/Feb/2025:10:00:${String(number % 60).padStart(2, '0')} +0000] "GET /${number} HTTP/1.1" 200 12 "-" "curl/8"\n`;
const lines = (from: number, to: number): string => Array.from({ length: to - from }, (_, i) => line(from + i)).join('');

const follow = (...args: string[]): RunningCommand => startCommand(['import', '-q', '--follow', '--store', store, ...args]);

/** Interrupts an import. @returns its exit code */
function end({ child, ended }: RunningCommand): Promise<number | null> {
  child.kill('SIGINT');
  return ended;
}

/** Rows of the store by tables. @throws as long as there is no store */
function rows(): Record<string, number> {
  const counts: Record<string, number> = {};
  using opened = Store.toRead(store);
  for (const { table, rows: more } of opened.manifest.files()) counts[table] = (counts[table] ?? 0) + more;
  return counts;
}

const requests = async (): Promise<string> => {
  const sql = "SELECT string_agg(split_part(request, '/', 2)::VARCHAR, '' ORDER BY request) FROM access";
  return (await sluicebox(['query', '--format', 'csv', '--store', store, sql])).out.split('\n')[1] as string;
};
const all = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, i) => `${from + i} HTTP`)
    .sort()
    .join('');

describe('sluicebox import --follow', { timeout: 5 * testMs() }, () => {
  it('stores whole lines as they come, in files that come, and what a rotated file still got', async () => {
    writeFileSync(log, `${lines(0, 10)}${line(10).slice(0, 30)}`);
    await using following = follow(logs);
    await until(() => rows()['access'] === 10);
    appendFileSync(log, line(10).slice(30));
    await until(() => rows()['access'] === 11);
    writeFileSync(join(logs, 'other.log'), line(0));
    await until(() => rows()['other'] === 1);
    // The last line of the old file has no end.
    appendFileSync(log, `${lines(11, 20)}${line(20).slice(0, -1)}`);
    renameSync(log, join(folder, 'rotated'));
    writeFileSync(log, lines(21, 25));
    await until(() => rows()['access'] === 25);
    expect(await requests()).toBe(all(0, 25));
    expect(await end(following)).toBe(130);
    expect(following.err()).toBe('');
    // An import goes on where it was left.
    appendFileSync(log, lines(25, 27));
    expect(await sluicebox(['import', '-q', '--store', store, log])).toMatchObject({ code: 0, err: '' });
    expect(await requests()).toBe(all(0, 27));
  });

  it('merges small files, which can be asked all the while, and compacts the rest when told to', async () => {
    writeFileSync(log, line(0));
    await using following = follow('--raw', log);
    let count = 1;
    let most = 0;
    for (let entry = 0; entry < 12; entry++) {
      await until(() => rows()['access'] === count);
      appendFileSync(log, line(count++));
      using opened = Store.toRead(store);
      expect(opened.broken).toEqual([]);
      most = Math.max(most, opened.manifest.files().length);
    }
    await until(() => rows()['access'] === count);
    await end(following);
    expect(most).toBeLessThanOrEqual(8);
    expect(readdirSync(join(store, 'files')).length).toBeLessThanOrEqual(8);
    const compacted = await sluicebox(['store', 'compact', '--store', store]);
    expect(compacted.lines()).toMatchObject([{ files: 1 }]);
    expect(await requests()).toBe(all(0, count));
    const raw = await sluicebox(['query', '--format', 'json', '--store', store, 'SELECT RawLine FROM access ORDER BY Timestamp LIMIT 1']);
    expect(raw.lines()).toEqual([{ RawLine: line(0).trimEnd() }]);
    expect((await sluicebox(['store', 'compact', '--store', store])).lines()).toEqual([{ merged: 0, files: 1 }]);
  });

  it('reads a log anew whose records are not lines', async () => {
    const script = join(folder, 'blocks.js');
    writeFileSync(
      script,
      `export const meta = { name: 'blocks', kind: 'decoder', summary: 'x', stateless: true, split: { before: '\\\\[' } };
export function process_message() { inject_message({ Payload: read_message('Payload').trimEnd() }); return 0; }`,
    );
    writeFileSync(log, '[1] a\n[2] b\n');
    await using _following = follow('--decoder', script, log);
    await until(() => rows()['access'] === 2);
    appendFileSync(log, ' of two\n[3] c\n');
    await until(() => rows()['access'] === 3);
    const { out } = await sluicebox([
      'query',
      '--format',
      'csv',
      '--store',
      store,
      'SELECT max(replace(Payload, chr(10), $$|$$)) FROM access WHERE Payload < $$[3$$',
    ]);
    expect(out).toContain('[2] b| of two');
  });

  it('waits for a file that is not there yet, and tells it once', async () => {
    await using following = follow(log, join(logs, 'never.log'));
    await until(() => following.err().includes('never.log'));
    writeFileSync(log, lines(0, 3));
    await until(() => rows()['access'] === 3);
    expect(following.err().match(/never\.log/g)).toHaveLength(1);
  });
});
