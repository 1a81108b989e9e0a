import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** `cut`: connections end, and new ones too. `still`: nothing comes through, and nobody is told. */
export type Interruption = 'cut' | 'still';

/** Both ends of a connection. */
type Pair = readonly [Socket, Socket];

/** A wire to a port of this machine, which can be interrupted. */
export class Proxy {
  readonly #target: number;
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  readonly #waiting = new Set<Socket>();
  #state: Interruption | null = null;

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  static async to(target: number, port = 0): Promise<Proxy> {
    const proxy = new Proxy(target);
    await once(proxy.#server.listen(port, '127.0.0.1'), 'listening');
    return proxy;
  }

  get address(): string {
    const address = this.#server.address();
    return `127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
  }

  /** Whether somebody is connected. */
  get isUsed(): boolean {
    return this.#pairs.size > 0;
  }

  interrupt(kind: Interruption): void {
    this.#state = kind;
    if (kind === 'cut') this.#endAll();
    else for (const pair of this.#pairs) for (const socket of pair) socket.pause();
  }

  /** Lets everything through again. */
  mend(): void {
    this.#state = null;
    for (const pair of this.#pairs) {
      if (pair.some((socket) => socket.destroyed)) this.#end(pair);
      else for (const socket of pair) socket.resume();
    }
    for (const socket of this.#waiting) this.#join(socket);
    this.#waiting.clear();
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#endAll();
    await once(this.#server, 'close');
  }

  #accept(socket: Socket): void {
    socket.on('error', () => undefined);
    if (this.#state === 'cut') socket.resetAndDestroy();
    else if (this.#state === 'still') this.#waiting.add(socket.pause());
    else this.#join(socket);
  }

  #join(socket: Socket): void {
    const pair: Pair = [socket, connect(this.#target, '127.0.0.1')];
    this.#pairs.add(pair);
    for (const [from, to] of [pair, [...pair].reverse() as [Socket, Socket]] as const) {
      from.setNoDelay();
      from.on('data', (data) => void (to.write(data) || from.pause()));
      to.on('drain', () => this.#state === 'still' || from.resume());
      from.on('error', () => undefined);
      // An end comes through no more than anything else.
      from.on('close', () => this.#state === 'still' || this.#end(pair));
    }
  }

  #end(pair: Pair): void {
    this.#pairs.delete(pair);
    for (const socket of pair) if (!socket.destroyed) socket.resetAndDestroy();
  }

  #endAll(): void {
    for (const pair of this.#pairs) this.#end(pair);
    for (const socket of this.#waiting) socket.destroy();
    this.#waiting.clear();
  }
}
