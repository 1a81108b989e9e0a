import { createSocket } from 'node:dgram';
import { afterEach, describe, expect, it } from 'vitest';
import { StatAccumInput, type StatAccumInputOptions } from '../../../../engine/inputs/statsd/stat-accum-input.ts';
import { StatHub } from '../../../../engine/inputs/stats/stat-hub.ts';
import { StatsdInput, type StatsdInputOptions } from '../../../../engine/inputs/statsd/statsd-input.ts';
import type { Input } from '../../../../engine/inputs/types.ts';
import { TestSink } from '../harness.ts';
import { until } from '../../../until.ts';

const NOTHING_LOST = { LostDatagramCount: 0, KernelLostDatagramCount: 0, WaitingDatagramCount: 0 };

const PREFIXES = { global: 'stats', counter: 'counters', timer: 'timers', gauge: 'gauges', statsd: 'statsd' };

const running: Input[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((input) => input.stop()));
});

interface Setup {
  readonly hub: StatHub;
  readonly receiver: StatsdInput;
  readonly counts: StatAccumInput;
  /** Notices of the receiver. */
  readonly heard: TestSink;
  readonly sink: TestSink;
  send(...datagrams: (string | Buffer)[]): Promise<void>;
}

async function setup(options: Partial<StatAccumInputOptions & StatsdInputOptions> = {}): Promise<Setup> {
  const hub = new StatHub();
  const receiver = new StatsdInput({ name: 'statsd', address: '127.0.0.1:0', accumulator: 'acc', maxSize: 512, hub, ...options });
  const counts = new StatAccumInput({
    ...{ name: 'acc', hub, inPayload: true, inFields: false, thresholds: [90], type: 'svc.statmetric', seconds: 60, legacy: false },
    ...{ prefixes: PREFIXES, deleteIdle: false, hostname: 'box', pid: 42 },
    ...options,
    ...{ hub },
  });
  const [heard, sink] = [new TestSink(), new TestSink()];
  await receiver.start(heard);
  await counts.start(sink);
  running.push(receiver, counts);
  const send = async (...datagrams: (string | Buffer)[]): Promise<void> => {
    const socket = createSocket('udp4');
    for (const datagram of datagrams) {
      await new Promise((resolve) => socket.send(datagram, receiver.address()?.port ?? 0, '127.0.0.1', resolve));
    }
    socket.close();
  };
  return { hub, receiver, counts, heard, sink, send };
}

const seen = ({ receiver }: Setup): number => {
  const { StatCount = 0, BadLineCount = 0, LostStatCount = 0 } = receiver.figures();
  return StatCount + BadLineCount + LostStatCount;
};
const stopBoth = async ({ receiver, counts }: Setup): Promise<void> => {
  running.length = 0;
  await Promise.all([counts.stop(), receiver.stop()]);
};
/** The payload without times. */
const payload = ({ sink }: Setup): string[] => (sink.payloads.at(-1) ?? '').replaceAll(/ \d+$/gm, '').split('\n').filter(Boolean);

