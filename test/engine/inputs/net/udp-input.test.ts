import { createSocket, type Socket } from 'node:dgram';
import { deflateSync, gzipSync } from 'node:zlib';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { UdpInput, type UdpInputOptions } from '../../../../engine/inputs/net/udp-input.ts';
import { freePort } from '../../../ports.ts';
import { slowness } from '../../../patience.ts';
import { until } from '../../../until.ts';
import { TestSink } from '../harness.ts';
import { chunksOf, single, udp } from './net-fixtures.ts';

interface Run {
  readonly input: UdpInput;
  readonly sink: TestSink;
  readonly port: number;
  [Symbol.asyncDispose](): Promise<void>;
}

async function listen(options: Partial<UdpInputOptions> = {}, sink = new TestSink()): Promise<Run> {
  const input = new UdpInput({ name: 'logs', address: '127.0.0.1:0', ...options });
  await input.start(sink);
  return { input, sink, port: input.address()?.port ?? 0, [Symbol.asyncDispose]: () => input.stop() };
}

/** A socket that sends to a port, and is closed at the end. */
async function client(
  port: number,
  host = '127.0.0.1',
): Promise<{ send(data: string | Uint8Array): Promise<void>; [Symbol.dispose](): void }> {
  const socket: Socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  // A port that is closed meanwhile answers with a refusal.
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => socket.connect(port, host, resolve));
  return {
    send: (data) => new Promise((resolve, reject) => socket.send(data, (error) => (error === null ? resolve() : reject(error)))),
    [Symbol.dispose]: () => void socket.close(),
  };
}

/** Sends so many datagrams of 8 kB at once: without a pause the thread does not come to read before the system's buffer is full. */
async function flood(sender: { send(data: string): Promise<void> }, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, i) => sender.send(`${i} ${'x'.repeat(8000)}`)));
}

/** A sink that takes nothing until it is opened. */
function closedSink(): { readonly sink: TestSink; open(): void } {
  const sink = new TestSink();
  const { promise, resolve } = Promise.withResolvers<void>();
  sink.gate = () => promise;
  return { sink, open: resolve };
}

/** A thread that sends datagrams without a pause until the system says that nobody listens, and then tells how many it has sent. */
const FLOOD = `
const { createSocket } = require('node:dgram');
const { parentPort, workerData } = require('node:worker_threads');
const socket = createSocket('udp4');
let sent = 0;
const end = () => { socket.close(); parentPort.postMessage(sent); };
socket.once('error', end);
const send = () => socket.send('x'.repeat(200), (error) => {
  if (error) return end();
  sent++;
  send();
});
socket.connect(workerData.port, '127.0.0.1', send);
`;

const taken = ({ input }: Run): number => input.stats().records;
const accounted = ({ input }: Run): number => input.stats().records + input.stats().dropped;

/** Without them, datagrams are read in another way where the system allows that. */
const SENDERS = [
  ['with senders', true],
  ['without senders', false],
] as const;

