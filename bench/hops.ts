import { DuckDBInstance } from '@duckdb/node-api';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../test/ports.ts';
import { installed, reachable, ServerFolder } from '../test/producers/support/server.ts';
import { timed, type Times } from './anchors/timed.ts';
import { generatedLog } from './logs.ts';
import { ownCpuSeconds, treeCpuSeconds } from './processes.ts';
import { progress, type Benchmark, type Figure } from './report.ts';
import { folder, LOG_FORMAT, root } from './samples.ts';

const COMMAND = ['--disable-warning=ExperimentalWarning', join(root, 'engine/cli/main.ts'), 'run'];
const STREAM = 'LOGS';
const LOOK_MS = 50;
const MOST_MS = 600_000;

/** A log that goes from an edge through a server of NATS and a worker to Parquet files, beside the same work in one process. */
export const hopsBenchmark: Benchmark = {
  name: 'hops',
  title: 'An access log through edge, NATS and worker to Parquet, and in one process (--lines N: so many)',
  async run({ lines }) {
    const server = await Server.start();
    try {
      return await new Hops(server, lines).measure();
    } finally {
      await server.close();
    }
  },
};

/** A server of NATS with one stream. */
class Server {
  readonly address: string;
  readonly #files: ServerFolder;
  readonly #connection: NatsConnection;
  readonly #manager: JetStreamManager;
  readonly #pid: number;

  private constructor(address: string, files: ServerFolder, connection: NatsConnection, manager: JetStreamManager) {
    this.address = address;
    this.#files = files;
    this.#connection = connection;
    this.#manager = manager;
    this.#pid = Number(files.read('run/pid'));
  }

