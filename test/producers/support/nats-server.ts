import type { NatsServers } from '../../../engine/nats/connection.ts';
import { freePort } from '../../ports.ts';
import { installed, reachable, ServerFolder } from './server.ts';

/** A server that can go away and come back with what it has stored. */
export class NatsServer {
  readonly #store = new ServerFolder();
  #process: ServerFolder | null = null;
  port = 0;

  /** @param config further settings */
  async start(config = ''): Promise<void> {
    if (this.port === 0) this.port = await freePort();
    this.#process = new ServerFolder();
    const jetstream = `jetstream { store_dir: "${this.#store.folder('store')}", max_memory_store: 0 }`;
    const file = this.#process.file('nats.conf', `listen: "127.0.0.1:${this.port}"\n${jetstream}\n${config}\n`);
    await this.#process.start(installed('usr/sbin/nats-server'), ['-c', file], () => reachable(this.port));
  }

  async stop(): Promise<void> {
    await this.#process?.close();
    this.#process = null;
  }

  async close(): Promise<void> {
    await this.stop();
    await this.#store.close();
  }

  at(login: Partial<NatsServers> = {}): NatsServers {
    return { addresses: [`127.0.0.1:${this.port}`], tls: { rejectUnauthorized: true }, needsTls: false, ...login };
  }
}
