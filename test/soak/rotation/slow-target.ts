import { createServer, type Server, type Socket } from 'node:net';

/** A TCP server that takes so many bytes each second, whatever is sent. */
export class SlowTarget {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #bytesPerMs: number;
  #rest = '';

  /** @param onLine called with each line */
  constructor(bytesPerSecond: number, onLine: (line: string) => void) {
    this.#bytesPerMs = bytesPerSecond / 1000;
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      socket.on('error', () => undefined);
      socket.setEncoding('latin1').on('data', (text) => {
        const lines = (this.#rest + String(text)).split('\n');
        this.#rest = lines.pop() ?? '';
        for (const line of lines) onLine(line);
        if (this.#bytesPerMs === Infinity) return;
        socket.pause();
        if (this.#bytesPerMs > 0) setTimeout(() => socket.resume(), text.length / this.#bytesPerMs);
      });
    });
  }

  listen(port: number): Promise<void> {
    return new Promise((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
  }

  /** Takes nothing from now on. */
  halt(): void {
    this.#bytesPerMs = 0;
  }

  /** Takes all there is from now on. */
  hurry(): void {
    this.#bytesPerMs = Infinity;
    for (const socket of this.#sockets) socket.resume();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
