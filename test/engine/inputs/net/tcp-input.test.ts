import { once } from 'node:events';
import { connect, type Socket, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { constants, createDeflate, deflateSync, type Deflate } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { TcpInput, type TcpInputOptions } from '../../../../engine/inputs/net/tcp-input.ts';
import { TestSink } from '../harness.ts';
import { until } from '../../../until.ts';
import { counted, countedSingle, single, udp } from './net-fixtures.ts';
import { createSocket } from 'node:dgram';
import { portProblem } from '../../../../engine/inputs/notices.ts';
import type { MessageBatch } from '../../../../engine/message/batch/batch.ts';
import { messagesOf } from '../../../../engine/message/batch/row-index.ts';
import { formatAddress } from '../../../../engine/inputs/net/address.ts';
import { UdpInput } from '../../../../engine/inputs/net/udp-input.ts';
import { freePort } from '../../../ports.ts';
import type { SplitOptions } from '../../../../engine/inputs/splitters/index.ts';

async function tcp(
  options: Partial<TcpInputOptions> = {},
  sink = new TestSink(),
): Promise<{
  input: TcpInput;
  sink: TestSink;
  dial(more?: { allowHalfOpen: boolean }): Promise<Socket>;
  [Symbol.asyncDispose](): Promise<void>;
}> {
  const input = new TcpInput({ name: 'logs', address: '127.0.0.1:0', ...options });
  await input.start(sink);
  const dial = async (more = {}): Promise<Socket> => {
    const { host, port } = input.address() ?? { host: '', port: 0 };
    const socket = connect({ port, host, ...more });
    await once(socket, 'connect');
    return socket;
  };
  return { input, sink, dial, [Symbol.asyncDispose]: () => input.stop() };
}

describe('TCP', () => {
  it('takes both framings, on connections side by side', async () => {
    await using run = await tcp({ type: 'syslog' });
    const [lines, octets] = [await run.dial(), await run.dial()];
    lines.write('<13>a1\n<13>a');
    octets.write(`${counted('<13>b\n1')}8 <13`);
    await until(() => run.sink.records.length === 2, 'the first records');
    lines.end('2\n<13>unfinished');
    octets.end('>b2X');
    await until(() => run.sink.records.length === 5, 'all records');
    expect(run.sink.payloads.filter((payload) => payload.includes('a') || payload.includes('u'))).toEqual([
      '<13>a1',
      '<13>a2',
      '<13>unfinished',
    ]);
    expect(run.sink.payloads.filter((payload) => payload.includes('b'))).toEqual(['<13>b\n1', '<13>b2X']);
    expect(run.sink.records[0]).toMatchObject({ type: 'syslog', logger: 'logs', line: 0 });
    await until(() => run.input.connections === 0, 'the ends of the connections');
  });

  it('keeps the order within each of many connections', async () => {
    await using run = await tcp();
    const sockets = await Promise.all(Array.from({ length: 50 }, () => run.dial()));
    for (let i = 0; i < 40; i++) for (const [j, socket] of sockets.entries()) socket.write(`<1>${j} ${i}\n`);
    for (const socket of sockets) socket.end();
    await until(() => run.sink.records.length === 2000, 'all records');
    for (let j = 0; j < 50; j++) {
      const own = run.sink.payloads.filter((payload) => payload.startsWith(`<1>${j} `));
      expect(own).toEqual(Array.from({ length: 40 }, (_, i) => `<1>${j} ${i}`));
    }
  });

  it('does not read on while the sink takes nothing, and loses nothing', async () => {
    const sink = new TestSink();
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    sink.gate = () => opened;
    await using run = await tcp({}, sink);
    const socket = await run.dial();
    const line = `<1>${'y'.repeat(996)}\n`;
    const count = 80_000;
    let sent = 0;
    const send = (): void => {
      while (sent < count) if ((sent++, !socket.write(line))) return void socket.once('drain', send);
      socket.end();
    };
    send();
    await delay(400);
    expect(run.input.stats().bytes).toBeLessThan(count * line.length * 0.6);
    expect(sent).toBeLessThan(count);
    open();
    await until(() => sink.records.length === count, 'all records');
  });

  it('cuts what is too long and tells it once for a connection', async () => {
    await using run = await tcp({ maxRecord: 1000 });
    const socket = await run.dial();
    for (let i = 0; i < 3; i++) socket.write(`<1>${'z'.repeat(100_000)}\n`);
    socket.end('<1>ok\n');
    await until(() => run.sink.records.length === 4, 'four records');
    expect(run.sink.payloads.map((payload) => payload.length)).toEqual([1000, 1000, 1000, 5]);
    expect(run.sink.codes).toEqual(['record.truncated']);
  });

  it('tells a wrong framing and goes on', async () => {
    await using run = await tcp();
    const socket = await run.dial();
    socket.end(`${counted('<13>one')}oops\n${counted('<13>two')}`);
    await until(() => run.sink.records.length === 3, 'three records');
    expect(run.sink.payloads).toEqual(['<13>one', 'oops', '<13>two']);
    expect(run.sink.codes).toEqual(['stream.framing']);
  });

  it('refuses connections beyond the limit', async () => {
    await using run = await tcp({ maxConnections: 1 });
    const socket = await run.dial();
    const second = await run.dial();
    await once(second, 'close');
    await until(() => run.sink.codes.includes('connection.refused'), 'the notice');
    socket.end('still\n');
    await until(() => run.sink.records.length === 1, 'the record');
  });

  it('outlives a broken connection', async () => {
    await using run = await tcp();
    const socket = await run.dial();
    socket.write('<1>before\n<1>half');
    await until(() => run.input.stats().bytes === 17, 'the data');
    socket.resetAndDestroy();
    await until(() => run.sink.records.length === 2, 'both records');
    expect(run.sink.payloads).toEqual(['<1>before', '<1>half']);
  });

  it('hands over what came just before the stop', async () => {
    const run = await tcp();
    const socket = await run.dial();
    socket.on('error', () => undefined);
    socket.write('<1>one\n<1>two');
    await until(() => run.input.stats().bytes === 13, 'the data');
    await run.input.stop();
    expect(run.sink.payloads).toEqual(['<1>one', '<1>two']);
  });

  it('reads at the stop what the system has, and tells the sender that it takes nothing more', async () => {
    const run = await tcp();
    const socket = await run.dial();
    socket.write('<1>first\n');
    await until(() => run.sink.records.length === 1, 'the first record');
    const ended = once(socket.resume(), 'end');
    const lines = Array.from({ length: 2000 }, (_, i) => `<1>line ${i}`);
    // Stopped as soon as the system has it: nothing of it has been read then.
    await new Promise<void>((resolve, reject) => {
      socket.write(`${lines.join('\n')}\n`, () => void run.input.stop().then(resolve, reject));
    });
    await ended;
    expect(run.sink.payloads.slice(1)).toEqual(lines);
    expect(run.sink.codes).toEqual([]);
  });

  it('says at the stop that senders were cut off that did not end', async () => {
    const run = await tcp();
    const socket = await run.dial({ allowHalfOpen: true });
    socket.on('error', () => undefined);
    const sending = setInterval(() => socket.write('<1>more\n'), 2);
    await until(() => run.sink.records.length > 0, 'the first record');
    await run.input.stop();
    clearInterval(sending);
    expect(run.sink.notices.map(({ text }) => text)).toEqual([expect.stringMatching(/^Input logs has cut 1 connections off/)]);
    socket.destroy();
  });
});

/** The sending end of a zlib stream over a connection. */
function deflateTo(socket: Socket): { readonly deflate: Deflate; write(text: string): Promise<void> } {
  const deflate = createDeflate();
  deflate.pipe(socket);
  const write = async (text: string): Promise<void> => {
    deflate.write(text);
    await new Promise<void>((resolve) => deflate.flush(constants.Z_SYNC_FLUSH, resolve));
  };
  return { deflate, write };
}

describe('connections that are zlib streams', () => {
  it('bring lines and counted records as soon as they are flushed', async () => {
    await using run = await tcp({ compression: 'stream', type: 'syslog' });
    const [lines, octets] = [deflateTo(await run.dial()), deflateTo(await run.dial())];
    await lines.write('<13>one\n<13>tw');
    await until(() => run.sink.records.length === 1, 'the first record');
    await lines.write('o\n');
    await octets.write(counted('<13>a\nb') + counted('<13>c').slice(0, 4));
    await until(() => run.sink.records.length === 3, 'three records');
    lines.deflate.end('<13>unfinished');
    octets.deflate.end('3>c');
    await until(() => run.input.connections === 0, 'the ends');
    await until(() => run.sink.records.length === 5, 'all records');
    expect(run.sink.payloads.toSorted()).toEqual(['<13>a\nb', '<13>c', '<13>one', '<13>two', '<13>unfinished']);
    expect(run.sink.records[0]).toMatchObject({ type: 'syslog', hostname: '127.0.0.1' });
    expect(run.sink.codes).toEqual([]);
    expect(run.input.figures()).toEqual({ UnpackedByteCount: 30 + 16 });
    expect(run.input.stats().bytes).toBeGreaterThan(40);
  });

  it.each<{ title: string; split: SplitOptions; payloads: string[] }>([
    { title: 'by an expression', split: { kind: 'regex', pattern: '(;)' }, payloads: ['a;', 'b;', 'c'] },
    { title: 'not at all', split: { kind: 'raw', whole: false }, payloads: ['a;b;c'] },
  ])('are cut $title', async ({ split, payloads }) => {
    await using run = await tcp({ compression: 'stream', split });
    (await run.dial()).end(deflateSync('a;b;c'));
    await until(() => run.sink.payloads.join('') === 'a;b;c', 'the records');
    expect(run.sink.payloads).toEqual(payloads);
  });

  it.each<{ title: string; data: Buffer; codes: string[]; text: RegExp; payloads: string[] }>([
    {
      title: 'text',
      data: Buffer.from('<13>one\n'),
      codes: ['stream.framing'],
      text: /from 127\.0\.0\.1 .*header.*stream:always/,
      payloads: [],
    },
    {
      title: 'single messages',
      data: countedSingle('<13>one'),
      codes: ['stream.framing', 'stream.framing'],
      text: /compression = "single"/,
      payloads: [],
    },
    {
      title: 'zstd',
      data: Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0]),
      codes: ['stream.framing', 'stream.framing'],
      text: /driver="zlib"/,
      payloads: [],
    },
    {
      title: 'more behind the end',
      data: Buffer.concat([deflateSync('<13>one\n<13>two'), Buffer.from('x')]),
      codes: ['stream.framing'],
      text: /something follows its end/,
      payloads: ['<13>one', '<13>two'],
    },
    {
      title: 'an early end',
      data: deflateSync('<13>one\n').subarray(0, -1),
      codes: ['connection.broken'],
      text: /amid its zlib stream/,
      payloads: ['<13>one'],
    },
  ])('are closed and told with $title, and others go on', async ({ data, codes, text, payloads }) => {
    await using run = await tcp({ compression: 'stream' });
    const other = deflateTo(await run.dial());
    await other.write('<13>other\n');
    const socket = await run.dial();
    socket.on('error', () => undefined).resume();
    const closed = once(socket, 'close');
    if (codes[0] === 'connection.broken') socket.end(data);
    else socket.write(data);
    await closed;
    await until(() => run.input.connections === 1 && run.sink.records.length === payloads.length + 1, 'the end');
    expect(run.sink.codes).toEqual(codes);
    expect(run.sink.notices[0]?.text).toMatch(text);
    expect(run.sink.payloads.filter((payload) => payload !== '<13>other')).toEqual(payloads);
    await other.write('<13>other\n');
    await until(() => run.sink.records.length === payloads.length + 2, 'the other one');
  });

  it('do not fill the memory while nothing is taken, and lose nothing', async () => {
    const sink = new TestSink();
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    sink.gate = () => opened;
    await using run = await tcp({ compression: 'stream' }, sink);
    const line = `<1>${'y'.repeat(9996)}\n`;
    const count = 6000;
    const socket = await run.dial();
    socket.end(deflateSync(line.repeat(count), { level: 1 }));
    await until(() => (run.input.figures()['UnpackedByteCount'] ?? 0) > 1e6, 'the first records');
    await delay(200);
    expect(run.input.figures()['UnpackedByteCount']).toBeLessThan(0.6 * count * line.length);
    open();
    await until(() => sink.records.length === count, 'all records');
    expect(sink.codes).toEqual([]);
  });

  it('hand over at the stop what the system has, and tell nothing', async () => {
    const run = await tcp({ compression: 'stream' });
    const socket = await run.dial();
    const lines = Array.from({ length: 20_000 }, (_, i) => `<1>line ${i}`);
    // The stream goes on.
    const packed = deflateSync(`${lines.join('\n')}\n<1>half`, { finishFlush: constants.Z_SYNC_FLUSH });
    await new Promise<void>((resolve, reject) => {
      socket.write(packed, () => void run.input.stop().then(resolve, reject));
    });
    expect(run.sink.payloads).toEqual([...lines, '<1>half']);
    expect(run.sink.codes).toEqual([]);
  });

  it('end at the stop though nothing is taken', async () => {
    const sink = new TestSink();
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    sink.gate = () => opened;
    const run = await tcp({ compression: 'stream' }, sink);
    const socket = await run.dial();
    socket.on('error', () => undefined);
    socket.end(deflateSync(`<1>${'y'.repeat(9996)}\n`.repeat(6000)));
    await until(() => (run.input.figures()['UnpackedByteCount'] ?? 0) > 1e6, 'the first records');
    await run.input.stop();
    open();
    expect(sink.codes).toEqual(['records.lost', 'records.lost']);
  });
});

