import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../random.ts';
import { recordText } from '../tally.ts';
import type { Fault, FaultOptions, FaultResult } from './fault.ts';

const MAIN = join(import.meta.dirname, '../../../engine/cli/main.ts');
const RECORDS = 60_000;
const NODE = ['--disable-warning=ExperimentalWarning', MAIN];

/** Runs a command. @param killAfter milliseconds; absent: it ends by itself */
async function command(
  folder: string,
  args: readonly string[],
  killAfter?: number,
): Promise<{ out: string; err: string; killed: boolean }> {
  const child = spawn(process.execPath, [...NODE, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const closed = new Promise<void>((done) => child.once('close', () => done()));
  if (killAfter !== undefined) void delay(killAfter).then(() => child.kill('SIGKILL'));
  await closed;
  return { out, err, killed: child.signalCode === 'SIGKILL' };
}

async function withStore(work: (folder: string) => Promise<FaultResult>): Promise<FaultResult> {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-stores-'));
  try {
    const lines = Array.from(
      { length: RECORDS },
      (_, i) => `2026-11-29T10:00:${String(i % 60).padStart(2, '0')}Z ${recordText('log', i)}\n`,
    );
    writeFileSync(join(folder, 'app.log'), lines.join(''));
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const importLog = (folder: string, killAfter?: number): ReturnType<typeof command> =>
  command(folder, ['import', '--store', 'store', 'app.log'], killAfter);

/** Records and distinct records of the store. */
async function counts(folder: string): Promise<{ all: number; distinct: number; err: string }> {
  const sql = 'SELECT count(*), count(DISTINCT Payload) FROM messages';
  const { out, err } = await command(folder, ['query', '--store', 'store', '--format', 'csv', sql]);
  const [all = NaN, distinct = NaN] = (out.trim().split('\n').at(-1) ?? '').split(',').map(Number);
  return { all, distinct, err };
}

/** Time that an import of the log takes here, without a kill. */
async function importMs(folder: string): Promise<number> {
  const begun = performance.now();
  await importLog(folder);
  rmSync(join(folder, 'store'), { recursive: true });
  return performance.now() - begun;
}

export const stores: readonly Fault[] = [
  {
    name: 'kill -9 of an import, which is begun again',
    promise: 'once',
    run: ({ seed, length }) =>
      withStore(async (folder) => {
        const ms = await importMs(folder);
        const random = new Random(seed);
        let tried = 0;
        for (let i = 0; i < 4 * length; i++) if ((await importLog(folder, random.between(ms * 0.4, ms))).killed) tried++;
        await importLog(folder);
        const { all, err } = await counts(folder);
        return { tried, lost: Math.max(0, RECORDS - all), repeated: Math.max(0, all - RECORDS), late: 0, said: err };
      }),
  },
  {
    name: 'kill -9 of a query with a group by: the store stays whole, and nothing of it is left',
    promise: 'once',
    run: ({ seed, length }: FaultOptions) =>
      withStore(async (folder) => {
        await importLog(folder);
        const before = readdirSync(folder).sort().join();
        const random = new Random(seed);
        let tried = 0;
        for (let i = 0; i < 3 * length; i++) {
          const sql = 'SELECT Payload, count(*) FROM messages, range(40) GROUP BY 1 ORDER BY 2';
          const { killed } = await command(folder, ['query', '--store', 'store', sql], random.between(500, 1500));
          if (killed) tried++;
        }
        const { all, err } = await counts(folder);
        const left = readdirSync(folder).sort().join() === before ? 0 : 1;
        return { tried, lost: Math.abs(RECORDS - all), repeated: left, late: 0, said: err };
      }),
  },
  {
    name: 'hostile Parquet in a store: pages that lie about their sizes, in one file',
    promise: 'told',
    run: ({ seed, length }) =>
      withStore(async (folder) => {
        await importLog(folder);
        const files = join(folder, 'store', 'files');
        const name = readdirSync(files).find((file) => file.endsWith('.parquet')) as string;
        const whole = readFileSync(join(files, name));
        const random = new Random(seed);
        let [tried, lost, told] = [0, 0, 0];
        for (let i = 0; i < 5 * length; i++) {
          const bytes = Buffer.from(whole);
          for (let flips = 0; flips < 20; flips++)
            bytes[Math.floor(random.between(4, bytes.length - 12))] = Math.floor(random.between(0, 256));
          writeFileSync(join(files, name), bytes);
          const sql = 'SELECT count(*), count(DISTINCT Payload) FROM messages';
          const run = spawnSync(process.execPath, [...NODE, 'query', '--store', 'store', '--format', 'csv', sql], {
            cwd: folder,
            encoding: 'utf8',
            timeout: 120_000,
          });
          tried++;
          const isWhole = run.stdout.trim().endsWith(`${RECORDS},${RECORDS}`);
          if (!isWhole && run.stderr.trim() === '') lost++;
          else if (!isWhole) told++;
        }
        writeFileSync(join(files, name), whole);
        return { tried, lost, repeated: 0, late: 0, note: `${told} told, ${tried - told - lost} read whole` };
      }),
  },
];
