import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';

/** A server on loopback that takes whatever comes by TCP and by UDP on one port, answers nothing, and remembers it. */
export class Listener implements AsyncDisposable {
  /** Connections and data that have arrived, in words. */
  readonly arrived: string[] = [];
  readonly #server: Server;
  readonly #socket: Socket;

  private constructor(server: Server, socket: Socket) {
    this.#server = server;
    this.#socket = socket;
    server.on('connection', (connection) => {
      this.arrived.push('a TCP connection');
      connection.on('data', (bytes: Buffer) => this.arrived.push(`by TCP: ${inWords(bytes)}`));
      connection.on('error', () => undefined);
    });
    socket.on('message', (bytes) => this.arrived.push(`by UDP: ${inWords(bytes)}`));
  }

  static async start(): Promise<Listener> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const socket = createSocket('udp4');
    socket.bind((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'listening');
    return new Listener(server, socket);
  }

  get port(): number {
    return this.#socket.address().port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close();
    await new Promise((closed) => this.#server.close(closed));
  }
}

const inWords = (bytes: Buffer): string => `${bytes.length} bytes, ${JSON.stringify(bytes.toString('latin1').slice(0, 60))}`;