describe('messages that are packed one by one', () => {
  it('are unpacked among plain ones', async () => {
    await using run = await tcp({ compression: 'single' });
    const socket = await run.dial();
    const damaged = single('<13>lost');
    damaged[8] = (damaged[8] ?? 0) ^ 0xff;
    for (const data of [
      '<13>a\n',
      countedSingle('<13>one'),
      counted('<13>b'),
      `${damaged.length} `,
      damaged,
      countedSingle(`<13>${'x'.repeat(70_000)}`),
    ])
      socket.write(data);
    socket.end('<13>c');
    await until(() => run.sink.records.length === 5, 'all records');
    expect(run.sink.payloads).toEqual(['<13>a', '<13>one', '<13>b', `<13>${'x'.repeat(65_532)}`, '<13>c']);
    expect(run.sink.codes.toSorted()).toEqual(['record.truncated', 'stream.damaged']);
    expect(run.input.stats()).toMatchObject({ records: 5, dropped: 1 });
    expect(run.input.figures()).toEqual({ UnpackedByteCount: 7 + 70_004, DamagedMessageCount: 1 });
  });

  it.each<{ title: string; data: Buffer; text: RegExp | null }>([
    { title: 'them', data: countedSingle('<13>one'), text: /from|compression = "single"/ },
    { title: 'a zlib stream', data: deflateSync('<13>one\n'), text: /compression = "stream"/ },
    { title: 'text that begins like zlib', data: Buffer.from('x^2\n'), text: null },
  ])('are told where an input takes no compression that gets $title', async ({ data, text }) => {
    await using run = await tcp();
    (await run.dial()).end(data);
    await until(() => run.sink.records.length > 0, 'a record');
    const said = run.sink.notices.filter(({ code }) => code === 'stream.framing').map((notice) => notice.text);
    expect(said).toEqual(text === null ? [] : [expect.stringMatching(text)]);
  });
});

