import { connect, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { OtlpInput, type OtlpInputOptions } from '../../../../engine/inputs/http/otlp-input.ts';
import { logsRequest } from '../../../../engine/otlp/request.ts';
import { OtlpType } from '../../../../engine/otlp/schema.ts';
import { requestOf } from '../../otlp/fixtures.ts';
import { until } from '../../../until.ts';
import { TestSink } from '../harness.ts';
import { messagesOf } from './http-fixtures.ts';

const cleanups: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Caller {
  readonly sink: TestSink;
  readonly input: OtlpInput;
  readonly session: ClientHttp2Session;
  readonly port: number;
}

async function listen(more: Partial<OtlpInputOptions> = {}): Promise<Caller> {
  const input = new OtlpInput({ name: 'otlp', protocol: 'grpc', address: '127.0.0.1:0', auth: null, ...more });
  const sink = new TestSink();
  await input.start(sink);
  cleanups.push(() => input.stop());
  const port = input.address()?.port ?? 0;
  const session = connect(`http://127.0.0.1:${port}`);
  session.on('error', () => undefined);
  cleanups.push(() => session.destroy());
  return { sink, input, session, port };
}

const LOGS = '/opentelemetry.proto.collector.logs.v1.LogsService/Export';
const METRICS = '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export';
const TRACES = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';

const framed = (message: Uint8Array, isPacked = false): Buffer => {
  const head = Buffer.from([isPacked ? 1 : 0, 0, 0, 0, 0]);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
};

interface Answer {
  readonly code: string;
  readonly text: string;
  readonly status: number;
  readonly message: Buffer;
}

const begin = (session: ClientHttp2Session, path: string, headers: object = {}): ClientHttp2Stream =>
  session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers', ...headers });

function answerOf(stream: ClientHttp2Stream): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let [code, text, status] = ['', '', 0];
    const take = (headers: Readonly<Record<string, string | undefined>>): void => {
      status = Number(headers[':status'] ?? status);
      code = headers['grpc-status'] ?? code;
      text = decodeURIComponent(headers['grpc-message'] ?? text);
    };
    stream.on('response', take);
    stream.on('trailers', take);
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', reject);
    // A refused call ends before its sender has.
    for (const event of ['end', 'close'])
      stream.on(event, () => resolve({ code, text, status, message: Buffer.concat(chunks).subarray(5) }));
  });
}

function call(session: ClientHttp2Session, path: string, body: Uint8Array, headers: object = {}): Promise<Answer> {
  const stream = begin(session, path, headers);
  const answer = answerOf(stream);
  stream.end(body);
  return answer;
}

const logs = (...payloads: string[]): Buffer =>
  Buffer.from(logsRequest(payloads.map((payload) => ({ uuid: new Uint8Array(16), timestamp: 1n, payload, fields: [] }))));

