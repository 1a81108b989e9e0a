import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { NotDeliveredError } from '../../../engine/outputs/delivery.ts';
import { HttpWriter } from '../../../engine/outputs/http-output.ts';
import { cleanUp, httpServer, retries, target } from './network-fixtures.ts';

afterEach(cleanUp);

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