describe('what is wrong with ports', () => {
  it('in use', async () => {
    const port = await freePort();
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    const sink = new TestSink();
    const input = new TcpInput({ name: 'x', address: `127.0.0.1:${port}` });
    await input.start(sink);
    expect(sink.notices).toEqual([
      { level: 'error', code: 'port.in-use', text: expect.stringMatching(`TCP 127.0.0.1:${port} is in use`) as string },
    ]);
    expect(input.address()).toBeNull();
    await new Promise((resolve) => server.close(resolve));
    await input.start(sink);
    expect(input.address()?.port).toBe(port);
    await input.stop();
  });

  it('in use (UDP)', async () => {
    await using run = await udp();
    const sink = new TestSink();
    const other = new UdpInput({ name: 'y', address: `127.0.0.1:${run.port}` });
    await other.start(sink);
    await other.stop();
    expect(sink.codes).toEqual(['port.in-use']);
  });

  it.each([
    ['TCP', (sink: TestSink) => new TcpInput({ name: 'x', address: '203.0.113.9:5514' }).start(sink)],
    ['UDP', (sink: TestSink) => new UdpInput({ name: 'x', address: '203.0.113.9:5514' }).start(sink)],
    ['a name', (sink: TestSink) => new TcpInput({ name: 'x', address: 'no-such-host.invalid:5514' }).start(sink)],
  ])('no address of this machine (%s)', async (_title, start) => {
    const sink = new TestSink();
    await start(sink);
    expect(sink.codes).toEqual(['port.bad-address']);
  });

  it('not allowed', () => {
    const denied = Object.assign(new Error('listen EACCES'), { code: 'EACCES' });
    expect(portProblem('UDP', ':514', denied).toNotice()).toEqual({
      level: 'error',
      code: 'port.denied',
      text: expect.stringMatching(/5514/) as string,
    });
  });
});