  static async start(): Promise<Server> {
    const program = installed('usr/sbin/nats-server');
    if (!existsSync(program)) throw new Error('there is no nats-server; to install it: apt-get install nats-server');
    const files = new ServerFolder();
    const port = await freePort();
    const address = `127.0.0.1:${port}`;
    const [store, run] = [files.folder('store'), files.folder('run')];
    const config = files.file('nats.conf', `listen: "${address}"\npid_file: "${run}/pid"\njetstream { store_dir: "${store}" }\n`);
    await files.start(program, ['-c', config], () => reachable(port));
    const connection = await connect({ servers: [address] });
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name: STREAM, subjects: ['logs.>'] });
    return new Server(address, files, connection, manager);
  }

  cpuSeconds(): number {
    return ownCpuSeconds(this.#pid);
  }

  async stored(): Promise<{ readonly batches: number; readonly bytes: number }> {
    const { messages: batches, bytes } = (await this.#manager.streams.info(STREAM)).state;
    return { batches, bytes };
  }

  async empty(): Promise<void> {
    await this.#manager.streams.purge(STREAM);
  }

  async close(): Promise<void> {
    await this.#connection.close();
    await this.#files.close();
  }
}

class Hops {
  readonly #server: Server;
  readonly #lines: number;
  readonly #log: string;
  #runs = 0;

  constructor(server: Server, lines: number) {
    this.#server = server;
    this.#lines = lines;
    this.#log = generatedLog('access', lines).path;
  }

  async measure(): Promise<Figure[]> {
    progress('one process');
    const one = await this.#toTheEnd(`${this.#read()}${this.#store(this.#folder('lake'))}`);
    progress('edge');
    const beforeEdge = this.#server.cpuSeconds();
    const edge = await this.#toTheEnd(`${this.#read()}${this.#publish()}`);
    const publishing = this.#server.cpuSeconds() - beforeEdge;
    const { batches, bytes } = await this.#server.stored();
    progress('worker');
    const beforeWorker = this.#server.cpuSeconds();
    const worker = await this.#work(1);
    const delivering = this.#server.cpuSeconds() - beforeWorker;
    progress('two workers');
    const two = await this.#work(2);
    await this.#server.empty();
    progress('all at once');
    const [whole] = await Promise.all([this.#work(1), this.#toTheEnd(`${this.#read()}${this.#publish()}`)]);
    const share = (one.seconds / worker.seconds) * 100;
    return [
      ...this.#figures('one process', one),
      ...this.#figures('edge', edge),
      this.#cpu('server, from the edge', publishing, `${(bytes / this.#lines).toFixed(0)} bytes a line, ${batches} batches`),
      this.#cpu('server, to the worker', delivering),
      ...this.#figures('worker', worker, `${share.toFixed(0)} % of the rate of one process`),
      ...this.#figures('two workers', two, `${(worker.seconds / two.seconds).toFixed(2)} times the rate of one`),
      ...this.#figures('edge, server and worker at once', whole, 'processor time of the worker').slice(0, 1),
    ];
  }

  #figures(what: string, { seconds, cpuSeconds }: Times, note?: string): Figure[] {
    const rate: Figure = { what, value: this.#lines / seconds, unit: 'lines/s', note };
    return [rate, this.#cpu(`${what}: processor time`, cpuSeconds)];
  }

  #cpu(what: string, cpuSeconds: number, note?: string): Figure {
    return { what, value: (cpuSeconds * 1e6) / this.#lines, unit: 'µs/line', note };
  }

  /** Runs a service that ends when its files are read and all is written. */
  #toTheEnd(sections: string): Promise<Times> {
    return timed([process.execPath, ...COMMAND, this.#config(sections), '--until-idle'], { silent: false });
  }

  /** Runs so many workers of one consumer until all is stored; the times of all of them. */
  async #work(workers: number): Promise<Times> {
    const lake = this.#folder('lake');
    const section = `${this.#take(`lake-${this.#runs++}`)}${this.#store(lake)}`;
    const started = performance.now();
    const children = Array.from({ length: workers }, () => start(this.#config(section)));
    try {
      await this.#isStored(lake);
      const seconds = (performance.now() - started) / 1000;
      return { seconds, cpuSeconds: children.reduce((sum, { pid }) => sum + treeCpuSeconds(pid), 0) };
    } finally {
      await Promise.all(children.map(stop));
    }
  }

  async #isStored(lake: string): Promise<void> {
    const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
    const sql = `SELECT sum(num_rows) FROM parquet_file_metadata('${lake}/**/*.parquet')`;
    const until = performance.now() + MOST_MS;
    for (let files = -1, rows = 0; rows < this.#lines; await delay(LOOK_MS)) {
      const now = filesIn(lake);
      if (now > 0 && now !== files) rows = Number((await duckdb.runAndReadAll(sql)).getRows()[0]?.[0] ?? 0);
      files = now;
      if (performance.now() > until) throw new Error(`${rows} of ${this.#lines} records were stored in ten minutes`);
    }
    duckdb.closeSync();
  }

  #folder(name: string): string {
    const path = join(folder, `hops-${this.#runs++}-${name}`);
    mkdirSync(path);
    return path;
  }

  #config(sections: string): string {
    const own = this.#folder('service');
    const path = join(own, 'service.toml');
    writeFileSync(path, `[svcd]\nbase_dir = ${JSON.stringify(own)}\n${sections}`);
    return path;
  }

  #read(): string {
    return (
      `[log]\ntype = "FileInput"\npaths = [${JSON.stringify(this.#log)}]\ndecoder = "access"\n` +
      `[access]\ntype = "SandboxDecoder"\nfilename = "nginx_access"\nconfig = { log_format = ${JSON.stringify(LOG_FORMAT)} }\n`
    );
  }

  #publish(): string {
    return `[up]\ntype = "NatsOutput"\nservers = ["${this.#server.address}"]\nstream = "${STREAM}"\nmessage_matcher = "Type !~ /^svc/"\n`;
  }

  #take(durable: string): string {
    return `[batches]\ntype = "NatsInput"\nservers = ["${this.#server.address}"]\nstream = "${STREAM}"\ndurable = "${durable}"\n`;
  }

  #store(lake: string): string {
    return `[lake]\ntype = "ParquetOutput"\npath = ${JSON.stringify(lake)}\nflush_interval = 1000\nmessage_matcher = "Type !~ /^svc/"\n`;
  }
}

const start = (config: string): ChildProcess => spawn(process.execPath, [...COMMAND, config], { stdio: ['ignore', 'ignore', 'inherit'] });

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

const filesIn = (path: string): number => readdirSync(path, { recursive: true }).filter((name) => String(name).endsWith('.parquet')).length;
