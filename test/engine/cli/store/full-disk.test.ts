/** A store and a query when files cannot become larger, as on a full disk. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testMs } from '../../../patience.ts';
import { cliMain, sluicebox } from '../run-cli.ts';
import { storedLines } from './stored-lines.ts';

let folder: string;
let log: string;
let store: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluicebox-full-'));
  log = join(folder, 'app.log');
  store = join(folder, 'store');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly err: string;
}

/** Runs a file in a process that writes no file larger than so many KiB. */
async function limited(kib: number | null, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const limit = kib === null ? '' : `ulimit -f ${kib}; `;
  const child = spawn('bash', ['-c', `${limit}exec "$0" "$@"`, process.execPath, '--disable-warning=ExperimentalWarning', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const code = await new Promise<number | null>((done) => child.on('close', done));
  return { code, err };
}

/** Lines that do not become smaller. */
const noise = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i} ${randomBytes(60).toString('base64')}`);

describe.skipIf(process.platform === 'win32')('a full disk', { timeout: 2 * testMs() }, () => {
  it('leaves the files that were to be merged', async () => {
    const lines = noise(2000);
    writeFileSync(log, lines.map((line) => `${line}\n`).join(''));
    expect(await limited(null, [resolve(import.meta.dirname, 'import-child.ts'), store, log, 'byLines'])).toMatchObject({ code: 0 });
    const files = readdirSync(join(store, 'files')).sort();
    expect(files.length).toBeGreaterThan(30);
    const failed = await limited(64, [cliMain, 'store', 'compact', '--store', store]);
    expect(failed).toMatchObject({ code: 1, err: expect.stringContaining('cannot be written (EFBIG') as string });
    expect(readdirSync(join(store, 'files')).sort()).toEqual(files);
    expect(await storedLines(store)).toEqual([...lines].sort());
    expect((await sluicebox(['store', 'compact', '--store', store])).code).toBe(0);
    expect(readdirSync(join(store, 'files')).length).toBeLessThan(3);
    expect(await storedLines(store)).toEqual([...lines].sort());
  });

  it('is told once by a query, with the folder, and nothing is left there', async () => {
    const temporary = join(folder, 'temporary');
    mkdirSync(temporary);
    const line = (text: string): string => `time=2026-11-20T10:00:00Z level=info msg="${text}"\n`;
    for (const name of ['one.log', 'two.log']) writeFileSync(join(folder, name), noise(3000).map(line).join(''));
    const sql = 'SELECT max(Payload) FROM messages';
    const { code, err } = await limited(64, [cliMain, 'query', '-q', join(folder, 'one.log'), join(folder, 'two.log'), sql], {
      TMPDIR: temporary,
    });
    expect(code).toBe(2);
    expect(err.trimEnd().split('\n')).toEqual([expect.stringMatching(/^sluicebox: \S+\/temporary\/\S+ cannot be written \(EFBIG.*TMPDIR/)]);
    expect(readdirSync(temporary)).toEqual([]);
  });
});
