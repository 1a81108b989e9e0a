import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import type { Random } from './random.ts';

/** Milliseconds that a connection is left alone before it may be reset. */
const LIFE_MS = [50, 500] as const;
/**
 * A sender sends again what it had sent in the last second; that it was sent it may hear a while after it has been read here.
 */
const RECENT_MS = 1000 + 1000;
/** A server that has not run for so long has not read for so long, either: then it resets nothing. */
const MOST_LATE_MS = 200;

interface ReadLines {
  readonly at: number;
  readonly count: number;
}

/** A server that resets its connections at random, and reads lines from them. */
export class TcpTarget {
  readonly #random: Random;
  readonly #onLine: (line: string) => void;
  readonly #onReset: (recent: number) => void;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #spared = new WeakSet<Socket>();
  #calm = false;
  #resets = 0;

  /**
   * @param onLine called with each line; a line without its end does not count
   * @param onReset called with the number of lines that were read lately from the connection
   */
  constructor(random: Random, onLine: (line: string) => void, onReset: (recent: number) => void) {
    this.#random = random;
    this.#onLine = onLine;
    this.#onReset = onReset;
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
    const recent: ReadLines[] = [];
    socket.setEncoding('latin1').on('data', (text) => {
      const lines = (rest + String(text)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#onLine(line);
      recent.push({ at: performance.now(), count: lines.length });
      while (performance.now() - (recent[0] as ReadLines).at > RECENT_MS) recent.shift();
    });
    socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
    this.#live(socket, recent);
  }

  /** Half of the times that a connection has lived for a while, it is reset. */
  #live(socket: Socket, recent: readonly ReadLines[]): void {
    const life = this.#random.between(...LIFE_MS);
    const due = performance.now() + life;
    setTimeout(() => {
      if (socket.destroyed || this.#calm || this.#spared.has(socket)) return;
      if (!this.#random.chance(0.5) || performance.now() > due + MOST_LATE_MS) return this.#live(socket, recent);
      this.#resets++;
      this.#onReset(recent.reduce((sum, { at, count }) => sum + (performance.now() - at > RECENT_MS ? 0 : count), 0));
      socket.resetAndDestroy();
    }, life).unref();
  }
}
