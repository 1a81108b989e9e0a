import { mkdirSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { NatsInput } from '../../../engine/inputs/nats/nats-input.ts';
import type { FleetStream } from '../../../engine/api/fleet-types.ts';
import { fleetOf } from '../../../engine/nats/fleet.ts';
import { patienceMs } from '../../patience.ts';
import { until } from '../../until.ts';
import { acknowledgedRecords } from '../input-position.ts';
import { LogWriter } from '../log-writer.ts';
import { Random } from '../random.ts';
import { Service } from '../service.ts';
import { readRecord } from '../tally.ts';
import { checkpointOf, writeEdge, writeWorker } from './configuration.ts';
import { Lake, type LakeFigures } from './lake.ts';
import { DURABLE, Servers, STREAM } from './servers.ts';

export interface ClusterSoakOptions {
  readonly kills: number;
  /** Of all edges together. */
  readonly records: number;
  readonly seed: number;
  readonly recordsPerFile: number;
  /** Told now and then how far it is. */
  readonly onProgress?: (text: string) => void;
}

const VICTIMS = ['edge', 'worker', 'server'] as const;
type Victim = (typeof VICTIMS)[number];

export interface ClusterSoakResult extends LakeFigures {
  readonly seconds: number;
  /** Records that were written to logs. */
  readonly written: number;
  readonly kills: Readonly<Record<Victim, number>>;
  /** Records that are not among those that are left after repeats were removed, … */
  readonly lost: number;
  /** … and that are there more than once even then. */
  readonly doubled: number;
  /** Most batches that the workers had not acknowledged, and how many there were at the end. */
  readonly mostLag: number;
  readonly lastLag: number;
  /** Records that a desk saw that listened all the time. */
  readonly watched: number;
  /** Exit codes of the services when they were stopped. */
  readonly codes: readonly (number | null)[];
  readonly said: string;
}

const EDGES = 3;
const WORKERS = 2;
const RECORDS_PER_PACE = 300;
const PACE_MS = 10;
/** Records that an edge has not read yet: with more, its log waits, so that all are at work while there are kills. */
const MOST_UNREAD = 30_000;
const MOST_DEAD_MS = 400;
const LOOK_MS = 200;
/** Servers elect a leader by time, and batches of killed workers are offered again by time. */
const patience = (): number => 60_000 + 12 * patienceMs();

/** Three edges, three servers, two workers and a desk, of which all but the desk are killed at random while records are written. */
export async function clusterSoak(options: ClusterSoakOptions): Promise<ClusterSoakResult> {
  const folder = await mkdtemp(join(tmpdir(), 'sluicebox-cluster-'));
  const run = new ClusterSoak(folder, options);
  try {
    return await run.run();
  } finally {
    await run.close();
    if (process.env['SLUICEBOX_SOAK_KEEP'] === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** The ranges of numbers of a log that were not seen. */
function gapsIn(log: string, seen: Uint8Array): string[] {
  const gaps: string[] = [];
  for (let from = seen.indexOf(0); from !== -1;) {
    const behind = seen.indexOf(1, from);
    const end = behind === -1 ? seen.length : behind;
    gaps.push(`${log} ${from} to ${end - 1}`);
    from = behind === -1 ? -1 : seen.indexOf(0, end);
  }
  return gaps;
}

/** A service that is started again on its own files. */
class Program {
  readonly folder: string;
  readonly config: string;
  #service: Service | null = null;

  constructor(folder: string, config: string) {
    this.folder = folder;
    this.config = config;
  }

  get said(): string {
    return this.#service?.said ?? '';
  }

  start(): void {
    this.#service = new Service(this.config, this.folder);
  }

  async kill(): Promise<void> {
    this.checkRunning();
    const service = this.#service;
    this.#service = null;
    await service?.kill();
  }

  /** @throws {Error} when it was started, and has ended by itself */
  checkRunning(): void {
    if (this.#service?.isRunning === false) throw new Error(`a service has ended by itself:\n${this.said}`);
  }

  async stop(): Promise<number | null> {
    return (await this.#service?.stop()) ?? null;
  }

  async close(): Promise<void> {
    if (this.#service?.isRunning === true) await this.#service.kill();
  }
}

interface Edge {
  readonly log: LogWriter;
  readonly program: Program;
  /** Records of its log. */
  readonly share: number;
}

const acknowledgedOf = ({ log, program }: Edge): number => acknowledgedRecords(checkpointOf(program.folder), log.path);

class ClusterSoak {
  readonly #options: ClusterSoakOptions;
  readonly #folder: string;
  readonly #random: Random;
  readonly #servers = new Servers();
  readonly #lake: Lake;
  readonly #kills = { edge: 0, worker: 0, server: 0 };
  #edges: Edge[] = [];
  #workers: Program[] = [];
  #desk: NatsInput | null = null;
  #writing: NodeJS.Timeout | null = null;
  #looking: Promise<void> = Promise.resolve();
  #closed = false;
  #watched = 0;
  #mostLag = 0;
  #lastLag = 0;
  /** Rest of the present portion of all records. */
  #portion = 0;

  constructor(folder: string, options: ClusterSoakOptions) {
    this.#folder = folder;
    this.#options = options;
    this.#random = new Random(options.seed);
    this.#lake = new Lake(join(folder, 'lake'));
  }

  async run(): Promise<ClusterSoakResult> {
    await this.#servers.start();
    const start = performance.now();
    this.#makePrograms();
    await this.#openDesk();
    this.#looking = this.#look();
    for (const { program } of this.#edges) program.start();
    // A log that is rotated before its edge looks at it for the first time is older than the edge: that reads the newest file only.
    await this.#until(() => this.#edges.every((edge) => acknowledgedOf(edge) > 0), 'the edges to read their logs');
    this.#writing = setInterval(() => this.#write(), PACE_MS);
    await this.#workAndKill();
    const drained = await this.#drain();
    const said = this.#said;
    const codes = await Promise.all(this.#programs.map((program) => program.stop()));
    const { lost, doubled } = this.#compare(await this.#lake.records());
    return {
      ...drained,
      seconds: (performance.now() - start) / 1000,
      written: this.#written,
      kills: this.#kills,
      lost,
      doubled,
      mostLag: this.#mostLag,
      lastLag: this.#lastLag,
      watched: this.#watched,
      codes,
      said,
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#writing !== null) clearInterval(this.#writing);
    await this.#looking;
    await Promise.all(this.#programs.map((program) => program.close()));
    await this.#desk?.stop();
    await this.#servers.close();
    this.#lake.close();
  }

  #makePrograms(): void {
    const { records, recordsPerFile } = this.#options;
    const { addresses } = this.#servers;
    for (let i = 0; i < EDGES; i++) {
      const name = `edge${i}`;
      const folder = join(this.#folder, name);
      mkdirSync(folder);
      const log = new LogWriter(name, join(folder, 'x.log'), i === 1 ? 'copytruncate' : 'rename', recordsPerFile);
      const share = Math.floor(records / EDGES) + (i < records % EDGES ? 1 : 0);
      this.#edges.push({ log, share, program: new Program(folder, writeEdge(folder, name, log.path, addresses)) });
      log.write(1);
    }
    for (let i = 0; i < WORKERS; i++) {
      const folder = join(this.#folder, `worker${i}`);
      mkdirSync(folder);
      this.#workers.push(new Program(folder, writeWorker(folder, join(this.#folder, 'lake'), addresses)));
    }
  }

  /** Watches live: the servers keep nothing for it, and it slows nobody down. */
  async #openDesk(): Promise<void> {
    const servers = { addresses: this.#servers.addresses, tls: { rejectUnauthorized: true }, needsTls: false };
    const retries = { delay: 20, max_delay: 200, max_jitter: 0, max_retries: -1 };
    const gathering = { flushInterval: 0, batchMessages: 10_000, maxAckPending: 1_000 };
    this.#desk = new NatsInput({ name: 'desk', servers, stream: null, durable: '', subject: 'logs.>', ...gathering, retries });
    await this.#desk.start({
      deliver: ({ batch, acknowledge }) => {
        this.#watched += batch.length;
        acknowledge();
        return Promise.resolve();
      },
      notice: () => undefined,
      idle: () => undefined,
    });
  }

  /** Looks at the fleet again and again, as the window does. */
  async #look(): Promise<void> {
    while (!this.#closed) {
      const fleet = await fleetOf(this.#servers.connection).catch((): FleetStream[] => []);
      const consumer = fleet.find(({ name }) => name === STREAM)?.consumers.find(({ name }) => name === DURABLE);
      if (consumer !== undefined) {
        this.#lastLag = consumer.waiting + consumer.unacknowledged;
        this.#mostLag = Math.max(this.#mostLag, this.#lastLag);
      }
      await delay(LOOK_MS);
    }
  }

  get #written(): number {
    return this.#edges.reduce((sum, { log }) => sum + log.written, 0);
  }

  /** The logs go on whether their edges live or not. */
  #write(): void {
    for (const edge of this.#edges) {
      const { log, share } = edge;
      const count = Math.min(RECORDS_PER_PACE / EDGES, share - log.written, this.#portion);
      if (count <= 0 || log.written - acknowledgedOf(edge) > MOST_UNREAD) continue;
      log.write(count);
      this.#portion -= count;
    }
  }

  /** The records are written in portions, and somebody is killed during each. */
  async #workAndKill(): Promise<void> {
    const { kills, records, onProgress } = this.#options;
    const size = Math.ceil(records / (kills + 1));
    for (let kill = 0; kill <= kills; kill++) {
      this.#portion += size;
      const at = this.#random.next() * size;
      await this.#until(() => this.#portion <= at || this.#written >= records, 'a portion of the logs');
      // The first batches come before there is anybody to read them: that is a lag which nobody can overlook.
      if (kill === 0) {
        await this.#until(() => this.#mostLag > 0, 'batches that wait');
        for (const worker of this.#workers) worker.start();
      }
      if (kill < kills) await this.#kill(VICTIMS[kill % VICTIMS.length] as Victim);
      await this.#until(() => this.#portion <= 0 || this.#written >= records, 'the rest of a portion');
      onProgress?.(`${kill} kills, ${this.#written} of ${records} records`);
    }
    await this.#until(() => this.#written >= records, 'the last records');
  }

  async #kill(victim: Victim): Promise<void> {
    this.#kills[victim]++;
    const one = Math.floor(this.#random.next() * 3);
    if (victim === 'server') {
      // With two of three away there is nobody to take a batch.
      await this.#until(() => this.#servers.isWhole(), 'the servers to have all copies');
      await this.#servers.kill(one);
      await delay(this.#random.between(0, MOST_DEAD_MS));
      return this.#servers.restart(one);
    }
    const program = victim === 'edge' ? this.#edges[one % EDGES]?.program : this.#workers[one % WORKERS];
    await program?.kill();
    await delay(this.#random.between(0, MOST_DEAD_MS));
    program?.start();
  }

  /** Waits until the lake has all records, and nobody anything more to do. */
  async #drain(): Promise<LakeFigures> {
    let figures = await this.#lake.figures();
    const { records } = this.#options;
    const isDrained = async (): Promise<boolean> => (figures = await this.#lake.figures()).records >= records && this.#lastLag === 0;
    try {
      await this.#until(isDrained, () => `${records} records in the lake: there are ${figures.records}, and ${this.#lastLag} batches wait`);
    } catch (error) {
      const { missing } = this.#compare(await this.#lake.records());
      throw new Error(`${missing.join(', ')} are not in the lake`, { cause: error });
    }
    return figures;
  }

  #compare(texts: readonly string[]): { readonly lost: number; readonly doubled: number; readonly missing: readonly string[] } {
    const seen = new Map(this.#edges.map(({ log }) => [log.name, new Uint8Array(log.written)]));
    let doubled = 0;
    let found = 0;
    for (const text of texts) {
      const record = readRecord(text);
      const numbers = record === null ? undefined : seen.get(record.log);
      if (record === null || numbers === undefined) throw new Error(`a record is torn: ${text}`);
      if (numbers[record.number] === 1) doubled++;
      else found++;
      numbers[record.number] = 1;
    }
    return { lost: this.#written - found, doubled, missing: [...seen].flatMap(([log, numbers]) => gapsIn(log, numbers)) };
  }

  async #until(condition: () => boolean | Promise<boolean>, what: string | (() => string)): Promise<void> {
    let ended: unknown = null;
    const checked = async (): Promise<boolean> => {
      try {
        for (const program of this.#programs) program.checkRunning();
      } catch (error) {
        ended = error;
        return true;
      }
      return condition();
    };
    await until(checked, () => `${typeof what === 'string' ? what : what()}; the services say:\n${this.#said}`, patience);
    if (ended !== null) throw ended as Error;
  }

  get #programs(): readonly Program[] {
    return [...this.#edges.map(({ program }) => program), ...this.#workers];
  }

  get #said(): string {
    return this.#programs.map(({ said }) => said).join('\n');
  }
}