describe.each(SENDERS)('datagrams %s that come faster than they are taken', (_what, setHostname) => {
  it('wait in the queue, in order', async () => {
    const { sink, open } = closedSink();
    await using run = await listen({ setHostname }, sink);
    using sender = await client(run.port);
    const sent = Array.from({ length: 30_000 }, (_, i) => `<13>record ${i} ${'x'.repeat(1000)}`);
    for (const [i, data] of sent.entries()) {
      await sender.send(data);
      if (i % 500 === 0) await delay(1);
    }
    expect(run.sink.records).toEqual([]);
    await until(() => (run.input.figures()['WaitingDatagramCount'] ?? 0) > 0, 'datagrams that wait');
    open();
    await until(
      () => accounted(run) >= sent.length,
      () => `${accounted(run)} of ${sent.length}`,
    );
    // Where the machine is so busy that the system's buffer overflows, that is counted too.
    await run.input.stop();
    expect(sink.payloads.length).toBe(sent.length - run.input.stats().dropped);
    const order = sink.payloads.map((payload) => Number(payload.split(' ')[1]));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  it('are lost and counted exactly when the queue is full, and told with their sum at the end', async () => {
    const { sink, open } = closedSink();
    const run = await listen({ setHostname, queueBytes: 0 }, sink);
    using sender = await client(run.port);
    const datagram = Buffer.alloc(60_000, 'x');
    // Batches of 18: 16 wait, one is under way, 4 blocks of 4 are with the input, and one block waits in the queue.
    const count = 600;
    for (let i = 0; i < count; i++) {
      await sender.send(datagram);
      if (i % 5 === 0) await delay(1);
    }
    await until(
      () => run.input.stats().dropped > 0 && sink.codes.length > 0,
      'lost datagrams',
      () => 20_000,
    );
    open();
    await until(
      () => accounted(run) >= count,
      () => `${accounted(run)} of ${count}`,
    );
    for (let i = 0; i < 3; i++) await sender.send('after');
    await until(() => sink.payloads.filter((payload) => payload === 'after').length === 3, 'what came later');
    await run.input.stop();
    const { records, dropped } = run.input.stats();
    expect(records).toBe(sink.records.length);
    expect(records + dropped).toBe(count + 3);
    const told = sink.notices
      .filter(({ code }) => code === 'datagrams.dropped')
      .map(({ text }) => Number(/lost (\d+) datagrams/.exec(text)?.[1]));
    expect(told.reduce((sum, lost) => sum + lost, 0)).toBe(dropped);
    expect(run.input.figures()).toMatchObject({ LostDatagramCount: dropped, WaitingDatagramCount: 0 });
  });

  it.runIf(process.platform === 'linux').each([
    ['127.0.0.1:0', '127.0.0.1'],
    ['[::1]:0', '::1'],
    [':0', '127.0.0.1'],
    [':0', '::1'],
    ['0.0.0.0:0', '127.0.0.1'],
  ])('are counted when the system drops them, on %s from %s', async (address, from) => {
    await using run = await listen({ address, setHostname, receiveBytes: 1 << 16 });
    using sender = await client(run.port, from);
    const count = 3000;
    await flood(sender, count);
    await until(
      () => accounted(run) === count,
      () => `${accounted(run)} of ${count}`,
      () => 20_000,
    );
    await run.input.stop();
    expect(taken(run)).toBe(run.sink.records.length);
    expect(run.input.stats().dropped).toBe(run.input.figures()['KernelLostDatagramCount']);
  });

  it.runIf(process.platform === 'linux')('are counted to the last one when it stops at once, each socket for itself', async () => {
    const runs = [
      await listen({ setHostname, receiveBytes: 1 << 16 }),
      await listen({ address: '[::1]:0', setHostname, receiveBytes: 1 << 16 }),
    ];
    const counts = [3000, 2000];
    await Promise.all(
      runs.map(async (run, i) => {
        using sender = await client(run.port, i === 0 ? '127.0.0.1' : '::1');
        await flood(sender, counts[i] as number);
      }),
    );
    await Promise.all(runs.map(({ input }) => input.stop()));
    expect(runs.map(accounted)).toEqual(counts);
    for (const { input, sink } of runs) {
      const { records, dropped } = input.stats();
      expect(records).toBe(sink.records.length);
      const told = sink.notices.map(({ text }) => Number(/lost (\d+) datagrams/.exec(text)?.[1] ?? 0));
      expect(told.reduce((sum, lost) => sum + lost, 0)).toBe(dropped);
    }
  });
});

describe.each(SENDERS)('the end of a UDP input %s', (_what, setHostname) => {
  it('delivers all that has arrived', async () => {
    const run = await listen({ setHostname });
    using sender = await client(run.port);
    const sent = Array.from({ length: 500 }, (_, i) => `${i}`);
    for (const data of sent) await sender.send(data);
    await run.input.stop();
    expect(run.sink.payloads).toEqual(sent);
    expect(run.input.address()).toBeNull();
  });

  it('delivers what waits in the queue as long as it is taken', async () => {
    const { sink, open } = closedSink();
    const run = await listen({ setHostname }, sink);
    using sender = await client(run.port);
    const datagram = Buffer.alloc(30_000, 'x');
    for (let i = 0; i < 1500; i++) {
      await sender.send(datagram);
      if (i % 5 === 0) await delay(1);
    }
    await until(() => (run.input.figures()['WaitingDatagramCount'] ?? 0) > 0, 'datagrams that wait');
    const stopped = run.input.stop();
    open();
    await stopped;
    expect(sink.records.length).toBe(1500 - run.input.stats().dropped);
    expect(run.input.figures()['LostDatagramCount']).toBe(run.input.figures()['KernelLostDatagramCount']);
  });

  it('comes although nothing is taken, and counts what is lost', async () => {
    const { sink, open } = closedSink();
    const run = await listen({ setHostname }, sink);
    using sender = await client(run.port);
    const datagram = Buffer.alloc(60_000, 'x');
    for (let i = 0; i < 500; i++) {
      await sender.send(datagram);
      if (i % 5 === 0) await delay(1);
    }
    await run.input.stop();
    // The sink still has the batch that it was given first.
    open();
    await until(() => sink.records.length > 0, 'the first batch');
    const { records, dropped } = run.input.stats();
    expect(records).toBe(sink.records.length);
    expect(records + dropped).toBe(500);
    expect(sink.notices.at(-1)?.text).toContain(`lost ${dropped} datagrams`);
  });

  it('frees the port, however often, and an input may be started again', async () => {
    const address = `127.0.0.1:${await freePort()}`;
    for (let i = 0; i < 3; i++) {
      const run = await listen({ setHostname, address });
      using sender = await client(run.port);
      await sender.send('one');
      await until(() => run.sink.records.length === 1, 'the record');
      await run.input.stop();
      await run.input.start(run.sink);
      await sender.send('two');
      await until(() => run.sink.records.length === 2, 'the second record');
      await run.input.stop();
      await run.input.stop();
      expect(run.sink.notices).toEqual([]);
    }
  });

  it.runIf(process.platform === 'linux')('comes while a sender goes on, and counts what was sent until then', async () => {
    const run = await listen({ setHostname, receiveBytes: 1 << 16 });
    const sender = new Worker(FLOOD, { eval: true, workerData: { port: run.port } });
    const ended = once(sender, 'message') as Promise<[number]>;
    await until(() => run.sink.records.length > 100, 'records');
    await run.input.stop();
    const [sent] = await ended;
    expect(taken(run)).toBe(run.sink.records.length);
    // The last one that was sent found no socket any more; some may have come in the moment in which it was closed, which may be a long one.
    const unknown = sent - 1 - accounted(run);
    expect(unknown).toBeGreaterThanOrEqual(0);
    expect(unknown).toBeLessThan(1000 * slowness());
  });
});

describe('senders', () => {
  it('are told apart among datagrams of one block', async () => {
    await using run = await listen({ address: ':0' });
    using four = await client(run.port);
    using six = await client(run.port, '::1');
    for (let i = 0; i < 20; i++) {
      await four.send(`four ${i}`);
      await six.send(`six ${i}`);
    }
    await until(() => run.sink.records.length === 40, 'the records');
    for (const { payload, hostname } of run.sink.records) expect(hostname).toBe(payload.startsWith('four') ? '127.0.0.1' : '::1');
    for (const kind of ['four', 'six'])
      expect(run.sink.payloads.filter((payload) => payload.startsWith(kind))).toEqual(Array.from({ length: 20 }, (_, i) => `${kind} ${i}`));
  });

  it('are not Hostname without setHostname', async () => {
    await using run = await listen({ setHostname: false });
    using sender = await client(run.port);
    await sender.send('one');
    await until(() => run.sink.records.length === 1, 'the record');
    expect(run.sink.records[0]?.hostname).toBe('');
  });

  it('make no difference to the datagrams, of whatever size', async () => {
    for (const address of ['127.0.0.1:0', '[::1]:0', ':0']) {
      await using run = await listen({ address, setHostname: false });
      using sender = await client(run.port, address.startsWith('[') ? '::1' : '127.0.0.1');
      const sent = Array.from({ length: 60 }, (_, i) => `${i} `.padEnd(i % 20 === 0 ? 65_507 : i % 7, 'x'));
      for (const [i, data] of sent.entries()) {
        await sender.send(data);
        await sender.send('');
        if (i % 20 === 0) await delay(1);
      }
      await until(() => run.sink.records.length === sent.length, 'the records');
      expect(run.sink.payloads).toEqual(sent);
      expect(run.input.stats()).toMatchObject({ records: sent.length, dropped: 0 });
    }
  });
});

describe('several UDP inputs', () => {
  it('have threads and counts of their own', async () => {
    await using one = await listen();
    await using other = await listen();
    using toOne = await client(one.port);
    using toOther = await client(other.port);
    await toOne.send('one');
    for (const data of ['two', 'three']) await toOther.send(data);
    await until(() => one.sink.records.length === 1 && other.sink.records.length === 2, 'the records');
    expect([taken(one), taken(other)]).toEqual([1, 2]);
  });
});

describe('UDP', () => {
  it('makes one record of each datagram, with its headers', async () => {
    await using run = await udp();
    const client = createSocket('udp4');
    for (const data of ['<13>one', '<13>two\n', Buffer.from('<13>tr\xe9s', 'latin1'), '', '<13>line\nline\0'])
      client.send(data, run.port, '127.0.0.1');
    await until(() => run.sink.records.length === 4, 'four records');
    client.close();
    expect(run.sink.payloads).toEqual(['<13>one', '<13>two', '<13>trés', '<13>line\nline']);
    expect(run.sink.records[0]).toEqual({ payload: '<13>one', logger: 'logs', type: 'logs', hostname: '127.0.0.1', line: 0 });
    expect(run.sink.codes).toEqual(['record.encoding']);
    expect(run.input.stats().records).toBe(4);
  });

  it('listens on IPv6, and on all networks', async () => {
    await using six = await udp('[::1]:0');
    await using all = await udp(':0');
    const client = createSocket('udp6');
    client.send('six', six.port, '::1');
    client.send('all', all.port, '::1');
    const four = createSocket('udp4');
    four.send('all by IPv4', all.port, '127.0.0.1');
    await until(() => six.sink.records.length === 1 && all.sink.records.length === 2, 'the records');
    client.close();
    four.close();
    expect(six.sink.records[0]?.hostname).toBe('::1');
    expect(all.sink.records.map(({ hostname }) => hostname).sort()).toEqual(['127.0.0.1', '::1']);
  });

  it('hands over what came just before the stop', async () => {
    const run = await udp();
    const client = createSocket('udp4');
    client.send('last', run.port, '127.0.0.1');
    await until(() => run.input.stats().records === 1, 'the datagram');
    await run.input.stop();
    client.close();
    expect(run.sink.payloads).toEqual(['last']);
    expect(run.input.address()).toBeNull();
  });
});

describe('datagrams of GELF', () => {
  it('are put together and unpacked, and what is damaged or incomplete is told', async () => {
    const run = await listen({ gelf: true });
    using sender = await client(run.port);
    const long = `{"short_message":"${'x'.repeat(20_000)}"}`;
    await sender.send('{"a":1}\0');
    for (const chunk of chunksOf(Buffer.from(long), 8000)) await sender.send(chunk);
    for (const datagram of [gzipSync('{"a":2}'), deflateSync('{"a":3}'), Buffer.from([0x1f, 0x8b, 0]), Buffer.from([0x1f, 0x8b, 0])])
      await sender.send(datagram);
    await sender.send(chunksOf(Buffer.from('abcd'), 2, 9)[0] as Buffer);
    await sender.send('{"a":4}');
    await until(() => run.sink.payloads.length === 5, 'messages');
    await run.input.stop();
    expect(run.sink.payloads).toEqual(['{"a":1}', long, '{"a":2}', '{"a":3}', '{"a":4}']);
    expect(run.sink.codes).toEqual(['stream.damaged', 'datagrams.dropped']);
    expect([run.input.stats().dropped, run.input.figures()['IncompleteMessageCount']]).toEqual([1, 1]);
  });

  it('can be cut into records', async () => {
    await using run = await listen({ gelf: true, split: { kind: 'line' } });
    using sender = await client(run.port);
    await sender.send(gzipSync('a\nb\n'));
    await until(() => run.sink.payloads.length === 2, 'records');
    expect(run.sink.payloads).toEqual(['a', 'b']);
  });
});

describe('datagrams that rsyslog has packed', () => {
  it('are unpacked among plain ones, and damaged ones are counted', async () => {
    await using run = await listen({ compression: 'single', setHostname: false });
    using sender = await client(run.port);
    const bomb = single(Buffer.alloc(2 << 20));
    for (const data of ['<13>a', single('<13>one\n'), Buffer.from('zx\u0001x'), bomb, single('<13>line\nline'), 'zebra'])
      await sender.send(data);
    await until(() => run.sink.payloads.length === 4, 'the records');
    expect(run.sink.records).toMatchObject(['<13>a', '<13>one', '<13>line\nline', 'zebra'].map((payload) => ({ payload, hostname: '' })));
    expect(run.sink.notices).toMatchObject([{ code: 'stream.damaged', text: expect.stringMatching(/^127\.0\.0\.1 /) as string }]);
    expect(run.input.stats()).toMatchObject({ records: 4, dropped: 2 });
    expect(run.input.figures()).toMatchObject({ DamagedMessageCount: 2, UnpackedByteCount: 21 });
  });

  it('can be cut into records', async () => {
    await using run = await listen({ compression: 'single', split: { kind: 'line' } });
    using sender = await client(run.port);
    await sender.send(single('a\nb\n'));
    await until(() => run.sink.payloads.length === 2, 'records');
    expect(run.sink.payloads).toEqual(['a', 'b']);
  });

  it('are taken as they are by an input that does not unpack', async () => {
    await using run = await listen();
    using sender = await client(run.port);
    await sender.send(single('<13>one'));
    await until(() => run.sink.payloads.length === 1, 'the record');
    expect(run.sink.payloads[0]).toMatch(/^zx/);
  });
});
