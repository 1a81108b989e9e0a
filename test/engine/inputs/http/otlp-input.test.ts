import { ROOT_CONTEXT, SeverityNumber, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPLogExporter as JsonLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { OtlpInput, type OtlpInputOptions } from '../../../../engine/inputs/http/otlp-input.ts';
import { MAX_BATCH_RECORDS } from '../../../../engine/inputs/splitter.ts';
import type { Message } from '../../../../engine/message/types.ts';
import { logsRequest } from '../../../../engine/otlp/request.ts';
import { OtlpType } from '../../../../engine/otlp/schema.ts';
import { until } from '../../../until.ts';
import { TestSink } from '../harness.ts';

const cleanups: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function listen(more: Partial<OtlpInputOptions> = {}): Promise<{ url: string; sink: TestSink; input: OtlpInput }> {
  const input = new OtlpInput({ name: 'otlp', address: '127.0.0.1:0', auth: null, ...more });
  const sink = new TestSink();
  await input.start(sink);
  cleanups.push(() => input.stop());
  return { url: `http://127.0.0.1:${input.address()?.port ?? 0}`, sink, input };
}

const messagesOf = (sink: TestSink): Message[] =>
  sink.batches.flatMap(({ batch }) => Array.from({ length: batch.length }, (_, row) => batch.message(row)));
const fieldsOf = ({ fields }: Message): Record<string, unknown> =>
  Object.fromEntries(fields.map(({ name, values }) => [name, values.length === 1 ? values[0] : values]));

const RESOURCE = resourceFromAttributes({ 'service.name': 'shop', 'host.name': 'web1', 'process.pid': 4711 });

describe('OtlpInput with the official SDK', () => {
  it.each([
    ['protobuf', (url: string) => new OTLPLogExporter({ url })],
    ['JSON', (url: string) => new JsonLogExporter({ url })],
    ['gzip', (url: string) => new OTLPLogExporter({ url, compression: 'gzip' as never })],
  ])('takes logs as %s', async (_form, exporter) => {
    const { url, sink } = await listen();
    const processor = new BatchLogRecordProcessor({ exporter: exporter(`${url}/v1/logs`) });
    const provider = new LoggerProvider({ resource: RESOURCE, processors: [processor] });
    const spanContext = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: TraceFlags.SAMPLED };
    const context = trace.setSpanContext(ROOT_CONTEXT, spanContext);
    const logger = provider.getLogger('shop.cart', '1.2.3');
    logger.emit({
      timestamp: new Date(1_700_000_000_123),
      severityNumber: SeverityNumber.ERROR2,
      severityText: 'CRIT',
      body: 'card refused: ü',
      attributes: { user: 'ann', tries: 3, ratio: 0.5, vip: true, tags: ['a', 'b'], deep: { x: [1, { y: null }] } },
      context,
    });
    logger.emit({ eventName: 'cart.emptied', body: { items: 3 }, context: ROOT_CONTEXT });
    await provider.shutdown();
    const [first, second] = messagesOf(sink) as [Message, Message];
    expect(first).toMatchObject({
      type: 'otlp.log',
      logger: 'shop.cart',
      hostname: 'web1',
      pid: 4711,
      severity: 2,
      payload: 'card refused: ü',
      timestamp: 1_700_000_000_123_000_000n,
    });
    expect(fieldsOf(first)).toMatchObject({
      user: 'ann',
      tries: 3n,
      ratio: 0.5,
      vip: true,
      tags: ['a', 'b'],
      severity_text: 'CRIT',
      trace_flags: 1n,
      trace_id: spanContext.traceId,
      span_id: spanContext.spanId,
      'scope.version': '1.2.3',
      'resource.service.name': 'shop',
    });
    expect(fieldsOf(first)['deep.x']).toBe('[1,{"y":null}]');
    expect(second).toMatchObject({ type: 'cart.emptied', hostname: 'web1' });
    expect(second.payload).toBeUndefined();
    expect(fieldsOf(second)['body.items']).toBe(3n);
    expect(sink.codes).toEqual([]);
  });

  it('takes metrics of all kinds', async () => {
    const { url, sink, input } = await listen();
    const reader = new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter({ url: `${url}/v1/metrics` }) });
    const provider = new MeterProvider({ resource: RESOURCE, readers: [reader] });
    const meter = provider.getMeter('shop');
    meter.createCounter('orders', { unit: '{order}' }).add(5, { value: 'x', country: 'de' });
    meter.createGauge('temperature', { unit: 'Cel' }).record(21.5);
    meter.createHistogram('latency').record(3);
    await provider.shutdown();
    const points = messagesOf(sink);
    const head = ['otlp.metric', 'shop', 'web1', 4711];
    expect(points.map((message) => [message.type, message.logger, message.hostname, message.pid])).toEqual([head, head, head]);
    expect(points.map(fieldsOf)).toMatchObject([
      {
        metric: 'orders',
        kind: 'sum',
        temporality: 'cumulative',
        monotonic: true,
        value: 5,
        country: 'de',
        'attributes.value': 'x',
        'resource.service.name': 'shop',
      },
      { metric: 'temperature', kind: 'gauge', value: 21.5 },
      { metric: 'latency', kind: 'histogram', temporality: 'cumulative', count: 1n, sum: 3, min: 3, max: 3 },
    ]);
    expect(points[0]?.fields.find(({ name }) => name === 'value')?.representation).toBe('{order}');
    expect(sink.codes).toEqual([]);
    expect(input.figures()).toEqual({ RefusedRequestCount: 0, RejectedRecordCount: 0 });
  });

  it('makes the SDK send again what was not taken, and only that', async () => {
    const { url, sink } = await listen({ busyAfter: 0 });
    sink.acknowledges = false;
    const first = fetch(`${url}/v1/logs`, { method: 'POST', headers: PROTOBUF, body: Buffer.from(logsRequest([message('first')])) });
    await until(() => sink.batches.length === 1);
    const exporter = new OTLPLogExporter({ url: `${url}/v1/logs` });
    const processor = new BatchLogRecordProcessor({ exporter });
    const provider = new LoggerProvider({ processors: [processor] });
    provider.getLogger('').emit({ body: 'later', context: ROOT_CONTEXT });
    const flushed = provider.forceFlush();
    await until(() => sink.codes.includes('request.refused'));
    expect(sink.payloads).toEqual(['first']);
    sink.acknowledges = true;
    sink.batches[0]?.acknowledge();
    expect((await first).status).toBe(200);
    await flushed;
    expect(sink.payloads).toEqual(['first', 'later']);
    await provider.shutdown();
  });
});

