import { jetstreamManager, AckPolicy, DiscardPolicy, RetentionPolicy, StorageType, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { freePort } from '../../ports.ts';
import { installed, reachable, ServerFolder } from '../../producers/support/server.ts';
import { until } from '../../until.ts';
import { Proxy, type Interruption } from './proxy.ts';

const COUNT = 3;
export const STREAM = 'LOGS';
export const DURABLE = 'lake';
/** A cluster elects leaders by time, whatever else the machine does. */
const ELECTION_MS = (): number => 60_000;
/** Milliseconds after which a batch of a worker that is silent is offered again. */
export const ACK_WAIT_MS = 3000;
/** Nobody listens here: what a server hears of others by their neighbours leads nowhere. */
const NOWHERE = '127.0.0.1:9';

interface Server {
  readonly port: number;
  readonly store: ServerFolder;
  process: ServerFolder | null;
  config: string;
}

/** Three servers of NATS that keep a stream in three copies. */
export class Servers {
  readonly #clients: Proxy[][] = [];
  /** The wire from each server to each other one; none to itself. */
  readonly #routes: (Proxy | null)[][] = [];
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

  /** Wires to all servers for a client of its own. */
  async wires(): Promise<readonly Proxy[]> {
    const wires = await Promise.all(this.#servers.map(({ port }) => Proxy.to(port)));
    this.#clients.push(wires);
    return wires;
  }

  /** Resolves when there is the stream, and the consumer of the workers. */
  async start(): Promise<void> {
    const ports = await freePorts(COUNT * 2);
    const routePorts = ports.slice(COUNT);
    for (let i = 0; i < COUNT; i++) {
      const wires: (Proxy | null)[] = [];
      for (const [to, port] of routePorts.entries()) wires.push(to === i ? null : await Proxy.to(port));
      this.#routes.push(wires);
    }
    this.#servers = ports.slice(0, COUNT).map((port, i) => {
      const store = new ServerFolder();
      const config = `
        server_name: "n${i}"
        listen: "127.0.0.1:${port}"
        jetstream { store_dir: "${store.folder('store')}", max_memory_store: 16777216, max_file_store: 8589934592 }
        cluster { name: "soak", listen: "127.0.0.1:${routePorts[i]}", advertise: "${NOWHERE}", no_advertise: true, routes: [${this.#routesOf(i)}] }
        `;
      return { port, store, process: null, config };
    });
    await Promise.all(this.#servers.map((_, i) => this.#run(i)));
    this.#connection = await connect({ servers: this.addresses, maxReconnectAttempts: -1, reconnectTimeWait: 100, timeout: 5_000 });
    this.#manager = await until(() => jetstreamManager(this.connection, { timeout: 5_000 }), 'a leader of the cluster', ELECTION_MS);
    await until(() => this.#makeStream(), 'the stream', ELECTION_MS);
  }

  /** Separates a server from the two others; clients reach it as before. */
  isolate(i: number, kind: Interruption): void {
    for (const wire of this.#wiresOf(i)) wire.interrupt(kind);
  }

  /** Ends the separation of a server. */
  join(i: number): void {
    for (const wire of this.#wiresOf(i)) wire.mend();
  }

  /** The stream takes no more than it has, or again whatever comes. */
  async limit(isFull: boolean): Promise<void> {
    await until(
      async () => {
        const { state } = await this.#jetstream.streams.info(STREAM);
        return this.#jetstream.streams.update(STREAM, { max_bytes: isFull ? state.bytes : -1 });
      },
      'a change of the stream',
      ELECTION_MS,
    );
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
    for (const wire of [...this.#clients, ...this.#routes].flat()) await wire?.close();
  }

  #wiresOf(i: number): Proxy[] {
    return this.#routes.flatMap((wires, from) => wires.filter((wire, to) => wire !== null && (from === i || to === i))) as Proxy[];
  }

  #routesOf(i: number): string {
    return (this.#routes[i] ?? []).flatMap((wire) => (wire === null ? [] : `"nats://${wire.address}"`)).join(', ');
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
      discard: DiscardPolicy.New,
      num_replicas: COUNT,
    });
    // Batches of a killed worker are offered again soon.
    await this.#jetstream.consumers.add(STREAM, {
      durable_name: DURABLE,
      ack_policy: AckPolicy.Explicit,
      ack_wait: ACK_WAIT_MS * 1e6,
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
