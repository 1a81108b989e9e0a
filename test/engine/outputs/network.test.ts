import { createSocket } from 'node:dgram';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { httpIndex, udpIndex } from '../../../engine/outputs/bulk-output.ts';
import { BulkWriter } from '../../../engine/outputs/bulk-writer.ts';
import { NotDeliveredError } from '../../../engine/outputs/delivery.ts';
import { HttpWriter } from '../../../engine/outputs/http-output.ts';
import { TcpWriter, type TcpWriterOptions } from '../../../engine/outputs/tcp-output.ts';
import { UdpWriter } from '../../../engine/outputs/udp-output.ts';
import { freePort } from '../../ports.ts';
import { until } from '../../until.ts';

const cleanups: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const retries = { delay: 5, max_delay: 20, max_jitter: 0, max_retries: -1 };

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
    await expect(tcp(9, { unsent: folder }).writer.resume()).rejects.toThrow(`${folder} cannot be read (EISDIR`);
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

describe('UdpWriter', () => {
  it('sends a datagram for each message, and drops those that are too large', async () => {
    const socket = createSocket('udp4');
    const got: string[] = [];
    socket.on('message', (message, { address }) => got.push(`${address} ${message.toString()}`));
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    cleanups.push(() => void socket.close());
    const dropped: string[] = [];
    const target = { host: '127.0.0.1', port: socket.address().port, local: { host: '127.0.0.2', port: 0 } };
    const writer = await UdpWriter.open({ ...target, net: 'udp', maxMessageSize: 512, onDropped: (text) => dropped.push(text) });
    await writer.write(['one', Buffer.from('two'), 'x'.repeat(513), 'ö'.repeat(256)]);
    await expect.poll(() => got.length).toBe(3);
    expect(got).toEqual(['127.0.0.2 one', '127.0.0.2 two', `127.0.0.2 ${'ö'.repeat(256)}`]);
    expect(dropped).toEqual(['1 messages are larger than max_message_size of 512 bytes and are lost']);
    await writer.close();
  });

  it.each([
    ['the system does not send', '255.255.255.255', /EACCES|ENETUNREACH/],
    ['goes to nobody', 'no-such-host.invalid', /ENOTFOUND|EAI_AGAIN/],
  ])('counts what %s', async (_what, host, why) => {
    const dropped: string[] = [];
    const writer = await UdpWriter.open({ host, port: 9, net: 'udp4', maxMessageSize: 512, onDropped: (text) => dropped.push(text) });
    await writer.write(['one', 'two', 'x'.repeat(513)]);
    expect(dropped).toEqual([
      '1 messages are larger than max_message_size of 512 bytes and are lost',
      expect.stringMatching(new RegExp(`^2 messages could not be sent and are lost: .*(${why.source})`)),
    ]);
    await writer.close();
  });

  it('does not mind that nobody listens', async () => {
    const writer = await UdpWriter.open({ host: '127.0.0.1', port: 9, net: 'udp4', maxMessageSize: 512, onDropped: () => undefined });
    for (let i = 0; i < 5; i++) await writer.write(['x']);
    await writer.close();
  });
});

