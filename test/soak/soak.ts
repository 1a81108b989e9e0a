import { globSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { slowness } from '../patience.ts';
import { freePort } from '../ports.ts';
import { Bounds } from './bounds.ts';
import { baseFolder, HTTP_SHARE, outputPath, writeConfiguration } from './configuration.ts';
import { FileReader } from './file-reader.ts';
import { HttpTarget } from './http-target.ts';
import { acknowledgedRecords } from './input-position.ts';
import { LogWriter } from './log-writer.ts';
import { Random } from './random.ts';
import { Service } from './service.ts';
import { Tally, type TallyFigures } from './tally.ts';
import { TcpTarget } from './tcp-target.ts';

export interface SoakOptions {
  readonly kills: number;
  readonly records: number;
  readonly seed: number;
  /** Records before a log is rotated. */
  readonly recordsPerFile: number;
  /** Told now and then how far it is. */
  readonly onProgress?: (text: string) => void;
}

export interface SoakResult {
  readonly seconds: number;
  readonly engineKills: number;
  readonly hostKills: number;
  readonly resets: number;
  /** Share of the time in which the HTTP server failed, from 0 to 1. */
  readonly httpFailingShare: number;
  readonly httpRequests: number;
  readonly httpFailures: number;
  readonly outputs: Readonly<Record<OutputName, TallyFigures>>;
  /** How many records may come again, see `Bounds`. */
  readonly allowed: Readonly<Record<OutputName, number>>;
  /** Exit code of the service when it was stopped at the end. */
  readonly code: number | null;
  readonly said: string;
}

const OUTPUTS = ['file', 'tcp', 'http'] as const;
export type OutputName = (typeof OUTPUTS)[number];

/** Records that are not at the slowest output yet: with more, the logs wait, so that each output is at work while there are kills. */
const MOST_AHEAD = 60_000;
const PACE_MS = 10;
const RECORDS_PER_PACE = 400;
/** Kills of the engine; the others are of a process that runs its scripts. */
const ENGINE_SHARE = 0.6;
/** Kills of an engine that are followed by one while it starts again. */
const AT_START_SHARE = 0.15;
const MOST_DEAD_MS = 400;
/** Time without anything new after which what has not come is not expected any more, on a machine with little else to do. */
const SILENCE_MS = 60_000;

/** Runs the service on logs that go on, kills it and its hosts at random, and counts what comes out of it. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const folder = await mkdtemp(join(tmpdir(), 'sluicebox-soak-'));
  const run = new SoakRun(folder, options);
  try {
    return await run.run();
  } finally {
    await run.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

class SoakRun {
  readonly #options: SoakOptions;
  readonly #folder: string;
  readonly #random: Random;
  readonly #tallies: Readonly<Record<OutputName, Tally>> = { file: new Tally(), tcp: new Tally(), http: new Tally() };
  /** Records that each output is to get. */
  readonly #wanted: Readonly<Record<OutputName, number>>;
  readonly #bounds = new Bounds();
  readonly #logs: readonly LogWriter[];
  readonly #tcp: TcpTarget;
  readonly #http: HttpTarget;
  readonly #file: FileReader;
  #writing: NodeJS.Timeout | null = null;
  #config = '';
  #service: Service | null = null;
  #kills = 0;
  #engineKills = 0;
  #hostKills = 0;

  constructor(folder: string, options: SoakOptions) {
    const { seed, recordsPerFile, records } = options;
    this.#folder = folder;
    this.#options = options;
    const sampled = sharesOf(records).reduce((sum, share) => sum + Math.ceil(share / HTTP_SHARE), 0);
    this.#wanted = { file: records, tcp: records, http: sampled };
    this.#random = new Random(seed);
    this.#logs = [
      new LogWriter('renamed', join(folder, 'renamed.log'), 'rename', recordsPerFile),
      new LogWriter('copied', join(folder, 'copied.log'), 'copytruncate', recordsPerFile),
    ];
    const count = (output: OutputName) => (text: string) => this.#tallies[output].count(text, this.#kills);
    this.#tcp = new TcpTarget(new Random(seed + 1), count('tcp'), (recent) => this.#bounds.reset(recent));
    this.#http = new HttpTarget(new Random(seed + 2), count('http'), () => this.#bounds.unanswered());
    this.#file = new FileReader(outputPath(folder));
  }

  async run(): Promise<SoakResult> {
    const start = performance.now();
    const ports = { tcp: await freePort(), http: await freePort() };
    await Promise.all([this.#tcp.listen(ports.tcp), this.#http.listen(ports.http)]);
    const paths = this.#logs.map(({ name }) => join(this.#folder, `${name}.log`));
    this.#config = writeConfiguration(this.#folder, paths, ports);
    this.#write();
    this.#service = this.#start();
    // Files that were rotated away before the first start are not the service's.
    if (!(await this.#until(() => this.#tallies.file.distinct > 0))) throw new Error(`the service has not begun:\n${this.#service.said}`);
    this.#writing = setInterval(() => this.#write(), PACE_MS);
    await this.#killAll();
    await this.#drain();
    const code = await this.#service.stop();
    this.#readFile();
    return this.#result(code, (performance.now() - start) / 1000);
  }

  async close(): Promise<void> {
    if (this.#writing !== null) clearInterval(this.#writing);
    await this.#service?.kill();
    await Promise.all([this.#tcp.close(), this.#http.close()]);
  }

  #start(): Service {
    return new Service(this.#config, this.#folder);
  }

  get #written(): number {
    return this.#logs.reduce((sum, log) => sum + log.written, 0);
  }

  /** The logs take turns and go on whether the engine lives or not. */
  #write(): void {
    const { records } = this.#options;
    if (this.#written - this.#progress * records > MOST_AHEAD) return;
    const shares = sharesOf(records);
    for (const [i, log] of this.#logs.entries()) log.write(Math.min(RECORDS_PER_PACE / 2, (shares[i] as number) - log.written));
  }

  /** How much of its records the slowest output has, from 0 to 1. */
  get #progress(): number {
    return Math.min(...OUTPUTS.map((output) => this.#tallies[output].distinct / this.#wanted[output]));
  }

  #readFile(): void {
    this.#file.read((line) => this.#tallies.file.count(line, this.#kills));
  }

  /** Kills at random points of the work, which is known by what has come out of it. */
  async #killAll(): Promise<void> {
    const { kills, records, onProgress } = this.#options;
    while (this.#kills < kills) {
      const at = (this.#kills + this.#random.next()) / (kills + 1);
      if (!(await this.#until(() => this.#progress >= at))) return;
      await delay(this.#random.between(0, 20));
      if (this.#service?.isRunning !== true) throw new Error(`the service has ended by itself:\n${this.#service?.said}`);
      if (this.#random.chance(ENGINE_SHARE) || !this.#killHost()) await this.#killEngine();
      onProgress?.(`${this.#kills} kills, ${Math.floor(this.#progress * records)} of ${records} records`);
    }
  }

  async #killEngine(): Promise<void> {
    this.#tcp.spare();
    await this.#service?.kill();
    this.#tcp.spare();
    this.#readFile();
    this.#bounds.engineKilled(this.#unacknowledged(), this.#unsent());
    this.#kills++;
    this.#engineKills++;
    await delay(this.#random.between(0, MOST_DEAD_MS));
    this.#service = this.#start();
    if (this.#kills >= this.#options.kills || !this.#random.chance(AT_START_SHARE)) return;
    await delay(this.#random.between(0, MOST_DEAD_MS * 3));
    await this.#killEngine();
  }

  /** Records in the logs that the killed service will read again, or for the first time. */
  #unacknowledged(): number {
    const checkpoint = join(baseFolder(this.#folder), 'inputs', 'logs');
    return this.#logs.reduce((sum, log) => sum + log.written - acknowledgedRecords(checkpoint, log.path), 0);
  }

  /** Records that the killed service had in the file of its TCP output. */
  #unsent(): number {
    const files = globSync(join(baseFolder(this.#folder), '**', 'unsent'));
    return files.reduce((sum, path) => sum + readFileSync(path, 'latin1').split('\n').length, 0);
  }

  /** false: there is none, as while the engine starts. */
  #killHost(): boolean {
    const hosts = this.#service?.hosts() ?? [];
    const host = hosts[Math.floor(this.#random.next() * hosts.length)];
    if (host === undefined) return false;
    this.#readFile();
    process.kill(host, 'SIGKILL');
    this.#kills++;
    this.#hostKills++;
    return true;
  }

  /** Waits until a condition holds. false: nothing has come for long before that. */
  async #until(condition: () => boolean): Promise<boolean> {
    let last = '';
    for (let since = performance.now(); performance.now() - since < SILENCE_MS * slowness();) {
      this.#readFile();
      if (condition() || this.#service?.isRunning !== true) return true;
      await delay(5);
      const now = OUTPUTS.map((output) => this.#tallies[output].distinct).join(' ');
      if (now !== last) since = performance.now();
      last = now;
    }
    return false;
  }

  /** Waits until all is there, or nothing comes any more. */
  async #drain(): Promise<void> {
    this.#tcp.calm();
    this.#http.calm();
    await this.#until(() => this.#progress >= 1);
  }

  #result(code: number | null, seconds: number): SoakResult {
    const written = new Map(this.#logs.map(({ name, written: count }) => [name, count]));
    const all = (): boolean => true;
    const sampled = (number: number): boolean => number % HTTP_SHARE === 0;
    const { file, tcp, http } = this.#tallies;
    const figures = file.figures(written, all);
    const halves = this.#file.restLength > 0 ? 1 : 0;
    return {
      seconds,
      engineKills: this.#engineKills,
      hostKills: this.#hostKills,
      resets: this.#tcp.resets,
      httpFailingShare: this.#http.failingShare,
      httpRequests: this.#http.requests,
      httpFailures: this.#http.failures,
      outputs: {
        file: { ...figures, broken: figures.broken + halves },
        tcp: tcp.figures(written, all),
        http: http.figures(written, sampled),
      },
      allowed: this.#bounds.allowed,
      code,
      said: this.#service?.said ?? '',
    };
  }
}

/** How the records are divided among the two logs. */
function sharesOf(records: number): readonly number[] {
  return [Math.ceil(records / 2), Math.floor(records / 2)];
}
