/** Compressed messages of a real rsyslog. */
import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TcpInput, type TcpInputOptions } from '../../engine/inputs/net/tcp-input.ts';
import { UdpInput } from '../../engine/inputs/net/udp-input.ts';
import type { Input } from '../../engine/inputs/types.ts';
import { TestSink } from '../engine/inputs/harness.ts';
import { until } from '../until.ts';
import { installed, RSYSLOG_MODULES, ServerFolder } from './support/server.ts';

/** Some are too short to be packed, some do not get smaller, and most do. */
const lines = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, i) => {
    const number = from + i;
    if (number % 5 === 0) return `short ${number}`;
    return number % 7 === 0
      ? `noise ${number} ${(number * 2_654_435_761).toString(36)}`
      : `line ${number} ${'failed to connect; '.repeat(1 + (number % 40))}`;
  });
const FIRST = lines(0, 300);
const LAST = lines(300, 700);

/** Of several connections, the order is not kept. */
const byNumber = (a: string, b: string): number => Number(a.split(' ')[1]) - Number(b.split(' ')[1]);

interface Sending {
  readonly title: string;
  readonly action: string;
  readonly compression: 'single' | 'stream';
  readonly isUdp?: boolean;
}
const SENDINGS: readonly Sending[] = [
  { title: 'single', action: 'protocol="tcp" compression.mode="single"', compression: 'single' },
  {
    title: 'single, all counted',
    action: 'protocol="tcp" ZipLevel="1" compression.mode="single" TCP_Framing="octet-counted"',
    compression: 'single',
  },
  {
    title: 'single by UDP',
    action: 'protocol="udp" ZipLevel="9" compression.mode="single" UDP.SendDelay="100"',
    compression: 'single',
    isUdp: true,
  },
  { title: 'a stream', action: 'protocol="tcp" compression.mode="stream:always"', compression: 'stream' },
  {
    title: 'a stream, counted',
    action: 'protocol="tcp" compression.mode="stream:always" TCP_Framing="octet-counted"',
    compression: 'stream',
  },
  {
    title: 'a stream without flushes',
    action: 'protocol="tcp" compression.mode="stream:always" compression.stream.flushOnTXEnd="off"',
    compression: 'stream',
  },
  { title: 'several streams', action: 'protocol="tcp" compression.mode="stream:always" RebindInterval="50"', compression: 'stream' },
];

const server = new ServerFolder();
const runs = new Map<string, { readonly input: Input & { address(): { port: number } | null }; readonly sink: TestSink }>();
const payloads = (title: string): string[] => (runs.get(title)?.sink.payloads ?? []).map((payload) => payload.replace(/^<\d+>/, ''));

const portOf = (title: string): number => runs.get(title)?.input.address()?.port ?? 0;
const forward = (port: number, action: string): string =>
  `action(type="omfwd" target="127.0.0.1" port="${port}" template="plain" ${action})`;

/** Starts an rsyslog that forwards the lines of a file, whose path it returns. */
async function startRsyslog(folder: ServerFolder, actions: readonly string[]): Promise<string> {
  const log = folder.file('in.log');
  const conf = folder.file(
    'rsyslog.conf',
    `global(workDirectory="${folder.path}")
module(load="imfile") module(load="imuxsock" SysSock.Use="off")
template(name="plain" type="string" string="<13>%msg%")
input(type="imfile" File="${log}" Tag="t" freshStartTail="off" ruleset="forward")
ruleset(name="forward") {
${actions.join('\n')}
}
`,
  );
  const args = ['-n', '-f', conf, '-i', `${folder.path}/rsyslog.pid`, '-M', RSYSLOG_MODULES];
  await folder.start(installed('usr/sbin/rsyslogd'), args, () => undefined);
  return log;
}

beforeAll(async () => {
  for (const { title, compression, isUdp = false } of SENDINGS) {
    const options: TcpInputOptions = { name: title, address: '127.0.0.1:0', compression };
    const input = isUdp ? new UdpInput({ ...options, compression: 'single' }) : new TcpInput(options);
    const sink = new TestSink();
    await input.start(sink);
    runs.set(title, { input, sink });
  }
  const actions = SENDINGS.map(({ title, action }) => forward(portOf(title), action));
  const log = await startRsyslog(server, actions);
  appendFileSync(log, `${FIRST.join('\n')}\n`);
  const flushed = SENDINGS.filter(({ title }) => title !== 'a stream without flushes');
  // While the connections are open.
  await until(() => flushed.every(({ title }) => payloads(title).length === FIRST.length), 'the first records');
  appendFileSync(log, `${LAST.join('\n')}\n`);
  await until(() => flushed.every(({ title }) => payloads(title).length === FIRST.length + LAST.length), 'all records');
  await server.close();
});
afterAll(async () => {
  await server.close();
  for (const { input } of runs.values()) await input.stop();
});

it.each(SENDINGS)('$title: all records come, and nothing is wrong', async ({ title }) => {
  await until(() => payloads(title).length === FIRST.length + LAST.length, 'the end');
  const own = title === 'several streams' ? payloads(title).toSorted(byNumber) : payloads(title);
  expect(own).toEqual([...FIRST, ...LAST]);
  const { input, sink } = runs.get(title) as { input: Input; sink: TestSink };
  expect(sink.notices).toEqual([]);
  expect(input.stats().dropped).toBe(0);
  const { UnpackedByteCount: unpacked = 0 } = input.figures?.() ?? {};
  const text = [...FIRST, ...LAST].join('\n').length;
  expect(unpacked).toBeGreaterThan(text * 0.7);
  // The messages came packed.
  expect(input.stats().bytes).toBeLessThan(text * 0.5);
});

it('keeps what a stream had flushed when rsyslog is killed, and tells it', async () => {
  const input = new TcpInput({ name: 'killed', address: '127.0.0.1:0', compression: 'stream' });
  const sink = new TestSink();
  await input.start(sink);
  const other = new ServerFolder();
  try {
    const log = await startRsyslog(other, [forward(input.address()?.port ?? 0, 'protocol="tcp" compression.mode="stream:always"')]);
    appendFileSync(log, `${FIRST.join('\n')}\n`);
    await until(() => sink.records.length === FIRST.length, 'the records');
    await other.kill();
    await until(() => sink.codes.length > 0, 'the notice');
    expect(sink.notices).toMatchObject([{ code: 'connection.broken', text: expect.stringMatching(/from 127\.0\.0\.1 /) as string }]);
    expect(sink.payloads).toHaveLength(FIRST.length);
  } finally {
    await other.close();
    await input.stop();
  }
});