describe('OtlpInput by gRPC', () => {
  it('takes logs, metrics and traces over one connection', async () => {
    const { session, sink } = await listen();
    const metric = new OtlpType<object>('Metric').encode({ name: 'm', gauge: { dataPoints: [{ asDouble: 1.5 }] } });
    const span = new OtlpType<object>('Span').encode({ name: 'GET /' });
    const answers = await Promise.all([
      call(session, LOGS, framed(logs('a'))),
      call(session, METRICS, framed(requestOf({}, [metric])), { 'content-type': 'application/grpc+proto' }),
      call(session, TRACES, framed(requestOf({}, [span]))),
      call(session, LOGS, framed(gzipSync(logs('b')), true), { 'grpc-encoding': 'gzip' }),
      call(session, LOGS, framed(new Uint8Array())),
    ]);
    expect(answers).toEqual(answers.map(() => ({ code: '0', text: '', status: 200, message: Buffer.alloc(0) })));
    expect(
      messagesOf(sink)
        .map(({ type, payload }) => [type, payload])
        .sort(),
    ).toEqual([
      ['otlp.log', 'a'],
      ['otlp.log', 'b'],
      ['otlp.metric', undefined],
      ['otlp.span', 'GET /'],
    ]);
    expect(sink.codes).toEqual([]);
  });

  it('says what it rejects of a call that it takes', async () => {
    const { session } = await listen();
    const { code, message } = await call(session, LOGS, framed(logs('a', 'x'.repeat(1 << 20))));
    const response = new OtlpType<{ partialSuccess: { rejectedLogRecords: { low: number } } }>('ExportLogsServiceResponse').decode(message);
    expect([code, response.partialSuccess.rejectedLogRecords.low]).toEqual(['0', 1]);
  });

  it('answers after everything downstream has the messages', async () => {
    const { session, sink } = await listen();
    sink.acknowledges = false;
    let isAnswered = false;
    const answer = call(session, LOGS, framed(logs('a'))).finally(() => (isAnswered = true));
    await until(() => sink.batches.length === 1);
    expect(isAnswered).toBe(false);
    sink.batches[0]?.acknowledge();
    expect((await answer).code).toBe('0');
  });

  it.each<[string, string, Uint8Array, object, string, RegExp]>([
    ['another method', '/opentelemetry.proto.collector.logs.v1.LogsService/Import', framed(logs('a')), {}, '12', /^There is no method/],
    ['another type', LOGS, framed(logs('a')), { 'content-type': 'application/json' }, '12', /Only application\/grpc/],
    ['no protobuf', LOGS, framed(Buffer.from('no protobuf')), {}, '3', /not a request to export logs/],
    ['no message', LOGS, new Uint8Array(), {}, '3', /ended within its message, after 0 bytes/],
    ['a message that ends too early', LOGS, framed(logs('a')).subarray(0, -1), {}, '3', /ended within its message/],
    ['two messages', LOGS, Buffer.concat([framed(logs('a')), framed(logs('b'))]), {}, '3', /more than one message/],
    ['an unknown packing', LOGS, framed(logs('a'), true), { 'grpc-encoding': 'snappy' }, '12', /Bodies in snappy are not taken/],
    ['a packing without a name', LOGS, framed(logs('a'), true), {}, '3', /said to be compressed, and not how/],
    ['damaged gzip', LOGS, framed(logs('a'), true), { 'grpc-encoding': 'gzip' }, '3', /is not gzip/],
    ['a name from elsewhere', LOGS, framed(logs('a')), { ':authority': 'evil.example' }, '7', /it is for the host evil\.example/],
    ['a web page', LOGS, framed(logs('a')), { origin: 'http://evil.example' }, '7', /page of http:\/\/evil\.example/],
  ])('refuses %s', async (_what, path, body, headers, code, says) => {
    const { session, sink, input } = await listen();
    const answer = await call(session, path, body, headers);
    expect([answer.code, answer.status, answer.text]).toEqual([code, 200, expect.stringMatching(says)]);
    expect([sink.batches, sink.codes]).toEqual([[], ['request.refused']]);
    expect(input.figures()['RefusedRequestCount']).toBe(1);
  });

  it('refuses long messages at once, and bombs, and then goes on', async () => {
    const { session, sink, input } = await listen({ maxBody: 100_000 });
    const long = begin(session, LOGS);
    const answer = answerOf(long);
    long.write(framed(Buffer.alloc(50 << 20)).subarray(0, 200_000));
    expect((await answer).code).toBe('8');
    const bomb = framed(gzipSync(Buffer.alloc(16 << 20)), true);
    expect(await call(session, LOGS, bomb, { 'grpc-encoding': 'gzip' })).toMatchObject({
      code: '8',
      text: expect.stringContaining('longer than 100000 bytes') as string,
    });
    expect((await call(session, LOGS, framed(logs('a')))).code).toBe('0');
    expect(sink.codes).toEqual(['request.too-large', 'request.too-large']);
    expect(input.stats().bytes).toBeLessThan(500_000);
  });

  it('keeps the deadline of a call', async () => {
    const { session, sink } = await listen();
    sink.acknowledges = false;
    const { code, text } = await call(session, LOGS, framed(logs('a')), { 'grpc-timeout': '50m' });
    expect([code, text]).toEqual(['4', 'The call was not done within the 50 ms of its deadline.']);
    sink.batches[0]?.acknowledge();
  });

  it('says UNAVAILABLE while the pipeline does not keep up, or fails', async () => {
    const { session, sink } = await listen({ busyAfter: 0 });
    sink.acknowledges = false;
    const first = call(session, LOGS, framed(logs('a')));
    await until(() => sink.batches.length === 1);
    expect((await call(session, LOGS, framed(logs('b')))).code).toBe('14');
    sink.batches[0]?.acknowledge();
    expect((await first).code).toBe('0');
    sink.gate = () => Promise.reject(new Error('the disk is full: ü'));
    expect(await call(session, LOGS, framed(logs('c')))).toMatchObject({ code: '14', text: 'the disk is full: ü' });
  });

  it('wants credentials', async () => {
    const { session, sink } = await listen({ auth: { kind: 'key', key: 'secret' } });
    expect((await call(session, LOGS, framed(logs('a')))).code).toBe('16');
    expect((await call(session, LOGS, framed(logs('a')), { 'x-api-key': 'secret', ':authority': 'other.example' })).code).toBe('0');
    expect(sink.batches).toHaveLength(1);
  });

  it('goes on after a call that is broken off, and after what is no HTTP/2', async () => {
    const { session, sink, input, port } = await listen();
    const other = connect(`http://127.0.0.1:${port}`);
    other.on('error', () => undefined);
    const broken = begin(other, LOGS);
    broken.on('error', () => undefined);
    await new Promise((resolve) => broken.write(framed(logs('a')).subarray(0, 6), resolve));
    await until(() => input.stats().bytes > 0);
    other.destroy();
    const socket = connectSocket(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\n\r\n');
    await until(() => sink.codes.length > 0);
    expect(sink.codes).toEqual(['connection.broken']);
    expect((await call(session, LOGS, framed(logs('b')))).code).toBe('0');
    socket.destroy();
  });
});
