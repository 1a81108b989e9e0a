import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { HttpClient } from '../../../../engine/base/net/http-client.ts';

it.each([
  ['no answer at all', '/', 'there is no whole answer within 200 ms'],
  ['the beginning of one', '/half', 'there is no whole answer within 200 ms'],
  ['a part of one', '/broken', 'the connection broke amid the answer'],
  ['nothing, and the caller gives up', '/given-up', 'The operation was aborted'],
])('a server that sends %s is told in plain words', async (_what, path, text) => {
  const server = createServer(({ url }, response) => {
    if (url === '/half' || url === '/broken') response.writeHead(200, { 'Content-Length': 2 }).write('x');
    if (url === '/broken') setTimeout(() => response.destroy(), 20);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(path, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const client = new HttpClient({ url, method: 'GET', headers: {}, timeout: path === '/broken' ? 60_000 : 200, tls: {} });
  const signal = path === '/given-up' ? AbortSignal.timeout(20) : new AbortController().signal;
  await expect(client.send(null, signal)).rejects.toMatchObject({ message: text });
  client.close();
  server.close();
  server.closeAllConnections();
});
