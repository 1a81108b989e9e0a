import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import type { Random } from './random.ts';

/** Milliseconds that a connection is left alone before it may be reset. */
const LIFE_MS = [50, 500] as const;
/** A server that has not run for so long has not read for so long, either: then it resets nothing. */
const MOST_LATE_MS = 200;

/** A server that resets its connections at random, and reads lines from them. */
export class TcpTarget {
  readonly #random: Random;
  readonly #onLine: (line: string) => void;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #spared = new WeakSet<Socket>();
  #calm = false;
  #resets = 0;

  /** @param onLine called with each line; a line without its end does not count */
  constructor(random: Random, onLine: (line: string) => void) {
    this.#random = random;
    this.#onLine = onLine;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  get resets(): number {
    return this.#resets;
  }

  async listen(port: number): Promise<void> {
    await once(this.#server.listen(port, '127.0.0.1'), 'listening');
  }

  /** Leaves the connections alone that are there: the other side was killed, and sends nothing again. */
  spare(): void {
    for (const socket of this.#sockets) this.#spared.add(socket);
  }

  /** Resets nothing any more. */
  calm(): void {
    this.#calm = true;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    let rest = '';
    socket.setEncoding('latin1').on('data', (text) => {
      const lines = (rest + String(text)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#onLine(line);
    });
    socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
    this.#live(socket);
  }

  /** Half of the times that a connection has lived for a while, it is reset. */
  #live(socket: Socket): void {
    const life = this.#random.between(...LIFE_MS);
    const due = performance.now() + life;
    setTimeout(() => {
      if (socket.destroyed || this.#calm || this.#spared.has(socket)) return;
      if (!this.#random.chance(0.5) || performance.now() > due + MOST_LATE_MS) return this.#live(socket);
      this.#resets++;
      socket.resetAndDestroy();
    }, life).unref();
  }
}