const PROTOBUF = { 'Content-Type': 'application/x-protobuf' };
const JSON_TYPE = { 'Content-Type': 'application/json' };
const status = new OtlpType<{ readonly message: string }>('Status');

function message(payload: string): Message {
  return { uuid: new Uint8Array(16), timestamp: 1n, payload, fields: [] };
}

const jsonLogs = (...records: object[]): string => JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: records }] }] });

describe('OtlpInput', () => {
  it('answers after everything downstream has the messages', async () => {
    const { url, sink } = await listen();
    sink.acknowledges = false;
    let isAnswered = false;
    const answer = fetch(`${url}/v1/logs`, { method: 'POST', headers: JSON_TYPE, body: jsonLogs({ body: { stringValue: 'a' } }) });
    void answer.then(() => (isAnswered = true));
    await until(() => sink.batches.length === 1);
    expect(isAnswered).toBe(false);
    sink.batches[0]?.acknowledge();
    const { status: code, headers } = await answer;
    expect([code, headers.get('content-type'), await (await answer).text()]).toEqual([200, 'application/json', '{}']);
  });

  it('answers with 503 to what the pipeline does not take', async () => {
    const { url, sink } = await listen();
    sink.gate = () => Promise.reject(new Error('the disk is full'));
    const answer = await fetch(`${url}/v1/logs`, { method: 'POST', headers: JSON_TYPE, body: jsonLogs({}) });
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([503, '1', { message: 'the disk is full' }]);
  });

  it('takes integers of 64 bits from JSON in both forms, and passes over what it does not know', async () => {
    const { url, sink } = await listen();
    const body = `{"resourceLogs":[{"future":{"x":1},"scopeLogs":[{"logRecords":[
      {"timeUnixNano":"1700000000000000001","attributes":[{"key":"n","value":{"intValue":9007199254740993}}],"new":[]},
      {"timeUnixNano":1700000000000000003,"attributes":[{"key":"n","value":{"intValue":"-9223372036854775808"}}]}]}]}]}`;
    expect((await fetch(`${url}/v1/logs`, { method: 'POST', headers: JSON_TYPE, body })).status).toBe(200);
    expect(messagesOf(sink).map((each) => [each.timestamp, fieldsOf(each)])).toEqual([
      [1700000000000000001n, { n: 9007199254740993n }],
      [1700000000000000003n, { n: -9223372036854775808n }],
    ]);
  });

  it.each([
    ['another path', '/', JSON_TYPE, '{}', 404, /^What is taken is taken at \/v1\/logs, \/v1\/metrics, \/v1\/traces/],
    ['another type', '/v1/logs', { 'Content-Type': 'text/plain' }, 'x', 415, /application\/x-protobuf or application\/json/],
    ['another packing', '/v1/logs', { ...JSON_TYPE, 'Content-Encoding': 'br' }, 'x', 415, /Bodies in br are not taken/],
    ['no JSON', '/v1/logs', JSON_TYPE, '{', 400, /not a request to export logs/],
    ['JSON of another shape', '/v1/logs', JSON_TYPE, '{"resourceLogs":3}', 400, /resourceLogs is not a list/],
    ['a list for an object', '/v1/logs', JSON_TYPE, jsonLogs([]), 400, /an object was expected/],
    ['no protobuf', '/v1/logs', PROTOBUF, 'no protobuf', 400, /not a request to export logs/],
    ['cut off protobuf', '/v1/metrics', PROTOBUF, '\n\x80', 400, /not a request to export metrics/],
    ['no gzip', '/v1/logs', { ...PROTOBUF, 'Content-Encoding': 'gzip' }, 'x', 400, /is not gzip/],
  ])('refuses %s', async (_what, path, headers, body, code, says) => {
    const { url, sink } = await listen();
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers: headers as unknown as Record<string, string>, body });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const isProtobuf = answer.headers.get('content-type') === 'application/x-protobuf';
    const text = isProtobuf ? status.decode(bytes).message : (JSON.parse(bytes.toString()) as { message: string }).message;
    expect([answer.status, text]).toEqual([code, expect.stringMatching(says)]);
    expect(sink.batches).toEqual([]);
    expect(sink.codes).toEqual(['request.refused']);
  });

  it('takes traces', async () => {
    const { url, sink } = await listen();
    const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [{ name: 'GET /', startTimeUnixNano: '5' }] }] }] });
    const answer = await fetch(`${url}/v1/traces`, { method: 'POST', headers: JSON_TYPE, body });
    expect([answer.status, await answer.text()]).toEqual([200, '{}']);
    expect(messagesOf(sink)).toMatchObject([{ type: 'otlp.span', payload: 'GET /', timestamp: 5n }]);
  });

  it('refuses what is not posted', async () => {
    const { url } = await listen();
    const answer = await fetch(`${url}/v1/logs`);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('refuses clients without its key', async () => {
    const { url, sink } = await listen({ auth: { kind: 'key', key: 'secret' } });
    const send = (headers: Record<string, string>) =>
      fetch(`${url}/v1/logs`, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: jsonLogs({}) });
    expect((await send({})).status).toBe(401);
    expect((await send({ 'X-API-Key': 'secret' })).status).toBe(200);
    expect(sink.batches).toHaveLength(1);
  });

  it('refuses long bodies at once, and gzip bombs before they are unpacked', async () => {
    const { url, sink } = await listen({ maxBody: 100_000 });
    const send = (body: Buffer, headers: Record<string, string> = {}) =>
      fetch(`${url}/v1/logs`, { method: 'POST', headers: { ...PROTOBUF, ...headers }, body: new Uint8Array(body) });
    expect((await send(Buffer.alloc(100_001))).status).toBe(413);
    const bomb = gzipSync(Buffer.alloc(64 << 20));
    expect(bomb.length).toBeLessThan(100_000);
    expect((await send(bomb, { 'Content-Encoding': 'gzip' })).status).toBe(413);
    expect((await sendWithoutLength(`${url}/v1/logs`, 300_000)).status).toBe(413);
    expect(sink.codes).toEqual(['request.too-large', 'request.too-large', 'request.too-large']);
    expect(sink.batches).toEqual([]);
    expect((await send(Buffer.from(logsRequest([message('next')])))).status).toBe(200);
  });

  it('reads no more of a request of 100 MB than it may have', async () => {
    const { url, sink, input } = await listen();
    expect((await sendWithoutLength(`${url}/v1/logs`, 100 << 20)).status).toBe(413);
    await until(() => sink.codes.length > 0);
    expect(sink.codes).toEqual(['request.too-large']);
    expect(sink.batches).toEqual([]);
    expect(input.stats().bytes).toBeLessThan(18 << 20);
  });

  it('says when to come again while the pipeline does not keep up', async () => {
    const { url, sink } = await listen({ busyAfter: 0 });
    sink.acknowledges = false;
    const send = () => fetch(`${url}/v1/logs`, { method: 'POST', headers: JSON_TYPE, body: jsonLogs({}) });
    const first = send();
    await until(() => sink.batches.length === 1);
    const answer = await send();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toEqual({ message: 'The pipeline does not keep up. Send it again later.' });
    sink.batches[0]?.acknowledge();
    expect((await first).status).toBe(200);
    expect(sink.batches).toHaveLength(1);
  });

  it('rejects records that are too large, and takes the others', async () => {
    const { url, sink } = await listen();
    const body = Buffer.from(logsRequest([message('a'), message('x'.repeat(1 << 20)), message('b')]));
    const answer = await fetch(`${url}/v1/logs`, { method: 'POST', headers: PROTOBUF, body: new Uint8Array(body) });
    const response = new OtlpType<{ partialSuccess: { rejectedLogRecords: { low: number }; errorMessage: string } }>(
      'ExportLogsServiceResponse',
    );
    const { rejectedLogRecords, errorMessage } = response.decode(Buffer.from(await answer.arrayBuffer())).partialSuccess;
    expect([answer.status, rejectedLogRecords.low, errorMessage]).toEqual([200, 1, 'Records of more than 1 MiB are not taken.']);
    expect(sink.payloads).toEqual(['a', 'b']);
  });

  it('makes small batches of very many records of two bytes', async () => {
    const { url, sink } = await listen();
    const records = Buffer.alloc(20_000 * 2, Buffer.from([0x12, 0x00]));
    const scope = Buffer.concat([Buffer.from([0x12]), varint(records.length), records]);
    const body = Buffer.concat([Buffer.from([0x0a]), varint(scope.length), scope]);
    expect((await fetch(`${url}/v1/logs`, { method: 'POST', headers: PROTOBUF, body })).status).toBe(200);
    expect(sink.batches.reduce((sum, { batch }) => sum + batch.length, 0)).toBe(20_000);
    expect(Math.max(...sink.batches.map(({ batch }) => batch.length))).toBeLessThanOrEqual(MAX_BATCH_RECORDS);
  });

  it('goes on after a client that breaks off', async () => {
    const { url, sink } = await listen();
    const broken = request(`${url}/v1/logs`, { method: 'POST', headers: { ...PROTOBUF, 'Content-Length': 1000 } });
    broken.on('error', () => undefined);
    broken.write('x');
    await new Promise((resolve) => setImmediate(resolve));
    broken.destroy();
    expect((await fetch(`${url}/v1/logs`, { method: 'POST', headers: JSON_TYPE, body: jsonLogs({}) })).status).toBe(200);
    expect(sink.batches).toHaveLength(1);
  });
});

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return Buffer.from([...bytes, left]);
    bytes.push((left % 128) | 128);
  }
}

/** Sends zeros, as fast as they are taken, until an answer comes. */
function sendWithoutLength(url: string, length: number): Promise<{ readonly status: number | undefined }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers: PROTOBUF }, (answer) => {
      answer.resume();
      answer.on('end', () => {
        sent.destroy();
        resolve({ status: answer.statusCode });
      });
    });
    sent.on('error', reject);
    let left = length;
    const send = (): void => {
      while (left > 0) {
        left -= PIECE.length;
        if (!sent.write(PIECE)) return;
      }
    };
    sent.on('drain', send);
    send();
  });
}

const PIECE = Buffer.alloc(100_000);
