import { jetstreamManager, AckPolicy, RetentionPolicy, StorageType, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { freePort } from '../../ports.ts';
import { installed, reachable, ServerFolder } from '../../producers/support/server.ts';
import { until } from '../../until.ts';

const COUNT = 3;
export const STREAM = 'LOGS';
export const DURABLE = 'lake';
/** A cluster elects leaders by time, whatever else the machine does. */
const ELECTION_MS = (): number => 60_000;
const ACK_WAIT_NS = 3e9;

interface Server {
  readonly port: number;
  readonly store: ServerFolder;
  process: ServerFolder | null;
  config: string;
}

/** Three servers of NATS that keep a stream in three copies. */
export class Servers {
  #servers: readonly Server[] = [];
  #connection: NatsConnection | null = null;
  #manager: JetStreamManager | null = null;

  get addresses(): string[] {
    return this.#servers.map(({ port }) => `127.0.0.1:${port}`);
  }

  get connection(): NatsConnection {
    if (this.#connection === null) throw new Error('the servers do not run');
    return this.#connection;
  }

  /** Resolves when there is the stream, and the consumer of the workers. */
  async start(): Promise<void> {
    const ports = await freePorts(COUNT * 2);
    const routes = ports.slice(COUNT).map((port) => `"nats://127.0.0.1:${port}"`);
    this.#servers = ports.slice(0, COUNT).map((port, i) => {
      const store = new ServerFolder();
      const config = `
        server_name: "n${i}"
        listen: "127.0.0.1:${port}"
        jetstream { store_dir: "${store.folder('store')}", max_memory_store: 16777216, max_file_store: 8589934592 }
        cluster { name: "soak", listen: "127.0.0.1:${ports[COUNT + i]}", routes: [${routes.join(', ')}] }
        `;
      return { port, store, process: null, config };
    });
    await Promise.all(this.#servers.map((_, i) => this.#run(i)));
    this.#connection = await connect({ servers: this.addresses, maxReconnectAttempts: -1, reconnectTimeWait: 100, timeout: 5_000 });
    this.#manager = await until(() => jetstreamManager(this.connection, { timeout: 5_000 }), 'a leader of the cluster', ELECTION_MS);
    await until(() => this.#makeStream(), 'the stream', ELECTION_MS);
  }

  /** Kills a server, as if its machine had lost its power. */
  async kill(i: number): Promise<void> {
    await this.#servers[i]?.process?.kill();
  }

  /** Starts a killed server again. */
  async restart(i: number): Promise<void> {
    await this.#servers[i]?.process?.close();
    await this.#run(i);
  }

  /** Whether all servers have all of the stream: one may be killed. */
  async isWhole(): Promise<boolean> {
    try {
      const { cluster } = await this.#jetstream.streams.info(STREAM);
      const replicas = cluster?.replicas ?? [];
      return (
        cluster?.leader !== undefined && replicas.length === COUNT - 1 && replicas.every(({ current, offline }) => current && !offline)
      );
    } catch {
      return false;
    }
  }

  async close(): Promise<void> {
    await this.#connection?.close();
    for (const { process, store } of this.#servers) {
      await process?.close();
      await store.close();
    }
  }

  get #jetstream(): JetStreamManager {
    if (this.#manager === null) throw new Error('the servers do not run');
    return this.#manager;
  }

  async #run(i: number): Promise<void> {
    const server = this.#servers[i] as Server;
    server.process = new ServerFolder();
    const file = server.process.file('nats.conf', server.config);
    await server.process.start(installed('usr/sbin/nats-server'), ['-c', file], () => reachable(server.port));
  }

  async #makeStream(): Promise<boolean> {
    await this.#jetstream.streams.add({
      name: STREAM,
      subjects: ['logs.>'],
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
      num_replicas: COUNT,
    });
    // Batches of a killed worker are offered again soon.
    await this.#jetstream.consumers.add(STREAM, {
      durable_name: DURABLE,
      ack_policy: AckPolicy.Explicit,
      ack_wait: ACK_WAIT_NS,
      max_ack_pending: 1000,
    });
    return true;
  }
}

/** Ports that differ. */
async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}
