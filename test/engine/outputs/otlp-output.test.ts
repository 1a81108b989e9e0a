import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { OtlpInput } from '../../../engine/inputs/http/otlp-input.ts';
import { encodeMessage } from '../../../engine/message/protobuf/protobuf.ts';
import type { Message } from '../../../engine/message/types.ts';
import { answerTo, readRequest, refusal } from '../../../engine/otlp/request.ts';
import { BulkWriter } from '../../../engine/outputs/bulk-writer.ts';
import { NotDeliveredError } from '../../../engine/outputs/delivery.ts';
import { otlpCollector, otlpOutput } from '../../../engine/outputs/otlp-output.ts';
import type { Writer } from '../../../engine/outputs/writers.ts';
import { until } from '../../until.ts';
import { TestSink } from '../inputs/harness.ts';

const cleanups: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const retries = { delay: 5, max_delay: 20, max_jitter: 0, max_retries: -1 };

interface Call {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly payloads: readonly string[];
  readonly at: number;
}

/** A collector that answers as it is told. @param answer gets the number of the request, from 1 on */
async function collector(answer: (response: ServerResponse, number: number) => void): Promise<{ url: string; calls: Call[] }> {
  const calls: Call[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const packed = Buffer.concat(chunks);
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(packed) : packed;
      const { batches } = readRequest('logs', 'protobuf', body, 0n, { records: 4096, bytes: 1 << 20 });
      const payloads = batches.flatMap((batch) => Array.from({ length: batch.length }, (_, row) => batch.message(row).payload ?? ''));
      calls.push({ path: request.url ?? '', headers: request.headers, payloads, at: performance.now() });
      answer(response, calls.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}

function output(url: string, more: { readonly gzip?: boolean } = {}): { writer: BulkWriter; said: string[] } {
  const said: string[] = [];
  const onProblem = (text: string): void => void said.push(text);
  const headers = { 'Content-Type': ['application/x-protobuf'], ...(more.gzip === true ? { 'Content-Encoding': ['gzip'] } : {}) };
  const target = { url: new URL(`${url}/v1/logs`), method: 'POST', headers, timeout: 10_000, tls: {} };
  const options = { gzip: more.gzip === true, onProblem };
  const writer = new BulkWriter(otlpCollector(target, options), { flushCount: 2, flushInterval: 0, retries, onProblem });
  cleanups.push(() => writer.close());
  return { writer, said };
}

const message = (payload: string, more: Partial<Message> = {}): Message => ({
  uuid: new Uint8Array(16).fill(payload.charCodeAt(0)),
  timestamp: 5n,
  type: 'a.b',
  payload,
  fields: [],
  ...more,
});
const pieces = (...messages: readonly Message[]): Uint8Array[] => messages.map((each) => encodeMessage(each));

const FINE = answerTo('logs', 'protobuf', { rejected: 0, reason: '' });

describe('OtlpOutput', () => {
  it('sends messages to an OtlpInput, which makes the same of them', async () => {
    const input = new OtlpInput({ name: 'otlp', address: '127.0.0.1:0', auth: { kind: 'basic', username: 'u', password: 'p' } });
    const sink = new TestSink();
    await input.start(sink);
    cleanups.push(() => input.stop());
    const address = `http://127.0.0.1:${input.address()?.port ?? 0}/`;
    const parameters = { type: 'OtlpOutput', address, username: 'u', password: 'p', message_matcher: 'TRUE', flush_interval: 0 };
    const config = { ...otlpOutput.schema.parse(parameters), name: 'out' };
    const writer: Writer = await otlpOutput.make(config, { stdout: process.stdout, onProblem: () => undefined });
    cleanups.push(() => writer.close());
    const sent = [
      message('one', { hostname: 'web1', pid: 4, severity: 3, logger: 'x', envVersion: '1' }),
      message('two', { fields: [{ name: 'status', valueType: 2, values: [200n] }] }),
      message('last', { hostname: 'web1', pid: 4, severity: 0, logger: 'x' }),
    ];
    await writer.write(pieces(...sent));
    const got = sink.batches.flatMap(({ batch }) => Array.from({ length: batch.length }, (_, row) => batch.message(row)));
    const byUuid = (one: Message, other: Message): number => Buffer.compare(one.uuid, other.uuid);
    expect(got.sort(byUuid)).toEqual(sent.sort(byUuid));
    expect(writer.figures).toEqual({ SentMessageCount: 3, DropMessageCount: 0 });
  });

  it.each([
    ['', '/v1/logs'],
    ['/otlp/?key=1', '/otlp/v1/logs?key=1'],
    ['/otlp/v1/logs', '/otlp/v1/logs'],
    ['/otlp/v1/logs/', '/otlp/v1/logs/'],
  ])('sends to the logs of the address …%s', async (path, expected) => {
    const { url, calls } = await collector((response) => response.end(FINE));
    const parameters = { type: 'OtlpOutput', address: url + path, message_matcher: 'TRUE', flush_interval: 0 };
    const config = { ...otlpOutput.schema.parse(parameters), name: 'out' };
    const writer: Writer = await otlpOutput.make(config, { stdout: process.stdout, onProblem: () => undefined });
    cleanups.push(() => writer.close());
    await writer.write(pieces(message('a')));
    expect(calls.map((call) => call.path)).toEqual([expected]);
  });

  it.each([true, false])('packs requests when it is to: %s', async (gzip) => {
    const { url, calls } = await collector((response) => response.end(FINE));
    await output(url, { gzip }).writer.write(pieces(message('a'), message('b'), message('c')));
    expect(calls.map(({ path, payloads }) => [path, payloads])).toEqual([
      ['/v1/logs', ['a', 'b']],
      ['/v1/logs', ['c']],
    ]);
    expect(calls[0]?.headers).toMatchObject({ 'content-type': 'application/x-protobuf' });
    expect(calls[0]?.headers['content-encoding']).toBe(gzip ? 'gzip' : undefined);
  });

  it('sends again what is answered by 429 or 503, not before the collector wants it', async () => {
    const { url, calls } = await collector((response, number) => {
      if (number === 1) response.writeHead(429, { 'Retry-After': '1' }).end(refusal('protobuf', 'too much'));
      else if (number === 2) response.writeHead(503, { 'Retry-After': new Date(Date.now() - 5000).toUTCString() }).end();
      else response.end(FINE);
    });
    const { writer, said } = output(url);
    await writer.write(pieces(message('a')));
    expect(calls.map(({ payloads }) => payloads)).toEqual([['a'], ['a'], ['a']]);
    expect((calls[1]?.at ?? 0) - (calls[0]?.at ?? 0)).toBeGreaterThan(950);
    expect(said).toEqual(['cannot be delivered to and is tried again: the collector answers 429: too much', 'is delivered to again']);
  });

  it('sends again when nobody answers, and gives up when the service stops', async () => {
    const { url, calls } = await collector((response) => response.destroy());
    const { writer, said } = output(url);
    const written = writer.write(pieces(message('a')));
    written.catch(() => undefined);
    await until(() => calls.length > 2);
    writer.closing();
    await expect(written).rejects.toBeInstanceOf(NotDeliveredError);
    expect(said).toHaveLength(1);
  });

  it('counts what is rejected, and says so', async () => {
    const answer = answerTo('logs', 'protobuf', { rejected: 1, reason: 'too old' });
    const { url, calls } = await collector((response) => response.end(answer));
    const { writer, said } = output(url);
    await writer.write(pieces(message('a'), message('b')));
    expect(calls).toHaveLength(1);
    expect(writer.figures).toEqual({ SentMessageCount: 1, DropMessageCount: 1 });
    expect(said).toEqual(['1 messages are lost: the collector rejected them: too old']);
  });

  it.each([400, 413])('drops what is refused with %i, with a line, and goes on', async (status) => {
    const { url } = await collector((response, number) =>
      number === 1 ? response.writeHead(status).end(refusal('protobuf', 'bad')) : response.end(FINE),
    );
    const { writer, said } = output(url);
    await writer.write(pieces(message('a'), message('b')));
    await writer.write(pieces(message('c')));
    expect(writer.figures).toEqual({ SentMessageCount: 1, DropMessageCount: 2 });
    expect(said).toEqual([`2 messages are lost: the collector answers ${status}: bad`]);
  });

  it('keeps what is refused for want of a password, for that can be mended', async () => {
    const { url, calls } = await collector((response, number) => response.writeHead(number < 3 ? 401 : 200).end());
    const { writer } = output(url);
    await writer.write(pieces(message('a')));
    expect(calls).toHaveLength(3);
    expect(writer.figures).toEqual({ SentMessageCount: 1, DropMessageCount: 0 });
  });

  it('leaves out what a script gives it that is not a message', async () => {
    const { url, calls } = await collector((response) => response.end(FINE));
    const { writer, said } = output(url);
    await writer.write(['no message', ...pieces(message('a'))]);
    expect(calls[0]?.payloads).toEqual(['a']);
    expect(said).toEqual([expect.stringMatching(/^a message that is not valid protobuf is lost/)]);
  });
});
