import { createServer as createHttpServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const retries = { delay: 5, max_delay: 20, max_jitter: 0, max_retries: -1 };

export interface HttpCall {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export const target = (url: string, more: object = {}) => ({
  url: new URL(url),
  method: 'POST',
  headers: {},
  timeout: 0,
  tls: {},
  ...more,
});

/** Actions that undo a test, the last first. */
export const cleanups: (() => Promise<unknown> | void)[] = [];

export async function cleanUp(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}

/** A server that answers by a function, and keeps what it was asked. */
export async function httpServer(
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
