import type { Server, Socket } from 'node:net';

/** Clients that may be amid their handshake at once: of more, the one that has taken longest is cut off. */
const MAX_HANDSHAKES = 1000;
/** Milliseconds that a TLS handshake may take. */
export const HANDSHAKE_MS = 10_000;

/** The open connections of a server, also those whose TLS handshake is under way or hangs, which the server itself does not name. */
export class Connections {
  readonly #open = new Set<Socket>();
  /** Oldest first. */
  readonly #handshakes = new Set<Socket>();
  readonly #maxHandshakes: number;

  /** @param maxHandshakes handshakes that may be under way at once */
  constructor(maxHandshakes = MAX_HANDSHAKES) {
    this.#maxHandshakes = maxHandshakes;
  }

  /** Watches a server that does not listen yet. */
  watch(server: Server, { encrypted }: { readonly encrypted: boolean }): void {
    server.on('connection', (socket: Socket) => {
      this.#open.add(socket);
      if (encrypted) this.#shake(socket);
      socket.once('close', () => {
        this.#open.delete(socket);
        this.#handshakes.delete(socket);
      });
    });
  }

  /** The handshake of the client with this address has been made. */
  shaken({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): void {
    for (const socket of this.#handshakes)
      if (socket.remotePort === remotePort && socket.remoteAddress === remoteAddress) this.#handshakes.delete(socket);
  }

  /** Breaks all connections off. */
  destroy(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #shake(socket: Socket): void {
    this.#handshakes.add(socket);
    const [oldest] = this.#handshakes;
    if (this.#handshakes.size > this.#maxHandshakes) oldest?.destroy();
  }
}
