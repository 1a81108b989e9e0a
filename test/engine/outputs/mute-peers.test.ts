import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HttpClient, type HttpTarget } from '../../../engine/base/net/http-client.ts';
import { TcpWriter } from '../../../engine/outputs/tcp-output.ts';
import { until } from '../../until.ts';

/** The beginning of a handshake of TLS: the head of a record that never comes. */
const HELLO = Buffer.from([0x16, 3, 3, 0x3f, 0]);

/** A server that takes connections, answers with the beginning of a handshake, and says no more. */
let server: Server;
let taken: Socket[];

beforeEach(async () => {
  taken = [];
  server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.write(HELLO));
    taken.push(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(() => {
  vi.useRealTimers();
  for (const socket of taken) socket.destroy();
  server.close();
});

const port = (): number => (server.address() as AddressInfo).port;
const isHeard = async (count: number): Promise<void> => {
  await until(() => taken.length === count && taken.every((socket) => socket.bytesWritten > 0), 'the hello of a client');
};

describe('a server whose handshake of TLS does not end', () => {
  it('is given up by a TCP output, which connects again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const said: string[] = [];
    const retries = { delay: 5, max_delay: 5, max_jitter: 0, max_retries: -1 };
    const options = { host: '127.0.0.1', port: port(), tls: {}, keepAlive: null, reconnectAfter: 0, retries };
    const writer = new TcpWriter({ ...options, onProblem: (text) => said.push(text) });
    const written = writer.write(['a\n']).catch(() => 'given up');
    await isHeard(1);
    vi.advanceTimersByTime(29_000);
    expect(said).toEqual([]);
    vi.advanceTimersByTime(1000);
    await until(() => said.length === 1, 'the problem');
    expect(said[0]).toContain('no connection within 30 seconds');
    await isHeard(2);
    writer.closing();
    vi.advanceTimersByTime(40_000);
    expect(await written).toBe('given up');
    await writer.close();
  });

  it.each([
    ['its own time for a connection', { connectTimeout: 50 }, 'no connection within 50 ms', 50],
    ['none of its own', {}, 'no end of the TLS handshake within 30 seconds', 30_000],
    ['any time', { connectTimeout: 0 }, 'no end of the TLS handshake within 30 seconds', 30_000],
  ] satisfies [string, Partial<HttpTarget>, string, number][])('is given up by an HTTP client with %s', async (_what, own, text, ms) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const url = new URL(`https://127.0.0.1:${port()}/`);
    const client = new HttpClient({ url, method: 'POST', headers: {}, timeout: 0, tls: {}, ...own });
    const sent = client.send(Buffer.from('a'), AbortSignal.timeout(60_000)).then(
      () => 'an answer',
      (error: Error) => error.message,
    );
    await isHeard(1);
    vi.advanceTimersByTime(ms);
    expect(await sent).toBe(text);
    client.close();
  });
});
