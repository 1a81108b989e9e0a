import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { Lake } from '../../../engine/catalogue/lake.ts';
import { filesAt } from '../../../engine/catalogue/place.ts';
import { clean, compact, expire } from '../../../engine/catalogue/maintain.ts';
import { until } from '../../until.ts';
import { Random } from '../random.ts';
import { nowMs, OLD_MS, type Seen } from './roles.ts';

export interface LakeSoakOptions {
  readonly seconds: number;
  readonly seed: number;
  readonly graceMs: number;
  readonly onProgress?: (text: string) => void;
}

export interface LakeSoakResult {
  readonly kills: number;
  /** Ranges that were acknowledged, and those that a kill has cut off. */
  readonly acknowledged: number;
  readonly cut: number;
  /** Answers, and those that came after the grace time. */
  readonly answers: number;
  readonly late: number;
  readonly commits: number;
  /** Parquet files: most of a snapshot, most on the disk, and those at the end when all was put together and cleaned. */
  readonly mostFiles: number;
  readonly mostOnDisk: number;
  readonly lastOnDisk: number;
  readonly lastInLog: number;
  readonly problems: readonly string[];
}

const WRITERS = ['one', 'two'];
const READERS = 4;

interface Range {
  readonly begunMs: number;
  acknowledgedMs: number;
}

/** Four readers, two writers and two that look after the lake; writers and those are killed again and again. */
export async function lakeSoak(options: LakeSoakOptions): Promise<LakeSoakResult> {
  const folder = await mkdtemp(join(tmpdir(), 'sluicebox-lake-soak-'));
  const run = new LakeSoak(folder, options);
  try {
    return await run.run();
  } finally {
    await run.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

class LakeSoak {
  readonly #folder: string;
  readonly #options: LakeSoakOptions;
  readonly #random: Random;
  readonly #ranges = new Map<string, Range[]>(WRITERS.map((name) => [name, []]));
  readonly #problems: string[] = [];
  readonly #children = new Map<string, ChildProcess>();
  readonly #files = { most: 0, onDisk: 0 };
  #answers = 0;
  #late = 0;
  #kills = 0;
  #isClosed = false;

  constructor(folder: string, options: LakeSoakOptions) {
    this.#folder = folder;
    this.#options = options;
    this.#random = new Random(options.seed);
  }

  get #place(): string {
    return join(this.#folder, 'lake');
  }

  async run(): Promise<LakeSoakResult> {
    const { seconds, onProgress } = this.#options;
    for (const name of WRITERS) this.#startWriter(name);
    for (let i = 0; i < READERS; i++) this.#startReader(`reader ${i}`);
    for (let i = 0; i < 2; i++) this.#startUpkeep(`upkeep ${i}`);
    await until(
      () => this.#answers >= READERS,
      'the first answers',
      () => 60_000,
    );
    const end = nowMs() + seconds * 1000;
    while (nowMs() < end && this.#problems.length === 0) {
      await delay(this.#random.between(500, 3000));
      await this.#killOne();
      await this.#count();
      onProgress?.(`${this.#kills} kills, ${this.#answers} answers`);
    }
    for (const name of [...WRITERS, 'upkeep 0', 'upkeep 1']) await this.#kill(name);
    const before = this.#answers;
    await until(
      () => this.#answers >= before + 2 * READERS || this.#problems.length > 0,
      'the last answers',
      () => 60_000,
    );
    const lake = new Lake(filesAt({ path: this.#place }), { graceMs: 0 });
    const commits = (await lake.snapshot()).number;
    await this.#settle(lake);
    const last = await lake.snapshot();
    const types = new Set([...last.files.values()].map(({ type }) => type));
    if (types.has('old')) this.#problems.push('messages that are too old are left');
    const all = [...this.#ranges.values()].flat();
    const acknowledged = all.filter(({ acknowledgedMs }) => acknowledgedMs !== Infinity).length;
    return {
      ...{ kills: this.#kills, acknowledged, cut: all.length - acknowledged, answers: this.#answers, late: this.#late, commits },
      ...{ mostFiles: this.#files.most, mostOnDisk: this.#files.onDisk, lastOnDisk: await this.#count(), problems: this.#problems },
      lastInLog: (await readdir(join(this.#place, '_log'))).length,
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const name of [...this.#children.keys()]) await this.#kill(name);
  }

  /** Puts all together and removes the rest, when nobody reads any more. */
  async #settle(lake: Lake): Promise<void> {
    for (let i = 0; i < READERS; i++) await this.#kill(`reader ${i}`);
    await expire(lake, { ageMs: OLD_MS, bytes: null });
    await compact(lake, true);
    for (let step = 0; step < 3; step++) await clean(lake, 0);
  }

  async #killOne(): Promise<void> {
    const names = [...WRITERS, 'upkeep 0', 'upkeep 1'];
    const name = names[Math.floor(this.#random.next() * names.length)] ?? '';
    if (!this.#children.has(name)) this.#problems.push(`${name} has ended by itself`);
    await this.#kill(name);
    this.#kills++;
    if (WRITERS.includes(name)) this.#startWriter(name);
    else this.#startUpkeep(name);
  }

  async #kill(name: string): Promise<void> {
    const child = this.#children.get(name);
    this.#children.delete(name);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  }

  #start(name: string, file: string, args: readonly string[], heard: (line: string) => void): void {
    const script = join(import.meta.dirname, file);
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#children.set(name, child);
    createInterface({ input: child.stdout }).on('line', heard);
    let said = '';
    child.stderr.on('data', (text) => (said = (said + String(text)).slice(-2000)));
    child.once('close', (code) => {
      if (code !== null && !this.#isClosed) this.#problems.push(`${name} has ended with ${code}: ${said}`);
    });
  }

  #startUpkeep(name: string): void {
    this.#start(name, 'upkeep.ts', [this.#place, String(this.#options.graceMs)], () => undefined);
  }

  #startWriter(name: string): void {
    const ranges = this.#ranges.get(name) as Range[];
    this.#start(name, 'writer.ts', [this.#place, name, String(ranges.length)], (line) => {
      const { begun, acknowledged } = JSON.parse(line) as { begun?: number; acknowledged?: number };
      if (begun !== undefined) ranges[begun] = { begunMs: nowMs(), acknowledgedMs: Infinity };
      else if (acknowledged !== undefined) (ranges[acknowledged] as Range).acknowledgedMs = nowMs();
    });
  }

  #startReader(name: string): void {
    this.#start(name, 'reader.ts', [this.#place, join(this.#folder, 'spill')], (line) => this.#check(JSON.parse(line) as Seen));
  }

  /** All that was acknowledged before the reader began is there, and each range that is there is whole. */
  #check({ begunMs, ranges, wrong, files, late }: Seen): void {
    this.#answers++;
    this.#files.most = Math.max(this.#files.most, files);
    if (late) {
      this.#late++;
      return;
    }
    this.#problems.push(...wrong.slice(0, 5));
    for (const [name, written] of this.#ranges) {
      const seen = new Set(ranges[name]);
      for (const [number, { acknowledgedMs }] of written.entries())
        if (acknowledgedMs < begunMs && !seen.has(number)) this.#problems.push(`range ${number} of ${name} is lost`);
    }
  }

  /** Parquet files on the disk. */
  async #count(): Promise<number> {
    const names = await readdir(this.#place, { recursive: true }).catch(() => []);
    const count = names.filter((name) => name.endsWith('.parquet')).length;
    this.#files.onDisk = Math.max(this.#files.onDisk, count);
    return count;
  }
}
