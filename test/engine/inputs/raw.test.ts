import { mkdtempSync, rmSync } from 'node:fs';
import { appendFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { FileInput } from '../../../engine/inputs/file/file-input.ts';
import { TcpInput } from '../../../engine/inputs/net/tcp-input.ts';
import { UdpInput } from '../../../engine/inputs/net/udp-input.ts';
import { ProcessInput } from '../../../engine/inputs/process/process-input.ts';
import type { SplitOptions } from '../../../engine/inputs/splitters/index.ts';
import type { Input } from '../../../engine/inputs/types.ts';
import { until } from '../../until.ts';
import { TestSink } from './harness.ts';

const path = mkdtempSync(join(tmpdir(), 'sluicebox-raw-'));
const at = (name: string): string => join(path, name);
afterAll(() => rmSync(path, { recursive: true, force: true }));

const RAW: SplitOptions = { kind: 'raw', whole: false };
const ALL_BYTES = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 7 + (i >> 8)) & 0xff));

const running: Input[] = [];
afterEach(async () => {
  for (const input of running.splice(0)) await input.stop();
});

function started<T extends Input>(input: T): T {
  running.push(input);
  return input;
}

const bytesOf = (sink: TestSink): Buffer => Buffer.from(sink.payloads.join(''), 'latin1');

describe('a file as it is', () => {
  const read = async (content: Buffer): Promise<Buffer> => {
    await writeFile(at('a.bin'), content);
    const sink = new TestSink();
    await started(new FileInput({ name: 'in', paths: [at('a.bin')], follow: false, split: RAW })).start(sink);
    await until(() => sink.idles > 0, 'the end of the file');
    expect(sink.codes).toEqual([]);
    return bytesOf(sink);
  };

  test.each([
    ['of any bytes', ALL_BYTES, ALL_BYTES],
    ['of text', Buffer.from('äöü\n😀'), Buffer.from('äöü\n😀')],
    ['packed', gzipSync(ALL_BYTES), ALL_BYTES],
    ['packed text', gzipSync('line\n'), Buffer.from('line\n')],
    ['of UTF-16, as UTF-8', Buffer.from('\ufeffaä\n', 'utf16le'), Buffer.from('aä\n')],
    ['of two bytes', Buffer.from([0xff, 0]), Buffer.from([0xff, 0])],
  ])('%s', async (_what, content, expected) => {
    expect((await read(content)).equals(expected)).toBe(true);
  });

  test('goes on at the byte up to which it was told to be read', async () => {
    const log = at('b.log');
    await writeFile(log, 'one\ntwo\nthr');
    const options = { name: 'in', paths: [log], split: RAW, stateDirectory: at('state') };
    const first = new FileInput(options);
    const sink = new TestSink();
    sink.acknowledges = false;
    await first.start(sink);
    await until(() => sink.batches.length === 1, 'the first piece');
    sink.batches[0]?.acknowledgeTo?.('one\ntwo\n'.length);
    await first.stop();
    await appendFile(log, 'ee\n');
    const again = new TestSink();
    await started(new FileInput(options)).start(again);
    await until(() => bytesOf(again).length >= 6, 'the rest');
    expect(bytesOf(again).toString()).toBe('three\n');
    expect(again.codes).toEqual([]);
  });
});

describe('connections as they are', () => {
  test('each is a stream with an end, of any bytes', async () => {
    const sink = new TestSink();
    const ended: object[] = [];
    const input = started(new TcpInput({ name: 'in', address: '127.0.0.1:0', split: RAW }));
    await input.start(Object.assign(sink, { ended: (stream: object) => void ended.push(stream) }));
    const { port } = input.address() ?? { port: 0 };
    const [one, other] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    one.end(ALL_BYTES);
    other.end('other');
    await until(() => ended.length === 2, 'the ends');
    const texts = ended.map((stream) =>
      Buffer.from(sink.batches.flatMap((batch, i) => (batch.stream === stream ? [sink.payloads[i] ?? ''] : [])).join(''), 'latin1'),
    );
    expect(texts.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([5, 200_000]);
    expect(texts.some((text) => text.equals(ALL_BYTES))).toBe(true);
  });

  test('a sender waits while nothing is taken', async () => {
    const sink = new TestSink();
    const gate = Promise.withResolvers<void>();
    sink.gate = () => gate.promise;
    const input = started(new TcpInput({ name: 'in', address: '127.0.0.1:0', split: RAW }));
    await input.start(sink);
    const socket = connect(input.address()?.port ?? 0, '127.0.0.1');
    const much = Buffer.alloc(64 << 20, 'x');
    let sent = false;
    socket.end(much, () => (sent = true));
    await until(() => input.stats().bytes > 0, 'the first piece');
    expect([sent, input.stats().bytes < much.length]).toEqual([false, true]);
    gate.resolve();
    await until(() => input.stats().bytes === much.length, 'all of it');
  });
});

test('a datagram is whole', async () => {
  const { createSocket } = await import('node:dgram');
  const sink = new TestSink();
  const input = started(new UdpInput({ name: 'in', address: '127.0.0.1:0', split: { kind: 'raw', whole: true } }));
  await input.start(sink);
  const socket = createSocket('udp4');
  const datagram = ALL_BYTES.subarray(0, 600);
  socket.send(datagram, input.address()?.port ?? 0, '127.0.0.1');
  await until(() => sink.payloads.length === 1, 'the datagram');
  socket.close();
  expect(bytesOf(sink).equals(datagram)).toBe(true);
});

test.each([
  [true, 1],
  [false, 1],
])('the output of a command (whole: %s) comes as it is', async (whole, seconds) => {
  const sink = new TestSink();
  const commands = [{ bin: process.execPath, args: ['-e', `process.stdout.write(Buffer.from([0, 200, 10, 255]))`], env: [] }];
  const split: SplitOptions = { kind: 'raw', whole };
  await started(new ProcessInput({ name: 'in', commands, seconds, immediately: true, split, hostname: 'h' })).start(sink);
  await until(() => bytesOf(sink).length >= 4, 'the output');
  expect([...bytesOf(sink).subarray(0, 4)]).toEqual([0, 200, 10, 255]);
  expect(sink.batches[0]?.stream === undefined).toBe(whole);
});
