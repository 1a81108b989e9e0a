import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Store } from '../../../../engine/lake/store.ts';
import { testMs } from '../../../patience.ts';
import { storedLines } from './stored-lines.ts';

const CHILD = resolve(import.meta.dirname, 'import-child.ts');
/** `SLUICEBOX_KILLS=50` kills so often, of each kind. */
const asked = Number(process.env.SLUICEBOX_KILLS ?? 0);
const KILLS = asked || 16;
const KILLS_WHOLE = asked || 8;
const KILLS_FOLLOWED = asked || 5;

let folder: string;
let log: string;
let store: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluicebox-kills-'));
  log = join(folder, 'app.log');
  store = join(folder, 'store');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** Random numbers in [0, 1) that are the same in each run. */
function randoms(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48271) % 0x7fff_ffff) / 0x7fff_ffff;
}

/** Imports the log. @param kill how many entries it is left, and so many milliseconds more; null: it may end @returns bytes of the log that were entered */
async function runImport(mode: string, kill: { readonly entries: number; readonly ms: number } | null): Promise<number> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', CHILD, store, log, mode], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = new Promise<void>((done) => child.on('close', () => done()));
  let entered = 0;
  let entries = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('entered ')) throw new Error(line);
    entered = Number(line.slice(8));
    if (kill === null || ++entries !== kill.entries) continue;
    void delay(kill.ms).then(() => child.kill('SIGKILL'));
  }
  await closed;
  return entered;
}

const lineOf = (number: number): string => `line ${String(number).padStart(6, '0')}`;

describe('a store whose writer is killed', { timeout: 10 * testMs() }, () => {
  it('has all that was entered of a log that grows, each line once', async () => {
    const random = randoms(1);
    const lines: string[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const more = Array.from({ length: 150 + Math.floor(random() * 300) }, (_, i) => lineOf(lines.length + i));
      lines.push(...more);
      appendFileSync(log, more.map((line) => `${line}\n`).join(''));
      const entered = await runImport('byLines', { entries: 1 + Math.floor(random() * 6), ms: Math.floor(random() * 8) });
      const stored = await storedLines(store);
      expect(stored).toEqual(lines.slice(0, stored.length));
      expect(stored.length * 12).toBeGreaterThanOrEqual(entered);
    }
    await runImport('byLines', null);
    expect(await storedLines(store)).toEqual(lines);
    expect(await unlisted()).toEqual([]);
  });

  it('has a log that is read anew as it was or as it is', async () => {
    const random = randoms(2);
    let before: string[] = [];
    for (let kill = 0; kill < KILLS_WHOLE; kill++) {
      const lines = Array.from({ length: 400 + kill * 50 }, (_, i) => lineOf(i));
      writeFileSync(log, lines.map((line) => `${line}\n`).join(''));
      // Its only entry comes at the end: it is killed before, at some time, or after.
      if (random() < 0.5) await runImport('whole', { entries: 1, ms: 0 });
      else {
        const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', CHILD, store, log, 'whole'], { stdio: 'ignore' });
        const closed = new Promise((done) => child.on('close', done));
        await delay(100 + random() * 250);
        child.kill('SIGKILL');
        await closed;
      }
      const stored = existsSync(join(store, 'manifest.sqlite')) ? await storedLines(store).catch(neverMade) : [];
      expect([before, lines]).toContainEqual(stored);
      before = stored;
    }
    await runImport('whole', null);
    expect((await storedLines(store)).length).toBe(400 + (KILLS_WHOLE - 1) * 50);
    expect(await unlisted()).toEqual([]);
  });

  it('has all that was entered of a log that is followed, each line once, while its files are merged and after', async () => {
    const random = randoms(3);
    let written = 0;
    let merges = 0;
    for (let kill = 0; kill < KILLS_FOLLOWED; kill++) {
      const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', CHILD, store, log, 'follow'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const closed = new Promise<void>((done) => child.on('close', () => done()));
      const more = (): void =>
        appendFileSync(log, Array.from({ length: 1 + Math.floor(random() * 9) }, () => `${lineOf(written++)}\n`).join(''));
      // At an entry or a merge, or some time after it: the merge that may follow, and the removal of files.
      const kills = { events: 2 + Math.floor(random() * 24), ms: Math.floor(random() * 12) };
      let entered = 0;
      let events = 0;
      let reading: Promise<void> | null = null;
      more();
      for await (const line of createInterface({ input: child.stdout })) {
        if (line.startsWith('entered ')) entered = Number(line.slice(8));
        else if (line.startsWith('merged ')) merges++;
        else throw new Error(line);
        more();
        reading ??= storedLines(store).then((stored) => {
          expect(stored).toEqual(stored.map((_, i) => lineOf(i)));
          reading = null;
        });
        if (++events === kills.events) void delay(kills.ms).then(() => child.kill('SIGKILL'));
      }
      await closed;
      await reading;
      const stored = await storedLines(store);
      expect(stored).toEqual(stored.map((_, i) => lineOf(i)));
      expect(stored.length * 12).toBeGreaterThanOrEqual(entered);
    }
    expect(merges).toBeGreaterThan(0);
    await runImport('byLines', null);
    expect(await storedLines(store)).toEqual(Array.from({ length: written }, (_, i) => lineOf(i)));
    expect(await unlisted()).toEqual([]);
  });

  /** Files that are not in the list once the store was opened to be written. */
  async function unlisted(): Promise<string[]> {
    using opened = await Store.toWrite(store, { create: false });
    const listed = new Set(opened.manifest.files().map(({ name }) => name));
    return readdirSync(opened.filesFolder).filter((name) => !listed.has(name));
  }
});

/** A store that was killed before its list had any tables. */
function neverMade(error: unknown): string[] {
  if (error instanceof Error && 'code' in error && error.code === 'store.missing') return [];
  throw error;
}
