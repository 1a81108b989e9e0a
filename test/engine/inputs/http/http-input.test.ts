import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { HttpInput, type HttpInputOptions } from '../../../../engine/inputs/http/http-input.ts';
import type { Message } from '../../../../engine/message/types.ts';
import { TestSink } from '../harness.ts';
import { until } from '../../../until.ts';
import { messagesOf, fieldsOf } from './http-fixtures.ts';

const cleanups: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<URL> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

const poll = async (urls: readonly string[], more?: Partial<HttpInputOptions>): Promise<Message[]> => messagesOf(await polled(urls, more));

async function polled(urls: readonly string[], more: Partial<HttpInputOptions> = {}, sink = new TestSink()): Promise<TestSink> {
  const input = new HttpInput({
    name: 'poll',
    urls,
    body: null,
    seconds: 1,
    severity: { success: 6, error: 1 },
    hostname: 'box1',
    request: { method: 'GET', headers: {}, timeout: 0, tls: {} },
    ...more,
  });
  await input.start(sink);
  await until(() => sink.idles > 0, 'a round');
  await input.stop();
  await input.settle();
  return sink;
}

describe('HttpInput', () => {
  it('makes messages of answers and failures, in the order of the addresses', async () => {
    const asked: string[] = [];
    const url = await serve((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers['user-agent']} ${String(request.headers['x-a'])}`);
      if (request.url === '/moved') response.writeHead(302, { Location: '/there' }).end();
      else if (request.url === '/loop') response.writeHead(302, { Location: '/loop' }).end();
      else if (request.url === '/bad') response.writeHead(500).end('oh');
      else response.end('fine');
    });
    const at = (path: string): string => new URL(path, url).href;
    const request = { method: 'GET', headers: { 'X-A': ['1', '2'] }, timeout: 0, tls: {} };
    const messages = await poll([at('/x'), at('/bad'), at('/moved'), at('/loop'), 'http://127.0.0.1:1'], { request });
    expect(messages.map(({ type, severity, payload, logger }) => [type, severity, payload, logger])).toEqual([
      ['svc.httpinput.data', 6, 'fine', at('/x')],
      ['svc.httpinput.data', 1, 'oh', at('/bad')],
      ['svc.httpinput.data', 6, 'fine', at('/moved')],
      ['svc.httpinput.error', 1, 'stopped after 10 redirects', at('/loop')],
      ['svc.httpinput.error', 1, expect.stringContaining('ECONNREFUSED'), 'http://127.0.0.1:1'],
    ]);
    expect(asked[0]).toBe('GET /x svc 1, 2');
    const [first, second] = messages as [Message, Message];
    expect(fieldsOf(first).filter(([name]) => name !== 'ResponseTime')).toEqual([
      ['StatusCode', 200n],
      ['Status', '200 OK'],
      ['ResponseSize', 4n],
      ['Protocol', 'HTTP/1.1'],
    ]);
    expect(first.fields.map(({ representation }) => representation)).toEqual(['', '', 'B', 's', '']);
    expect(fieldsOf(second)[1]).toEqual(['Status', '500 Internal Server Error']);
  });

  it('tells a password only to the server that it is for', async () => {
    const asked: string[] = [];
    const note = ({ url: path, headers: { host, authorization, cookie, 'x-a': other } }: IncomingMessage): unknown =>
      asked.push([path, host, authorization, cookie, other].join(' '));
    const other = await serve((request, response) => {
      note(request);
      response.end('fine');
    });
    const url = await serve((request, response) => {
      note(request);
      response.writeHead(302, { Location: request.url === '/' ? '/there' : `${other.href}elsewhere` }).end();
    });
    const headers = { cookie: ['c=1'], Host: ['box'], 'X-A': ['1'] };
    await poll([url.href], { request: { method: 'GET', headers, username: 'me', password: 'pw', timeout: 0, tls: {} } });
    const login = `Basic ${btoa('me:pw')}`;
    expect(asked.slice(0, 3)).toEqual([`/ box ${login} c=1 1`, `/there box ${login} c=1 1`, `/elsewhere ${other.host}   1`]);
  });

  it('tells of an answer that is too long', async () => {
    const url = await serve((_, response) => response.end('x'.repeat((8 << 20) + 1)));
    const sink = await polled([url.href, url.href]);
    expect(sink.notices.map(({ text }) => text)).toEqual([`${url.href} answers more than 8 MiB: only its first 8 MiB are read.`]);
    expect(sink.payloads.map(({ length }) => length)).toEqual([8 << 20, 8 << 20]);
  });

  it('sends a body and a password', async () => {
    let got = '';
    const url = await serve((request, response) => {
      request.setEncoding('utf8').on('data', (text) => (got += String(text)));
      request.on('end', () => {
        got += ` ${request.method} ${request.headers.authorization}`;
        response.end();
      });
    });
    const request = { method: 'POST', headers: {}, username: 'me', password: 'pw', timeout: 0, tls: {} };
    await poll([url.href], { request, body: 'ask' });
    expect(got).toBe(`ask POST Basic ${btoa('me:pw')}`);
  });

  it('stops while it waits for an answer', async () => {
    let isAsked = false;
    const url = await serve(() => (isAsked = true));
    const input = new HttpInput({
      name: 'poll',
      urls: [url.href],
      body: null,
      seconds: 1,
      severity: { success: 6, error: 1 },
      hostname: '',
      request: { method: 'GET', headers: {}, timeout: 0, tls: {} },
    });
    const sink = new TestSink();
    await input.start(sink);
    await until(() => isAsked, 'the request');
    await input.stop();
    expect(sink.batches).toEqual([]);
  });
});

describe('HttpInput with a cursor', () => {
  const RECORDS = Array.from({ length: 7 }, (_, i) => `r${i}`);

  /** A server that pages by offsets. */
  async function paged(): Promise<{ url: string; asked: string[] }> {
    const asked: string[] = [];
    const url = await serve(({ url: path = '' }, response) => {
      asked.push(path);
      const from = Number(new URL(path, 'http://h').searchParams.get('from'));
      response.end(JSON.stringify({ items: RECORDS.slice(from, from + 3) }));
    });
    return { url: url.href, asked };
  }

  async function cursor(kind: 'link' | 'json' | 'page' | 'offset', path: string, parameter?: string, maxPages = 100) {
    const folder = await mkdtemp(join(tmpdir(), 'cursors-'));
    cleanups.push(() => rm(folder, { recursive: true }));
    return { rule: { kind, path, parameter }, maxPages, file: join(folder, 'a.cursors') };
  }

  it('reads all pages of a round, and goes on after a restart with what is new', async () => {
    const { url, asked } = await paged();
    const by = await cursor('offset', 'items', 'from');
    const first = await polled([url], { cursor: by, seconds: 0.2 });
    expect(first.payloads.flatMap((body) => (JSON.parse(body) as { items: string[] }).items)).toEqual(RECORDS);
    expect(asked).toEqual(['/?from=0', '/?from=3', '/?from=6', '/?from=7']);
    RECORDS.push('r7');
    const second = await polled([url], { cursor: by, seconds: 0.2 });
    expect(second.payloads).toEqual(['{"items":["r7"]}', '{"items":[]}']);
  });

  it('asks again for pages that were not taken', async () => {
    const { url, asked } = await paged();
    const by = await cursor('offset', 'items', 'from', 2);
    const sink = new TestSink();
    sink.acknowledges = false;
    await polled([url], { cursor: by, seconds: 0.2 }, sink);
    expect(asked.splice(0)).toEqual(['/?from=0', '/?from=3']);
    await polled([url], { cursor: by, seconds: 0.2 });
    expect(asked.splice(0)).toEqual(['/?from=0', '/?from=3']);
    await polled([url], { cursor: by, seconds: 0.2 });
    expect(asked.slice(0, 2)).toEqual(['/?from=6', '/?from=8']);
  });

  it('tells of a page on another server, and does not ask for it', async () => {
    const url = await serve((_, response) => response.setHeader('Link', '<http://127.0.0.1:1/>; rel="next"').end('fine'));
    const messages = messagesOf(await polled([url.href], { cursor: await cursor('link', ''), seconds: 0.2 }));
    expect(messages.map(({ type, payload }) => [type, payload])).toEqual([
      ['svc.httpinput.data', 'fine'],
      ['svc.httpinput.error', 'the next page is on another server, http://127.0.0.1:1'],
    ]);
  });

  it('stays where it is when the answer is a failure', async () => {
    const statuses = [200, 503];
    const asked: string[] = [];
    const url = await serve(({ url: path = '' }, response) => {
      asked.push(path);
      response.writeHead(statuses.shift() ?? 200).end('{"next":"b"}');
    });
    const by = await cursor('json', 'next', 'after');
    await polled([url.href], { cursor: by, seconds: 0.2 });
    await polled([url.href], { cursor: by, seconds: 0.2 });
    expect(asked).toEqual(['/', '/?after=b', '/?after=b']);
  });
});