describe('records that are cut as a configuration says', () => {
  it('come over TCP between delimiters, the last one at the end of the connection', async () => {
    const sink = new TestSink();
    const input = new TcpInput({ name: 'in', address: '127.0.0.1:0', split: { kind: 'regex', pattern: '(;)' } });
    await input.start(sink);
    const socket = connect(input.address()?.port ?? 0, '127.0.0.1');
    socket.write('a;größe;');
    await until(() => sink.payloads.length === 2, 'two records while the connection is open');
    socket.end(';rest');
    await until(() => sink.payloads.length === 4, 'the rest');
    expect(sink.payloads).toEqual(['a;', 'größe;', ';', 'rest']);
    expect(sink.records[0]).toMatchObject({ logger: 'in' });
    await input.stop();
  });

  it.each<{ title: string; split?: SplitOptions; address: string; host: string }>([
    { title: 'syslog', address: '127.0.0.1', host: '127.0.0.1' },
    { title: 'syslog by IPv6', address: '::1', host: '::1' },
    { title: 'syslog by IPv4 on all networks', address: '', host: '127.0.0.1' },
    { title: 'cut records', split: { kind: 'regex', pattern: '(;)' }, address: '127.0.0.1', host: '127.0.0.1' },
    { title: 'pieces as they are', split: { kind: 'raw', whole: false }, address: '127.0.0.1', host: '127.0.0.1' },
  ])('have the address of their sender as Hostname, and its port as a field: $title', async ({ split, address, host }) => {
    const sink = new TestSink();
    const input = new TcpInput({ name: 'in', address: formatAddress({ host: address, port: 0 }), ...(split ? { split } : {}) });
    await input.start(sink);
    const socket = connect(input.address()?.port ?? 0, address === '::1' ? address : '127.0.0.1');
    socket.write('a;\n');
    await until(() => sink.records.length > 0, 'the record');
    expect(sink.records[0]).toMatchObject({ hostname: host });
    const [message] = [...messagesOf(sink.batches[0]?.batch as MessageBatch, null)];
    expect(message?.fields).toMatchObject([{ name: 'remote_port', valueType: 2, values: [BigInt(socket.localPort ?? 0)] }]);
    socket.destroy();
    await input.stop();
  });

  it.each<{ setHostname: boolean; hostname: string }>([
    { setHostname: true, hostname: '127.0.0.1' },
    { setHostname: false, hostname: '' },
  ])('come over UDP, several lines in a datagram, with Hostname "$hostname"', async ({ setHostname, hostname }) => {
    const sink = new TestSink();
    const input = new UdpInput({ name: 'in', address: '127.0.0.1:0', split: { kind: 'line' }, setHostname });
    await input.start(sink);
    const socket = createSocket('udp4');
    socket.send('one\ntwo\r\n\nthree', input.address()?.port ?? 0, '127.0.0.1');
    await until(() => sink.payloads.length === 3, 'three records');
    expect(sink.records).toMatchObject(['one', 'two', 'three'].map((payload) => ({ payload, hostname })));
    socket.close();
    await input.stop();
  });

  it('are refused before anything comes when they cannot be cut so', () => {
    const split = { kind: 'regex', pattern: '(a)(b)' } as const;
    expect(() => new TcpInput({ name: 'in', address: ':0', split })).toThrow('2 groups');
    expect(() => new UdpInput({ name: 'in', address: ':0', split })).toThrow('2 groups');
  });
});
