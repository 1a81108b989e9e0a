import { DuckDBInstance } from '@duckdb/node-api';
import { jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../test/ports.ts';
import { installed, reachable, ServerFolder } from '../test/producers/support/server.ts';
import { timed, type Times } from './anchors/timed.ts';
import { ownCpuSeconds, treeCpuSeconds } from './processes.ts';
import { folder, LOG_FORMAT, root } from './samples.ts';

const COMMAND = ['--disable-warning=ExperimentalWarning', join(root, 'engine/cli/main.ts'), 'run'];
const STREAM = 'LOGS';
const LOOK_MS = 50;
const MOST_MS = 600_000;
/** Messages that are published before the answer to the first of them is waited for. */
const WINDOW = 256;

/** A message of a stream. */
export interface Published {
  readonly subject: string;
  readonly body: Uint8Array;
  readonly headers?: MsgHdrs | undefined;
}

/** A server of NATS with one stream. */
export class Server {
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

  /** The messages of the stream, in order. */
  async messages(): Promise<Published[]> {
    const stream = await jetstream(this.#connection).streams.get(STREAM);
    const { messages: count, first_seq: first } = (await stream.info()).state;
    const messages: Published[] = [];
    for (let seq = first; seq < first + count; seq++) {
      const message = await stream.getMessage({ seq });
      if (message !== null) messages.push({ subject: message.subject, body: message.data });
    }
    return messages;
  }

  /** Whether an input waits for batches of a consumer. */
  async isAsked(durable: string): Promise<boolean> {
    const info = await this.#manager.consumers.info(STREAM, durable).catch(() => null);
    return info !== null && info.num_waiting > 0;
  }

  async publish(messages: Iterable<Published>): Promise<void> {
    const client = jetstream(this.#connection);
    const open: Promise<unknown>[] = [];
    for (const { subject, body, headers } of messages) {
      open.push(client.publish(subject, body, headers === undefined ? {} : { headers }));
      if (open.length >= WINDOW) await open.shift();
    }
    await Promise.all(open);
  }

  async empty(): Promise<void> {
    await this.#manager.streams.purge(STREAM);
  }

  async close(): Promise<void> {
    await this.#connection.close();
    await this.#files.close();
  }
}

/** Programs that read a log, publish it to a server, and store it as Parquet files. */
export class Programs {
  readonly #server: Server;
  readonly #log: string;
  #runs = 0;

  constructor(server: Server, log: string) {
    this.#server = server;
    this.#log = log;
  }

  /** One that reads the log and stores it. */
  alone(): Promise<Times> {
    return this.#toTheEnd(`${this.#read()}${this.#store(this.#folder('lake'))}`);
  }

  /** One that reads the log and publishes it. */
  edge(): Promise<Times> {
    return this.#toTheEnd(`${this.#read()}${this.#publish()}`);
  }

  /** So many workers of one consumer, until so many lines are stored: the times of all of them, and the number of files. */
  async workers(count: number, lines: number, store = ''): Promise<Times & { readonly files: number }> {
    const lake = this.#folder('lake');
    const section = `${this.#take(`lake-${this.#runs++}`)}${this.#store(lake)}${store}`;
    const started = performance.now();
    const children = Array.from({ length: count }, () => start(this.#config(section)));
    try {
      await this.#isStored(lake, lines);
      const seconds = (performance.now() - started) / 1000;
      return { seconds, cpuSeconds: children.reduce((sum, { pid }) => sum + treeCpuSeconds(pid), 0), files: filesIn(lake) };
    } finally {
      await Promise.all(children.map(stop));
    }
  }

  /** Processor time, in seconds, of a worker until it waits for batches. */
  async startOfWorker(store = ''): Promise<number> {
    const durable = `idle-${this.#runs++}`;
    const child = start(this.#config(`${this.#take(durable)}start = "end"\n${this.#store(this.#folder('lake'))}${store}`));
    try {
      while (!(await this.#server.isAsked(durable))) await delay(LOOK_MS);
      return treeCpuSeconds(child.pid);
    } finally {
      await stop(child);
    }
  }

  /** Runs a service that ends when its files are read and all is written. */
  #toTheEnd(sections: string): Promise<Times> {
    return timed([process.execPath, ...COMMAND, this.#config(sections), '--until-idle'], { silent: false });
  }

  async #isStored(lake: string, lines: number): Promise<void> {
    const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
    const sql = `SELECT sum(num_rows) FROM parquet_file_metadata('${lake}/**/*.parquet')`;
    const until = performance.now() + MOST_MS;
    for (let files = -1, rows = 0; rows < lines; await delay(LOOK_MS)) {
      const now = filesIn(lake);
      if (now > 0 && now !== files) rows = Number((await duckdb.runAndReadAll(sql)).getRows()[0]?.[0] ?? 0);
      files = now;
      if (performance.now() > until) throw new Error(`${rows} of ${lines} records were stored in ten minutes`);
    }
    duckdb.closeSync();
  }

  #folder(name: string): string {
    const path = join(folder, `cluster-${this.#runs++}-${name}`);
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
    return `[lake]\ntype = "ParquetOutput"\npath = ${JSON.stringify(lake)}\nflush_interval = 2000\ncompact = false\nmessage_matcher = "Type !~ /^svc/"\n`;
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
