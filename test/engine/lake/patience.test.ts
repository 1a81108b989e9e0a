/** A list that another process keeps locked. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Manifest, MANIFEST } from '../../../engine/lake/manifest.ts';
import { withoutWaiting } from '../../../engine/lake/patience.ts';
import { Store } from '../../../engine/lake/store.ts';
import { storedPlaces, storedTableAt } from '../../../engine/workspace/sources/stored-table.ts';
import { slowness } from '../../patience.ts';

const HOLD = `
const { DatabaseSync } = require('node:sqlite');
const database = new DatabaseSync(process.argv[1]);
database.exec('BEGIN EXCLUSIVE');
process.stdout.write('held');
process.stdin.on('data', () => { database.exec('COMMIT'); process.exit(); });
`;

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-patience-'));
const store = join(folder, 'store');
let holder: ChildProcess;

beforeAll(async () => {
  (await Store.toWrite(store, { create: true }))[Symbol.dispose]();
  holder = spawn(process.execPath, ['-e', HOLD, join(store, MANIFEST)], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(holder.stdout as NodeJS.ReadableStream, 'data');
});
afterAll(() => {
  holder.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

const filesOf = (patienceMs: number): number => {
  using manifest = Manifest.open(store, { create: false, patienceMs });
  return manifest.files().length;
};

it('holds up nothing, and is told with the process that keeps it locked when the time is over', async () => {
  let longest = 0;
  let last = performance.now();
  const beats = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  const begun = performance.now();
  await expect(withoutWaiting(filesOf, 700)).rejects.toMatchObject({
    code: 'store.unreadable',
    message: expect.stringContaining(process.platform === 'linux' ? `process ${holder.pid} (` : 'another process') as string,
  });
  const took = performance.now() - begun;
  clearInterval(beats);
  expect(took).toBeGreaterThanOrEqual(700);
  expect(took).toBeLessThan(3000 * slowness());
  expect(longest).toBeLessThan(300 * slowness());
});

it('is read as soon as it is let go, by all that ask for it', async () => {
  const asked = [storedPlaces(store), storedTableAt(join(store, 'access')), withoutWaiting(filesOf)] as const;
  holder.stdin?.write('now');
  expect(await Promise.all(asked)).toEqual([[], null, 0]);
});
