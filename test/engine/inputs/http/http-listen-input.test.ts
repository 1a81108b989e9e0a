import { once } from 'node:events';
import { request, Server, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { httpListenInput, HttpListenInput, type HttpListenInputOptions } from '../../../../engine/inputs/http/http-listen-input.ts';
import type { Message } from '../../../../engine/message/types.ts';
import { TestSink } from '../harness.ts';
import { testMs } from '../../../patience.ts';
import { until } from '../../../until.ts';
import { messagesOf, fieldsOf } from './http-fixtures.ts';

const cleanups: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function listen(
  more: Partial<HttpListenInputOptions> = {},
): Promise<{ url: string; sink: TestSink; port: number; input: HttpListenInput }> {
  const input = new HttpListenInput({
    name: 'web',
    address: '127.0.0.1:0',
    headers: {},
    requestHeaders: [],
    auth: null,
    hostname: 'box1',
    ...more,
  });
  const sink = new TestSink();
  await input.start(sink);
  cleanups.push(() => input.stop());
  const port = input.address()?.port ?? 0;
  return { url: `http://127.0.0.1:${port}`, sink, port, input };
}

/** Sends a request with exactly these headers. */
async function send(
  port: number,
  headers: Record<string, string>,
  body: string,
  path = '/',
): Promise<{ readonly status: number; readonly text: string }> {
  const sent = request({ port, host: '127.0.0.1', method: 'POST', path, headers, setHost: false }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, text: (await response.toArray()).join('') };
}

describe('HttpListenInput', () => {
  it('makes a message of a request', async () => {
    const { url, sink } = await listen({ requestHeaders: ['X-Kind', 'X-Absent'], headers: { 'X-Answer': ['a'] } });
    const headers = { 'User-Agent': 'test/1', 'Content-Type': 'text/plain', 'X-Kind': 'blue' };
    const answer = await fetch(`${url}/logs/a%20b?q=1&q=2&empty=&%C3%B6=%C3%A4`, { method: 'POST', headers, body: 'one\ntwo\n' });
    expect([answer.status, await answer.text(), answer.headers.get('x-answer')]).toEqual([200, '', 'a']);
    const [message] = messagesOf(sink) as [Message];
    expect(message).toMatchObject({
      type: 'svc.httpdata.request',
      logger: 'web',
      hostname: 'box1',
      severity: 6,
      envVersion: '1',
      pid: process.pid,
      payload: 'one\ntwo\n',
    });
    expect(fieldsOf(message)).toEqual([
      ['Protocol', 'HTTP/1.1'],
      ['UserAgent', 'test/1'],
      ['ContentType', 'text/plain'],
      ['Path', '/logs/a%20b'],
      ['Host', '127.0.0.1'],
      ['RemoteAddr', '127.0.0.1'],
      ['X-Kind', 'blue'],
      ['q', '1'],
      ['q', '2'],
      ['empty', ''],
      ['ö', 'ä'],
    ]);
  });

  it.each<[string, string, [string, string][]]>([
    ['//a/b?c=1', '//a/b', [['c', '1']]],
    [
      '/a/../b/?c=%26&d+e=+',
      '/a/../b/',
      [
        ['c', '&'],
        ['d e', ' '],
      ],
    ],
    ['/\\a', '/\\a', []],
    ['/%C3%B6?%C3%A4=%ff?', '/%C3%B6', [['ä', '\ufffd?']]],
    ['http://other:1/a?b', '/a', [['b', '']]],
    ['http://other', '/', []],
    ['*', '*', []],
  ])('takes the path and the query of %s as they were sent', async (target, path, query) => {
    const { sink, port } = await listen();
    const socket = connect(port, '127.0.0.1');
    cleanups.push(() => void socket.destroy());
    socket.write(`POST ${target} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx`);
    await once(socket, 'data');
    const fields = fieldsOf(messagesOf(sink)[0] as Message);
    expect(fields.find(([name]) => name === 'Path')).toEqual(['Path', path]);
    expect(fields.slice(6)).toEqual(query);
  });

  it.each<{
    what: string;
    split: HttpListenInputOptions['split'];
    body: string;
    chunked: boolean;
    status: number;
    says: RegExp;
    payloads: string[];
  }>([
    { what: 'all that fits', split: undefined, body: 'x'.repeat(100), chunked: true, status: 200, says: /^$/, payloads: ['x'.repeat(100)] },
    {
      what: 'a body that is too long',
      split: undefined,
      body: 'x'.repeat(101),
      chunked: false,
      status: 413,
      says: /longer than the 100 bytes .* nothing of it/,
      payloads: [],
    },
    {
      what: 'one without a length',
      split: undefined,
      body: 'x'.repeat(300_000),
      chunked: true,
      status: 413,
      says: /nothing of it was taken/,
      payloads: [],
    },
    {
      what: 'a record that is too long',
      split: { kind: 'line' },
      body: `one\n${'x'.repeat(500)}\ntwo\n`,
      chunked: true,
      status: 413,
      says: /^3 records were taken, and those longer than 100 bytes were cut there/,
      payloads: ['one', 'x'.repeat(100), 'two'],
    },
  ])('answers with $status to $what', async ({ split, body, chunked, status, says, payloads }) => {
    const { url, sink } = await listen({ maxRecord: 100, ...(split === undefined ? {} : { split }) });
    const sent = chunked ? new Blob([body]).stream() : body;
    const answer = await fetch(url, { method: 'POST', body: sent, duplex: 'half' } as RequestInit);
    expect(answer.status).toBe(status);
    expect(await answer.text()).toMatch(says);
    expect(sink.payloads).toEqual(payloads);
    expect(sink.notices.map(({ code }) => code)).toEqual(status === 200 ? [] : ['request.too-large']);
    expect((await fetch(url, { method: 'POST', body: 'next' })).status).toBe(200);
    expect(sink.payloads.at(-1)).toBe('next');
  });

  it('cuts bodies, and makes nothing of empty ones', async () => {
    const { url, sink } = await listen({ split: { kind: 'line' } });
    expect((await fetch(url)).status).toBe(200);
    expect((await fetch(url, { method: 'POST', body: 'one\ntwo\nthree' })).status).toBe(200);
    expect(sink.payloads).toEqual(['one', 'two', 'three']);
  });

  it.each<[string, HttpListenInputOptions['auth'], Record<string, string>, number]>([
    ['the name and password', { kind: 'basic', username: 'me', password: 'pw:x' }, { Authorization: `Basic ${btoa('me:pw:x')}` }, 200],
    ['another password', { kind: 'basic', username: 'me', password: 'pw' }, { Authorization: `Basic ${btoa('me:no')}` }, 401],
    ['no password', { kind: 'basic', username: 'me', password: 'pw' }, {}, 401],
    ['what is none', { kind: 'basic', username: 'me', password: 'pw' }, { Authorization: 'Bearer x' }, 401],
    ['the key', { kind: 'key', key: 'secret' }, { 'X-API-Key': 'secret' }, 200],
    ['another key', { kind: 'key', key: 'secret' }, { 'X-API-Key': 'secreT' }, 401],
    ['no key', { kind: 'key', key: 'secret' }, {}, 401],
  ])('answers a request with %s', async (_title, auth, headers, status) => {
    const { url, sink } = await listen({ auth });
    expect((await fetch(url, { method: 'POST', headers, body: 'x' })).status).toBe(status);
    expect(sink.payloads).toEqual(status === 200 ? ['x'] : []);
    expect(sink.codes).toEqual(status === 200 ? [] : ['request.refused']);
  });

  it('lets senders wait while the pipeline is busy', async () => {
    const { url, sink } = await listen();
    const gate = Promise.withResolvers<void>();
    sink.gate = () => gate.promise;
    let answered = false;
    const request = fetch(url, { method: 'POST', body: 'x' }).then(() => (answered = true));
    await delay(100);
    expect(answered).toBe(false);
    gate.resolve();
    await request;
    expect(sink.payloads).toEqual(['x']);
  });

  it.each<[what: string, split: HttpListenInputOptions['split']]>([
    ['as a whole', undefined],
    ['by lines', { kind: 'line' }],
  ])('answers with 503 to what the pipeline does not take, %s', async (_what, split) => {
    const { url, sink } = await listen(split === undefined ? {} : { split });
    sink.gate = () => Promise.reject(new Error('the disk is full'));
    const answer = await fetch(url, { method: 'POST', body: 'x\n', signal: AbortSignal.timeout(10_000) });
    expect(answer.status).toBe(503);
    expect(sink.notices).toEqual([
      {
        level: 'warning',
        code: 'request.refused',
        text: expect.stringMatching(/from 127\.0\.0\.1 with status 503: the disk is full$/) as string,
      },
    ]);
  });

  it.each<[what: string, split: HttpListenInputOptions['split'], payloads: string[]]>([
    ['as a whole', undefined, ['one\ntwo\n']],
    ['by lines', { kind: 'line' }, ['one', 'two']],
  ])('unpacks gzip, %s', async (_what, split, payloads) => {
    const { url, sink } = await listen(split === undefined ? {} : { split });
    const body = Buffer.concat([gzipSync('one\n'), gzipSync('two\n')]);
    const answer = await fetch(url, { method: 'POST', headers: { 'Content-Encoding': 'GZIP' }, body });
    expect(answer.status).toBe(200);
    expect(sink.payloads).toEqual(payloads);
    expect(sink.notices).toEqual([]);
  });

  it.each<[what: string, encoding: string, body: Buffer, status: number, says: RegExp, code: string]>([
    ['what is no gzip', 'gzip', Buffer.from('plain'), 400, /^The body is not gzip: /, 'request.refused'],
    ['gzip that is cut off', 'gzip', gzipSync('some text').subarray(0, -9), 400, /^The body is not gzip: /, 'request.refused'],
    ['another packing', 'br', Buffer.from('x'), 415, /^Bodies in br are not taken/, 'request.refused'],
    ['a bomb', 'gzip', gzipSync(Buffer.alloc(1 << 20)), 413, /longer than the 100 bytes/, 'request.too-large'],
  ])('refuses %s', async (_what, encoding, body, status, says, code) => {
    const { url, sink } = await listen({ maxRecord: 100 });
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Encoding': encoding },
      body: new Blob([new Uint8Array(body)]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect([answer.status, await answer.text()]).toEqual([status, expect.stringMatching(says)]);
    expect(sink.codes).toEqual([code]);
    expect(sink.payloads).toEqual([]);
    expect((await fetch(url, { method: 'POST', body: 'next' })).status).toBe(200);
  });

  it('takes a request that takes any time to come, but not its head', async () => {
    const listening = vi.spyOn(Server.prototype, 'listen');
    await listen();
    const { requestTimeout, headersTimeout } = listening.mock.contexts[0] as Server;
    listening.mockRestore();
    expect([requestTimeout, headersTimeout]).toEqual([0, 10_000]);
  });

  it('goes on after requests that break off, or are none', async () => {
    const { url, sink, port, input } = await listen();
    const half = connect(port, '127.0.0.1');
    half.on('error', () => undefined).write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf');
    await until(() => input.stats().bytes > 0, 'the half of a body');
    half.destroy();
    for (const text of ['nonsense\r\n\r\n', 'GET http://[ HTTP/1.1\r\nHost: localhost\r\n\r\n']) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined).write(text);
      await once(socket, 'data');
      socket.destroy();
    }
    await until(() => sink.codes.includes('connection.broken'), 'the notice');
    expect((await fetch(url, { method: 'POST', body: 'fine' })).status).toBe(200);
    expect(sink.payloads).toEqual(['fine']);
  });

  it('tells who broke off', async () => {
    const { sink, port, input } = await listen();
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined).write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf');
    await until(() => input.stats().bytes > 0, 'the half of a body');
    socket.resetAndDestroy();
    await until(() => sink.notices.length > 0, 'the notice');
    expect(sink.notices[0]?.text).toMatch(/^A request from 127\.0\.0\.1 to input web broke off/);
  });

  it.each<[what: string, headers: Record<string, string>, says: string | null]>([
    ['a name that was led here', { Host: 'attacker.example' }, 'it is for the host attacker.example'],
    ['a name with a port', { Host: 'attacker.example:8325' }, 'it is for the host attacker.example'],
    ['a name that begins as ours', { Host: 'localhost.attacker.example' }, 'it is for the host localhost.attacker.example'],
    ['a name that begins as an address', { Host: '127.0.0.1.attacker.example' }, 'it is for the host 127.0.0.1.attacker.example'],
    ['a page', { Host: '127.0.0.1', Origin: 'https://attacker.example' }, 'it comes from a page of https://attacker.example'],
    ['a page of a file', { Host: '127.0.0.1', Origin: 'null' }, 'it comes from a page of null'],
    ['a picture of a page', { Host: '127.0.0.1', 'Sec-Fetch-Site': 'cross-site' }, 'it comes from a page of another site'],
    ['a program', { Host: '127.0.0.1' }, null],
    ['another name of this machine', { Host: 'LOCALHOST:1' }, null],
    ['its address in IPv6', { Host: '[::1]:8325' }, null],
    ['a page of this machine', { Host: 'localhost', Origin: 'http://localhost:3000' }, null],
  ])('without a key and for this machine alone, hears %s as it should', async (_, headers, says) => {
    const { sink, port } = await listen();
    const answer = await send(port, headers, 'hello');
    expect(answer.status).toBe(says === null ? 200 : 403);
    expect(sink.payloads).toEqual(says === null ? ['hello'] : []);
    if (says === null) return;
    expect(answer.text).toContain(says);
    expect(sink.notices.map(({ text }) => text)).toEqual([`Input web refused a request from 127.0.0.1: ${says}.`]);
  });

  it.each<[what: string, more: Partial<HttpListenInputOptions>, headers: Record<string, string>]>([
    ['with a key', { auth: { kind: 'key', key: 'k' } }, { Host: 'logs.example', Origin: 'https://a.example', 'X-API-Key': 'k' }],
    [
      'that its answers allow',
      { headers: { 'access-control-allow-origin': ['https://a.example'] } },
      { Host: 'localhost', Origin: 'https://a.example' },
    ],
    ['for other machines', { address: '0.0.0.0:0' }, { Host: 'logs.example', Origin: 'https://a.example' }],
  ])('takes requests of pages %s', async (_, more, headers) => {
    const { sink, port } = await listen(more);
    expect((await send(port, headers, 'hello')).status).toBe(200);
    expect(sink.payloads).toEqual(['hello']);
  });

  it.each(['/metrics', '/health', '/loki/api/v1/push', '/_bulk', '/logs', '//', '/?', '/logs/a'])(
    'answers %s by its paths',
    async (path) => {
      const { sink, port } = await listen({ paths: ['/', '/logs/*'] });
      const isTaken = ['/?', '/logs/a'].includes(path);
      const answer = await send(port, { Host: 'localhost' }, 'hello', path);
      expect(answer.status).toBe(isTaken ? 200 : 404);
      expect(sink.payloads).toEqual(isTaken ? ['hello'] : []);
      if (!isTaken) expect(answer.text).toBe(`Nothing is taken at ${path}, but at /, /logs/*.\n`);
    },
  );

  it('takes requests at / alone unless its section says more', () => {
    const parse = (more: object) => httpListenInput.schema.parse({ type: 'HttpListenInput', ...more }) as { paths: string[] };
    expect(parse({}).paths).toEqual(['/']);
    expect(() => parse({ paths: ['logs'] })).toThrow();
    expect(() => parse({ paths: [] })).toThrow();
  });

  it.each([
    ['without a length', false],
    ['with a length', true],
  ])('lets the sender of a large body %s read why it was refused', async (_, withLength) => {
    const { sink, port } = await listen({ maxRecord: 1 << 20 });
    const socket = connect(port, '127.0.0.1');
    let error: unknown = null;
    let answer = '';
    socket.on('error', (reason) => (error = reason)).on('data', (bytes) => (answer += bytes.toString()));
    const closed = once(socket, 'close');
    const length = withLength ? `Content-Length: ${64 << 20}` : 'Transfer-Encoding: chunked';
    socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\n${length}\r\n\r\n`);
    const piece = 'x'.repeat(256 << 10);
    for (let i = 0; i < 256; i++) if (!socket.write(withLength ? piece : `40000\r\n${piece}\r\n`)) await once(socket, 'drain');
    if (!withLength) socket.write('0\r\n\r\n');
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 413 [^]*\r\n\r\nThe body is longer than the 1 MiB[^]*\n$/);
    expect(error).toBeNull();
    expect(sink.payloads).toEqual([]);
  });

  it('ends a head that does not come, and a body that stands still', { timeout: testMs() }, async () => {
    const { sink, port } = await listen();
    const ends = await Promise.all(
      ['POST / HTTP/1.1\r\nHost: local', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf'].map(async (text) => {
        const socket = connect(port, '127.0.0.1');
        cleanups.push(() => void socket.destroy());
        socket.write(text);
        const [answer] = (await once(socket, 'data')) as [Buffer];
        return answer.toString();
      }),
    );
    expect(ends).toEqual([
      expect.stringMatching(/^HTTP\/1\.1 408 /),
      expect.stringMatching(/^HTTP\/1\.1 408 [^]*stood still for 20 seconds/),
    ]);
    expect(sink.payloads).toEqual([]);
  });

  it('has no headers that no answer can have', () => {
    const parse = (value: unknown) => httpListenInput.schema.safeParse({ type: 'HttpListenInput', headers: { 'X-A': value } });
    expect([parse('ü'), parse(['a', 'ü']), parse('Ж'), parse(['a', 'Ж']), parse('a\r\nb')].map(({ success }) => success)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('can be started again when its port is taken', async () => {
    const { port } = await listen();
    const input = new HttpListenInput({
      name: 'b',
      address: `127.0.0.1:${port}`,
      headers: {},
      requestHeaders: [],
      auth: null,
      hostname: '',
    });
    const sink = new TestSink();
    await input.start(sink);
    expect(sink.codes).toEqual(['port.in-use']);
    expect(input.address()).toBeNull();
    await input.stop();
  });
});
