import { mkdirSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { NatsInput } from '../../../engine/inputs/nats/nats-input.ts';
import type { FleetStream } from '../../../engine/api/fleet-types.ts';
import { fleetOf } from '../../../engine/nats/fleet.ts';
import { patienceMs } from '../../patience.ts';
import { CAN_MOUNT, SmallDisk } from '../../small-disk.ts';
import { until } from '../../until.ts';
import { LogWriter } from '../log-writer.ts';
import { Random } from '../random.ts';
import { compare, type Comparison } from './comparison.ts';
import { writeEdge, writeWorker } from './configuration.ts';
import { doFault, whyNot, type Cluster, type FaultName, type Machine } from './faults.ts';
import { Lake, type LakeFigures } from './lake.ts';
import { acknowledgedOf, Program, type Edge } from './program.ts';
import { Servers, DURABLE, STREAM } from './servers.ts';
import { Upgrades } from './upgrades.ts';

export interface ClusterSoakOptions {
  /** Faults, one after the other and again from the first one on. */
  readonly kinds: readonly FaultName[];
  readonly faults: number;
  /** Of all edges together. */
  readonly records: number;
  readonly seed: number;
  readonly recordsPerFile: number;
  /** A worker is of an older build at first, which leaves the batches of newer edges to the other one. */
  readonly hasOlderWorker: boolean;
  /** Told now and then how far it is. */
  readonly onProgress?: (text: string) => void;
}

export interface ClusterSoakResult extends LakeFigures, Omit<Comparison, 'missing'> {
  readonly seconds: number;
  /** Records that were written to logs. */
  readonly written: number;
  /** Number of times that each fault was done. */
  readonly done: ReadonlyMap<FaultName, number>;
  /** Faults that cannot be tried here, with the reason. */
  readonly leftOut: readonly string[];
  /** Programs that were replaced by newer ones. */
  readonly upgrades: number;
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
const RECORDS_PER_PACE = 90;
const PACE_MS = 10;
/** Records that an edge has not read yet: with more, its log waits, so that all are at work while there are faults. */
const MOST_UNREAD = 30_000;
const LOOK_MS = 200;
/** Sizes of disks that become full, in KiB. */
const EDGE_KIB = 64 << 10;
const LAKE_KIB = 512 << 10;
/** Servers elect a leader by time, and batches of killed workers are offered again by time. */
const patience = (): number => 60_000 + 12 * patienceMs();

/** Three edges, three servers, two workers and a desk. Everything but the desk suffers while records are written. */
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

class ClusterSoak {
  readonly #options: ClusterSoakOptions;
  readonly #folder: string;
  readonly #random: Random;
  readonly #servers = new Servers();
  readonly #hasDisks: boolean;
  readonly #lakeDisk: SmallDisk | null;
  readonly #lake: Lake;
  readonly #done = new Map<FaultName, number>();
  readonly #codes: (number | null)[] = [];
  #edges: (Machine & Edge)[] = [];
  #workers: Machine[] = [];
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
    this.#hasDisks = CAN_MOUNT && options.kinds.some((kind) => kind.includes('disk'));
    this.#lakeDisk = this.#hasDisks ? new SmallDisk(LAKE_KIB) : null;
    this.#lake = new Lake(this.#lakePath);
  }

  async run(): Promise<ClusterSoakResult> {
    await this.#servers.start();
    const start = performance.now();
    await this.#makeMachines();
    await this.#openDesk();
    this.#looking = this.#look();
    for (const { program } of this.#edges) program.start();
    // A log that is rotated before its edge looks at it for the first time is older than the edge: that reads the newest file only.
    await this.#until(() => this.#edges.every((edge) => acknowledgedOf(edge) > 0), 'the edges to read their logs');
    this.#writing = setInterval(() => this.#write(), PACE_MS);
    const upgrades = await this.#work();
    const drained = await this.#drain();
    const said = this.#said;
    this.#codes.push(...(await Promise.all(this.#programs.map((program) => program.stop()))));
    const { missing: _, ...compared } = await this.#compared();
    return {
      ...drained,
      ...compared,
      seconds: (performance.now() - start) / 1000,
      written: this.#written,
      done: this.#done,
      leftOut: this.#options.kinds.flatMap((kind) => (whyNot(kind) === null ? [] : `${kind}: ${whyNot(kind)}`)),
      upgrades,
      mostLag: this.#mostLag,
      lastLag: this.#lastLag,
      watched: this.#watched,
      codes: this.#codes,
      said,
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#writing !== null) clearInterval(this.#writing);
    await this.#looking;
    for (const program of this.#programs) program.signal('SIGCONT');
    await Promise.all(this.#programs.map((program) => program.close()));
    await this.#desk?.stop();
    await this.#servers.close();
    this.#lake.close();
    for (const disk of [this.#lakeDisk, ...this.#edges.map((edge) => edge.disk)]) disk?.[Symbol.dispose]();
  }

  get #lakePath(): string {
    return this.#lakeDisk?.at('lake') ?? join(this.#folder, 'lake');
  }

  async #makeMachines(): Promise<void> {
    const { records, recordsPerFile, hasOlderWorker } = this.#options;
    for (let i = 0; i < EDGES; i++) {
      const name = `edge${i}`;
      const folder = this.#newFolder(name);
      const log = new LogWriter(name, join(folder, 'x.log'), i === 1 ? 'copytruncate' : 'rename', recordsPerFile);
      const share = Math.floor(records / EDGES) + (i < records % EDGES ? 1 : 0);
      const wires = await this.#servers.wires();
      const disk = this.#hasDisks ? new SmallDisk(EDGE_KIB) : null;
      const base = disk?.path ?? folder;
      const config = writeEdge({ folder, base, name, log: log.path, servers: wires.map(({ address }) => address) });
      // The last one is up to date.
      this.#edges.push({ log, share, base, wires, disk, program: new Program(folder, config, i < EDGES - 1) });
      log.write(1);
    }
    for (let i = 0; i < WORKERS; i++) {
      const folder = this.#newFolder(`worker${i}`);
      const wires = await this.#servers.wires();
      const config = writeWorker(
        folder,
        this.#lakePath,
        wires.map(({ address }) => address),
      );
      this.#workers.push({ wires, disk: null, program: new Program(folder, config, hasOlderWorker && i === 0) });
    }
  }

  #newFolder(name: string): string {
    const folder = join(this.#folder, name);
    mkdirSync(folder);
    return folder;
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

  /** The records are written in portions, and something happens during each. Returns how many programs were replaced. */
  async #work(): Promise<number> {
    const { faults, records, onProgress } = this.#options;
    const kinds = this.#options.kinds.filter((kind) => whyNot(kind) === null);
    const upgrades = new Upgrades(this.#edges, this.#workers, faults);
    const size = Math.ceil(records / (faults + 1));
    for (let fault = 0; fault <= faults; fault++) {
      this.#portion += size;
      const at = this.#random.next() * size;
      await this.#until(() => this.#portion <= at || this.#written >= records, 'a portion of the logs');
      // The first batches come before there is anybody to read them: that is a lag which nobody can overlook.
      if (fault === 0) {
        await this.#until(() => this.#mostLag > 0, 'batches that wait');
        for (const { program } of this.#workers) program.start();
      }
      this.#codes.push(...(await upgrades.through(fault)));
      if (fault < faults) for (const name of await doFault(kinds[fault % kinds.length] as FaultName, this.#cluster)) this.#count(name);
      await this.#until(() => this.#portion <= 0 || this.#written >= records, 'the rest of a portion');
      onProgress?.(`${fault} faults, ${this.#written} of ${records} records`);
    }
    await this.#until(() => this.#written >= records, 'the last records');
    return upgrades.done;
  }

  #count(name: FaultName): void {
    this.#done.set(name, (this.#done.get(name) ?? 0) + 1);
  }

  get #cluster(): Cluster {
    return {
      random: this.#random,
      servers: this.#servers,
      edges: this.#edges,
      workers: this.#workers,
      lakeDisk: this.#lakeDisk,
      whole: () => this.#until(() => this.#servers.isWhole(), 'the servers to have all copies'),
    };
  }

  /** Waits until the lake has all records, and nobody anything more to do. */
  async #drain(): Promise<LakeFigures> {
    let figures = await this.#lake.figures();
    const { records } = this.#options;
    const isDrained = async (): Promise<boolean> => (figures = await this.#lake.figures()).records >= records && this.#lastLag === 0;
    try {
      await this.#until(isDrained, () => `${records} records in the lake: there are ${figures.records}, and ${this.#lastLag} batches wait`);
    } catch (error) {
      const { missing } = await this.#compared();
      throw new Error(`${missing.join(', ')} are not in the lake`, { cause: error });
    }
    return figures;
  }

  async #compared(): Promise<Comparison> {
    return compare(await this.#lake.records(), new Map(this.#edges.map(({ log }) => [log.name, log.written])));
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
    return [...this.#edges, ...this.#workers].map(({ program }) => program);
  }

  get #said(): string {
    return this.#programs.map(({ said }) => said).join('\n');
  }
}