interface HttpCall {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A server that answers by a function, and keeps what it was asked. */
async function httpServer(
  answer: (call: HttpCall, response: ServerResponse, number: number) => void,
): Promise<{ url: string; calls: HttpCall[] }> {
  const calls: HttpCall[] = [];
  const server: HttpServer = createHttpServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text) => (body += String(text)));
    request.on('end', () => {
      const call = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      calls.push(call);
      answer(call, response, calls.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}

const target = (url: string, more: object = {}) => ({ url: new URL(url), method: 'POST', headers: {}, timeout: 0, tls: {}, ...more });

describe('HttpWriter', () => {
  it('sends a request for each message, again when it is refused', async () => {
    const { url, calls } = await httpServer((_call, response, number) =>
      response.writeHead(number === 2 ? 503 : number === 3 ? 302 : 204).end(),
    );
    const said: string[] = [];
    const headers = { 'X-Kind': ['a', 'b'], 'Content-Type': ['text/plain'] };
    const writer = new HttpWriter(target(`${url}/write?db=x`, { headers, username: 'me', password: 'pw' }), {
      retries,
      onProblem: (text) => said.push(text),
    });
    await writer.write(['one', Buffer.from('zwö')]);
    await writer.close();
    expect(calls.map(({ body }) => body)).toEqual(['one', 'zwö', 'zwö']);
    expect(calls[0]).toMatchObject({ method: 'POST', url: '/write?db=x' });
    expect(calls[0]?.headers).toMatchObject({
      'x-kind': 'a, b',
      'content-type': 'text/plain',
      'user-agent': 'svc',
      'content-length': '3',
      authorization: `Basic ${Buffer.from('me:pw').toString('base64')}`,
    });
    expect(said).toEqual(['cannot be delivered to and is tried again: the server answers 503', 'is delivered to again']);
  });

  it('says of each request that it was taken, when it was', async () => {
    const { url } = await httpServer((_call, response, number) => response.writeHead(number === 2 ? 500 : 200).end());
    const writer = new HttpWriter(target(url), { retries, onProblem: () => undefined });
    const taken: number[] = [];
    await writer.write(['a', 'b', 'c'], { mark: () => '', taken: async (count) => void taken.push(count) });
    expect(taken).toEqual([1, 2, 3]);
    await writer.close();
  });

  it('sends no body with GET, and tries again after its time is up', async () => {
    const { url, calls } = await httpServer((_call, response, number) => {
      if (number > 1) response.end('fine');
    });
    const writer = new HttpWriter(target(url, { method: 'GET', timeout: 50 }), { retries, onProblem: () => undefined });
    await writer.write(['one']);
    expect(calls.length).toBeGreaterThan(1);
    expect(new Set(calls.map(({ method, body }) => `${method} ${body}`))).toEqual(new Set(['GET ']));
    await writer.close();
  });

  it('sends again at once, and says nothing, when the server has closed a connection that was kept', async () => {
    const requests = new WeakMap<Socket, number>();
    const { url, calls } = await httpServer((_call, response) => {
      const socket = response.socket as Socket;
      const number = (requests.get(socket) ?? 0) + 1;
      requests.set(socket, number);
      if (number === 1) response.writeHead(204).end();
      else socket.resetAndDestroy();
    });
    const said: string[] = [];
    const never = { ...retries, delay: 3_600_000, max_delay: 3_600_000 };
    const writer = new HttpWriter(target(url), { retries: never, onProblem: (text) => said.push(text) });
    await writer.write(['one', 'two', 'three']);
    expect(calls.map(({ body }) => body)).toEqual(['one', 'two', 'two', 'three', 'three']);
    expect(said).toEqual([]);
    await writer.close();
  });

  it('waits as for any other failure when a connection is reset that was made just now', async () => {
    const { url, calls } = await httpServer((_call, response, number) => {
      if (number === 1) response.socket?.resetAndDestroy();
      else response.writeHead(204).end();
    });
    const said: string[] = [];
    const writer = new HttpWriter(target(url), { retries, onProblem: (text) => said.push(text) });
    await writer.write(['one']);
    expect(calls).toHaveLength(2);
    expect(said).toEqual([expect.stringContaining('is tried again'), 'is delivered to again']);
    await writer.close();
  });

  it('gives up when the service stops', async () => {
    const { url } = await httpServer((_call, response) => response.writeHead(500).end());
    const writer = new HttpWriter(target(url), { retries, onProblem: () => undefined });
    const written = writer.write(['one']);
    written.catch(() => undefined);
    writer.closing();
    await expect(written).rejects.toBeInstanceOf(NotDeliveredError);
    await writer.close();
  });
});

describe('BulkWriter', () => {
  const FINE = '{"errors":false}';
  const index = (url: string, said: string[] = []) => httpIndex(target(url), (text) => said.push(text));
  const partly = (...results: object[]) => JSON.stringify({ took: 3, errors: true, items: results.map((result) => ({ index: result })) });

  it('sends so many messages together, and the rest after a while', async () => {
    const { url, calls } = await httpServer((_call, response) => response.end(FINE));
    const writer = new BulkWriter(index(url), { flushCount: 3, flushInterval: 50, onProblem: () => undefined });
    await Promise.all([writer.write(['1\n', '2\n']), writer.write(['3\n', '4\n', '5\n', '6\n', '7\n'])]);
    expect(calls.map(({ body }) => body)).toEqual(['1\n2\n3\n', '4\n5\n6\n', '7\n']);
    expect(writer.figures).toEqual({ SentMessageCount: 7, DropMessageCount: 0 });
    const last = writer.write(['8\n']);
    await writer.close();
    await last;
    expect(calls.at(-1)?.body).toBe('8\n');
  });

  it.each<[string, number, string, 0 | 1, string | null]>([
    [
      'errors with 200 count as success, and are said',
      200,
      '{"errors":true}',
      1,
      'the index refused some messages of a request: {"errors":true}',
    ],
    [
      'one of two is refused',
      200,
      partly({ status: 201 }, { status: 400, error: { type: 'document_parsing_exception', reason: 'failed to parse field [took]' } }),
      1,
      'the index refused 1 of 2 messages of a request: failed to parse field [took]',
    ],
    ['refused without a reason', 200, partly({ error: { type: 'x' } }), 1, 'the index refused 1 of 1 messages of a request: {"type":"x"}'],
    ['refused in a word', 200, partly({ error: 'no' }), 1, 'the index refused 1 of 1 messages of a request: no'],
    ['errors with another status are dropped', 201, '{"errors":true}', 0, '1 messages are lost: the index answers 201: {"errors":true}'],
    ['a high status is dropped', 400, '{"error":"bad"}', 0, '1 messages are lost: the index answers 400: {"error":"bad"}'],
    ['a long answer is read to its end', 200, `{"errors":false,"took":"${'x'.repeat(9 << 20)}"}`, 1, null],
    ['an empty object is fine', 200, '{}', 1, null],
    ['JSON of another kind is fine', 200, '[1]', 1, null],
  ])('%s', async (_title, status, body, sent, problem) => {
    const { url, calls } = await httpServer((_call, response) => response.writeHead(status).end(body));
    const said: string[] = [];
    const writer = new BulkWriter(index(url, said), { flushCount: 1, flushInterval: 0, onProblem: (text) => said.push(text) });
    await writer.write(['x']);
    expect(writer.figures).toEqual({ SentMessageCount: sent, DropMessageCount: 1 - sent });
    expect(calls).toHaveLength(1);
    expect(said).toEqual(problem === null ? [] : [problem]);
    await writer.close();
  });

  it('sends again what was answered by no JSON', async () => {
    const { url, calls } = await httpServer((_call, response, number) =>
      response.writeHead(number === 1 ? 502 : 200).end(number === 1 ? '<html>' : FINE),
    );
    const writer = new BulkWriter(index(url), { flushCount: 1, flushInterval: 0, onProblem: () => undefined });
    await writer.write(['x']);
    expect(calls.map(({ body }) => body)).toEqual(['x', 'x']);
    await writer.close();
  });

  it('sends datagrams of a size that fits', async () => {
    const socket = createSocket('udp4');
    const sizes: number[] = [];
    socket.on('message', (message) => sizes.push(message.length));
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    cleanups.push(() => void socket.close());
    const udp = await UdpWriter.open({
      host: '127.0.0.1',
      port: socket.address().port,
      net: 'udp',
      maxMessageSize: 65_507,
      onDropped: () => undefined,
    });
    const writer = new BulkWriter(udpIndex(udp), { flushCount: 100, flushInterval: 20, onProblem: () => undefined });
    await writer.write(Array.from({ length: 5 }, () => 'x'.repeat(30_000)));
    await expect.poll(() => sizes).toEqual([60_000, 60_000, 30_000]);
    await writer.close();
  });
});