describe('stats over UDP', () => {
  it('are emitted at each tick, as one message', async () => {
    const all = await setup({ seconds: 1, inFields: true });
    await all.send('hits:1|c\nhits:1|c|@0.5\n', 'temp:21.5|g');
    await until(() => all.sink.records.length === 2, 'two ticks');
    const [first] = all.sink.batches;
    const message = first?.batch.message(0);
    expect(message).toMatchObject({ type: 'svc.statmetric', logger: 'acc', hostname: 'box', pid: 42 });
    const seconds = Number(message?.timestamp ?? 0n) / 1e9;
    expect(message?.payload).toBe(
      ['stats.counters.hits.rate 3.000000', 'stats.counters.hits.count 3', 'stats.gauges.temp 21.500000', 'stats.statsd.numStats 2']
        .map((line) => `${line} ${Math.floor(seconds)}\n`)
        .join(''),
    );
    expect(message?.fields[0]).toEqual({ name: 'timestamp', valueType: 2, values: [BigInt(Math.floor(seconds))] });
    expect(message?.fields.map(({ name }) => name)).toEqual([
      ...['timestamp', 'stats.counters.hits.rate', 'stats.counters.hits.count', 'stats.gauges.temp', 'stats.statsd.numStats'],
    ]);
    expect(all.sink.payloads[1]).toContain('stats.counters.hits.count 0 ');
    expect(all.counts.figures()).toEqual({ StatNameCount: 2 });
  });

  it.each<[string, boolean, boolean, RegExp, number]>([
    ['the payload', true, false, /^stats\.gauges\.a 1\.000000 \d+\nstats\.statsd\.numStats 1 \d+\n$/, 0],
    ['fields', false, true, /^$/, 3],
    ['both', true, true, /^stats\.gauges/, 3],
  ])('are in %s', async (_title, inPayload, inFields, wanted, fields) => {
    const all = await setup({ inPayload, inFields });
    await all.send('a:1|g');
    await until(() => seen(all) === 1, 'the stat');
    await stopBoth(all);
    const message = all.sink.batches[0]?.batch.message(0);
    expect(message?.payload).toMatch(wanted);
    expect(message?.fields).toHaveLength(fields);
  });

  it('are emitted once more at the stop, with what has just come', async () => {
    const all = await setup();
    await all.send('hits:1|c');
    await until(() => all.receiver.stats().bytes > 0, 'the datagram');
    await stopBoth(all);
    expect(payload(all)).toEqual(['stats.counters.hits.rate 0.016667', 'stats.counters.hits.count 1', 'stats.statsd.numStats 1']);
    expect(all.sink.records).toHaveLength(1);
  });

  it('of a wrong form are told with one of them, and the others count', async () => {
    const all = await setup();
    await all.send('hits:1|c\nnonsense\nx:1|s\nhits:2|c', Buffer.from([0xff, 0x00, 0x3a, 0x7c]));
    await until(() => seen(all) === 5, 'all lines');
    expect(all.receiver.figures()).toEqual({ StatCount: 2, BadLineCount: 3, LostStatCount: 0, ...NOTHING_LOST });
    expect(all.heard.notices.find(({ code }) => code === 'stat.bad')).toEqual({
      level: 'warning',
      code: 'stat.bad',
      text: 'Input statsd got 2 lines that are not stats, such as "nonsense".',
    });
  });

  it('are cut at the size that is allowed', async () => {
    const all = await setup({ maxSize: 16 });
    // The sixteenth byte is the first digit of the last value.
    await all.send('a:1|c\nb:2|c\nc:34|c', 'long:1|c\n'.repeat(100), 'ä:1|g\nöööö:2|g');
    await until(() => all.receiver.stats().bytes > 900, 'the datagrams');
    await stopBoth(all);
    expect(all.receiver.figures()).toEqual({ StatCount: 4, BadLineCount: 3, LostStatCount: 0, ...NOTHING_LOST });
    expect(payload(all).at(-1)).toBe('stats.statsd.numStats 4');
  });

  it('without anybody who counts them are lost, and that is counted', async () => {
    const all = await setup({ accumulator: 'other' });
    await all.send('hits:1|c');
    await until(() => seen(all) === 1, 'the stat');
    expect(all.receiver.figures()).toEqual({ StatCount: 0, BadLineCount: 0, LostStatCount: 1, ...NOTHING_LOST });
    expect(all.receiver.stats()).toMatchObject({ records: 0, dropped: 1 });
  });

  it('come to the same numbers however they are spread over datagrams', async () => {
    const all = await setup();
    await all.send(...Array.from({ length: 200 }, (_, i) => `hits:${i}|c\nrt:${i}|ms\nlast:${i}|g`));
    await until(() => seen(all) === 600, 'all stats');
    await stopBoth(all);
    expect(payload(all)).toContain('stats.counters.hits.count 19900');
    expect(payload(all)).toContain('stats.timers.rt.count 200');
    expect(payload(all)).toContain('stats.gauges.last 199.000000');
  });

  it('go on after a restart of who counts them, from nothing', async () => {
    const all = await setup();
    await all.send('hits:1|c');
    await until(() => seen(all) === 1, 'the stat');
    await all.counts.stop();
    await all.counts.start(all.sink);
    await all.send('hits:5|c');
    await until(() => seen(all) === 2, 'the next stat');
    await stopBoth(all);
    expect(all.sink.records).toHaveLength(2);
    expect(payload(all)).toContain('stats.counters.hits.count 5');
  });

  it('to a port that is taken are told', async () => {
    const all = await setup();
    const { host, port } = all.receiver.address() ?? { host: '', port: 0 };
    const second = new StatsdInput({ name: 'second', address: `${host}:${port}`, accumulator: 'acc', maxSize: 512, hub: all.hub });
    const sink = new TestSink();
    await second.start(sink);
    expect([sink.codes, second.address()]).toEqual([['port.in-use'], null]);
    await second.stop();
  });
});
