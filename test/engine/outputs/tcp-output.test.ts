import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { TcpWriter, type TcpWriterOptions } from '../../../engine/outputs/tcp-output.ts';
import { freePort } from '../../ports.ts';
import { until } from '../../until.ts';
import { cleanups, cleanUp, retries } from './network-fixtures.ts';

afterEach(cleanUp);

/** A server that keeps the lines that it reads, and can be ended and started again on its port. */
class LineServer {
  readonly lines: string[] = [];
  connections = 0;
  port = 0;
  #server: Server | null = null;
  readonly #sockets = new Set<Socket>();
  /** Called for each line. */
  onLine: (socket: Socket) => void = () => undefined;

  async start(): Promise<void> {
    const server = createServer((socket) => {
      this.connections++;
      this.#sockets.add(socket);
      let rest = '';
      socket.setEncoding('utf8').on('data', (text) => {
        const parts = (rest + String(text)).split('\n');
        rest = parts.pop() ?? '';
        for (const line of parts) {
          this.lines.push(line);
          this.onLine(socket);
        }
      });
      socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    for (const socket of this.#sockets) socket.destroy();
    if (server !== null) await new Promise<void>((resolve) => server.close(() => resolve()));
    this.#server = null;
  }
}

async function lineServer(): Promise<LineServer> {
  const server = new LineServer();
  server.port = await freePort();
  await server.start();
  cleanups.push(() => server.stop());
  return server;
}

function tcp(port: number, more: Partial<TcpWriterOptions> = {}): { writer: TcpWriter; said: string[] } {
  const said: string[] = [];
  const writer = new TcpWriter({
    host: '127.0.0.1',
    port,
    tls: null,
    keepAlive: null,
    reconnectAfter: 0,
    retries,
    onProblem: (text) => said.push(text),
    ...more,
  });
  cleanups.push(() => writer.close());
  return { writer, said };
}

const numbered = (count: number, from = 0): string[] => Array.from({ length: count }, (_, i) => `line ${from + i}\n`);
const seen = (server: LineServer): Set<string> => new Set(server.lines);

describe('TcpWriter', () => {
  it('writes everything in order, and what is left when it is closed', async () => {
    const server = await lineServer();
    const { writer } = tcp(server.port);
    for (let from = 0; from < 20_000; from += 500) await writer.write(numbered(500, from));
    await writer.close();
    await expect.poll(() => server.lines.length).toBe(20_000);
    expect(server.lines).toEqual(numbered(20_000).map((line) => line.trimEnd()));
    expect(server.connections).toBe(1);
  });

  it('waits for a server that is not there, and says so once', async () => {
    const server = await lineServer();
    await server.stop();
    const { writer, said } = tcp(server.port);
    const written = writer.write(numbered(3));
    await until(() => said.length > 0, 'the first attempt');
    await server.start();
    await written;
    await expect.poll(() => server.lines).toEqual(['line 0', 'line 1', 'line 2']);
    expect(said).toEqual([expect.stringMatching(/^cannot be delivered to and is tried again: .*ECONNREFUSED/), 'is delivered to again']);
  });

  it.each(['ends', 'breaks'])('loses nothing when the connection %s in the middle', async (how) => {
    const server = await lineServer();
    let count = 0;
    server.onLine = (socket) => {
      if (++count % 700 !== 0) return;
      if (how === 'ends') socket.end();
      else socket.resetAndDestroy();
    };
    const { writer } = tcp(server.port);
    for (let from = 0; from < 3000; from += 50) {
      await writer.write(numbered(50, from));
      await delay(1);
    }
    server.onLine = () => undefined;
    await writer.close();
    await expect.poll(() => seen(server).size).toBe(3000);
    expect(server.connections).toBeGreaterThan(1);
  });

  it('loses nothing when the server is started again', async () => {
    const server = await lineServer();
    const { writer } = tcp(server.port);
    for (let from = 0; from < 2000; from += 20) {
      if (from % 500 === 480) {
        await server.stop();
        setTimeout(() => void server.start(), 20);
      }
      await writer.write(numbered(20, from));
      await delay(1);
    }
    await expect.poll(() => seen(server).size).toBe(2000);
  });

  it('sends at the next start what was not sent, or perhaps not read, when it was stopped', async () => {
    const server = await lineServer();
    const folder = await mkdtemp(join(tmpdir(), 'sluicebox-unsent-'));
    cleanups.push(() => rm(folder, { recursive: true, force: true }));
    const unsent = join(folder, 'state', 'unsent');
    const first = tcp(server.port, { unsent });
    await first.writer.write(numbered(5));
    await expect.poll(() => server.lines.length).toBe(5);
    await server.stop();
    await expect.poll(() => existsSync(unsent)).toBe(true);
    first.writer.closing();
    await first.writer.close();
    expect(readFileSync(unsent, 'utf8')).toBe(numbered(5).join(''));
    server.lines.length = 0;
    await server.start();
    const second = tcp(server.port, { unsent });
    await second.writer.resume();
    await second.writer.write(numbered(2, 5));
    await expect.poll(() => server.lines.length).toBe(7);
    expect(server.lines).toEqual(numbered(7).map((line) => line.trimEnd()));
    await expect.poll(() => existsSync(unsent)).toBe(false);
  });

  it('says at its end what may not have been read, where nothing keeps it', async () => {
    const server = await lineServer();
    const { writer, said } = tcp(server.port);
    await writer.write(numbered(5));
    await expect.poll(() => server.lines.length).toBe(5);
    await server.stop();
    await expect.poll(() => said.length).toBe(1);
    writer.closing();
    await writer.close();
    expect(said.at(-1)).toBe(`${numbered(5).join('').length} bytes that were sent last may not have been read, and are not sent again`);
  });

  it('does not start when it cannot know what is to be sent again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluicebox-unsent-'));
    cleanups.push(() => rm(folder, { recursive: true, force: true }));
    await expect(tcp(9, { unsent: folder }).writer.resume()).rejects.toThrow(`${folder} cannot be read (it is a`);
  });

  it('says what was sent after each portion', async () => {
    const server = await lineServer();
    const { writer } = tcp(server.port, { portionMessages: 3 });
    const taken: number[] = [];
    await writer.write(numbered(8), { mark: () => '', taken: async (count) => void taken.push(count) });
    expect(taken).toEqual([3, 6, 8]);
  });

  it('makes a new connection after so many messages', async () => {
    const server = await lineServer();
    const { writer } = tcp(server.port, { reconnectAfter: 4 });
    await writer.write(numbered(3));
    await writer.write(numbered(7, 3));
    await writer.close();
    await expect.poll(() => server.lines.length).toBe(10);
    expect(server.lines).toEqual(numbered(10).map((line) => line.trimEnd()));
    expect(server.connections).toBe(3);
  });

  it('gives up when it is told, and after the last attempt', async () => {
    const server = await lineServer();
    await server.stop();
    const first = tcp(server.port);
    const written = first.writer.write(numbered(1));
    written.catch(() => undefined);
    first.writer.closing();
    await expect(written).rejects.toMatchObject({ name: 'NotDeliveredError', final: false });
    const second = tcp(server.port, { retries: { ...retries, max_retries: 2 } });
    await expect(second.writer.write(numbered(1))).rejects.toMatchObject({ name: 'NotDeliveredError', final: true });
  });

  it('connects from its local address', async () => {
    const server = await lineServer();
    let from = '';
    server.onLine = (socket) => (from = socket.remoteAddress ?? '');
    const { writer } = tcp(server.port, { local: { host: '127.0.0.3', port: 0 } });
    await writer.write(['x\n']);
    await expect.poll(() => from).toBe('127.0.0.3');
  });
});
