import { createSocket, type Socket } from 'node:dgram';
import { joined, type Piece, type Writer } from './writers.ts';

export interface UdpWriterOptions {
  readonly host: string;
  readonly port: number;
  /** `udp` takes what the name of the host leads to. */
  readonly net: 'udp' | 'udp4' | 'udp6';
  /** Address to send from. */
  readonly local?: { readonly host: string; readonly port: number };
  /** Bytes; larger messages are dropped. */
  readonly maxMessageSize: number;
  readonly onDropped: (text: string) => void;
}

/** Sends each message as a datagram. Whether it arrives is not known, and what cannot be sent is lost. */
export class UdpWriter implements Writer {
  readonly #options: UdpWriterOptions;
  readonly #socket: Socket;

  private constructor(options: UdpWriterOptions, socket: Socket) {
    this.#options = options;
    this.#socket = socket;
    // Such as a port that nobody listens at: the sender of datagrams is none the worse for it.
    socket.on('error', () => undefined);
  }

  /** Throws when it cannot send from its local address. */
  static async open(options: UdpWriterOptions): Promise<UdpWriter> {
    const { host, net, local } = options;
    const family = net === 'udp6' || (net === 'udp' && host.includes(':')) ? 'udp6' : 'udp4';
    const socket = createSocket(family);
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.bind({ port: local?.port ?? 0, ...(local === undefined || local.host === '' ? {} : { address: local.host }) }, resolve);
    });
    return new UdpWriter(options, socket);
  }

  async write(pieces: readonly Piece[]): Promise<void> {
    const { host, port, maxMessageSize, onDropped } = this.#options;
    let dropped = 0;
    for (const piece of pieces) {
      const bytes = joined([piece]);
      if (bytes.length > maxMessageSize) dropped++;
      else await new Promise<void>((resolve) => this.#socket.send(bytes, port, host || 'localhost', () => resolve()));
    }
    if (dropped > 0) onDropped(`${dropped} messages are larger than max_message_size of ${maxMessageSize} bytes and are lost`);
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.close(() => resolve()));
  }
}
