import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach } from 'vitest';
import type { AcknowledgedInput } from '../../../../engine/inputs/acknowledged/acknowledged-input.ts';
import { TestSink } from '../harness.ts';

const cleanups: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Starts an input until the end of the test. */
export async function started(input: AcknowledgedInput): Promise<TestSink> {
  const sink = new TestSink();
  await input.start(sink);
  cleanups.push(() => input.stop());
  return sink;
}

/** A sender, with what it was answered. */
export class Client {
  readonly socket: Socket;
  isClosed = false;
  answer = '';

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (data) => (this.answer += data.toString('latin1')));
    socket.on('close', () => (this.isClosed = true));
    socket.on('error', () => undefined);
  }

  static async to(input: AcknowledgedInput): Promise<Client> {
    const socket = connect(input.address()?.port ?? 0, '127.0.0.1');
    await once(socket, 'connect');
    cleanups.push(() => void socket.destroy());
    return new Client(socket);
  }

  send(bytes: string | Buffer): void {
    this.socket.write(bytes);
  }
}
