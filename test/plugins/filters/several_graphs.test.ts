/** Filters with several graphs: what each tick brings of them, and one alert for all. */
import { expect, test } from 'vitest';
import { plainMessage } from '../support/message.ts';
import { parseGraph } from '../support/payloads.ts';
import { startPlugin, type RunningPlugin } from '../support/sandbox.ts';

const NOW = 1_400_000_400;

function tick(plugin: RunningPlugin, second: number): [type: unknown, name: unknown, payload: string][] {
  const { rc, injected } = plugin.timer(BigInt(second) * 1_000_000_000n);
  expect(rc).toBe(0);
  return injected.map(({ Payload = '', Fields }) => [Fields[0]?.value[0], Fields[1]?.value[0], Payload]);
}

const kinds = (outputs: ReturnType<typeof tick>): unknown[] => outputs.map(([type, name]) => [type, name]);
const marksOf = (payload: string): number[] =>
  (JSON.parse(payload.split('\n')[0] ?? '') as { annotations: { x: number }[] }).annotations.map(({ x }) => x);
const lossOf = (name: string): string => `roc("${name}", 1, 2, 0, 1.5, true, false)`;

test('diskstats', () => {
  const names = [
    ...['WritesCompleted', 'ReadsCompleted', 'SectorsWritten', 'SectorsRead', 'WritesMerged', 'ReadsMerged'],
    ...['TimeWriting', 'TimeReading', 'TimeDoingIO', 'WeightedTimeDoingIO'],
  ];
  const plugin = startPlugin('filters/diskstats.ts', { rows: 100, anomaly_config: `${lossOf('Disk Stats')} ${lossOf('Time doing IO')}` });
  const read = (second: number, value: number): number =>
    plugin.process(
      plainMessage({ Timestamp: second * 1e9, Fields: { ...Object.fromEntries(names.map((name) => [name, value])), TickerInterval: 10 } }),
    ).rc;
  expect(tick(plugin, NOW)).toEqual([]);
  for (const [i, value] of [1000, 1010, 1030, 5, 6].entries()) expect(read(NOW + i * 10, value)).toBe(0);
  const [times, rates] = tick(plugin, NOW + 40);
  expect([times?.slice(0, 2), rates?.slice(0, 2)]).toEqual([
    ['cbuf', 'Time doing IO'],
    ['cbuf', 'Disk Stats'],
  ]);
  const { header, rows } = parseGraph(rates?.[2] ?? '');
  expect(header).toMatchObject({ time: NOW + 40 - 990, rows: 100, seconds_per_row: 10 });
  expect(rows.slice(-5).map(([cell]) => cell)).toEqual(['nan', '10', '20', '-1025', '1']);
  expect(
    parseGraph(times?.[2] ?? '')
      .rows.slice(-5)
      .map(([cell]) => cell),
  ).toEqual(['1000', '1010', '1030', '5', '6']);
  expect([marksOf(times?.[2] ?? ''), marksOf(rates?.[2] ?? '')]).toEqual([[], []]);

  const later = tick(plugin, NOW + 70);
  expect(kinds(later)).toEqual([
    ['cbuf', 'Time doing IO'],
    ['cbuf', 'Disk Stats'],
    ['alert', ''],
  ]);
  expect(later[2]?.[2].split('\n').map((line) => line.split(' - ')[0])).toEqual(['Time doing IO', 'Disk Stats']);
  expect(later.slice(0, 2).map(([, , payload]) => marksOf(payload))).toEqual([[(NOW + 70) * 1000], [(NOW + 70) * 1000]]);
  // An hour passes before the next one, and the marks go with the rows, after 1000 seconds.
  expect(tick(plugin, NOW + 1069).map(([, , payload]) => marksOf(payload).length)).toEqual([1, 1]);
  expect(tick(plugin, NOW + 1070).map(([, , payload]) => marksOf(payload).length)).toEqual([0, 0]);
});

test('an alert of one graph does not hold back that of another', () => {
  const titles = ['A', 'B'];
  const plugin = startPlugin('filters/cbufd_aggregator.ts', { anomaly_config: titles.map(lossOf).join('') });
  const feed = (name: string, second: number): void => {
    const Payload = `${header([['n', 'sum']])}\n${second}\t1\n`;
    expect(plugin.process(plainMessage({ Payload, Fields: { payload_name: name } })).rc).toBe(0);
  };
  const alertsAt = (second: number): string[] =>
    tick(plugin, second).flatMap(([type, , payload]) =>
      type === 'alert' ? payload.split('\n').map((line) => line.split(' - ')[0] ?? '') : [],
    );
  for (let i = 0; i < 5; i++) for (const name of titles) feed(name, NOW + i * 10);
  for (let i = 5; i < 8; i++) feed('B', NOW + i * 10);
  expect(alertsAt(NOW + 70)).toEqual(['A']);
  expect(alertsAt(NOW + 90)).toEqual([]);
  expect(alertsAt(NOW + 100)).toEqual(['B']);
  expect(alertsAt(NOW + 110)).toEqual([]);
});

const header = (columns: readonly (readonly [name: string, aggregation: string])[]): string =>
  JSON.stringify({
    time: 0,
    rows: 100,
    columns: columns.length,
    seconds_per_row: 10,
    column_info: columns.map(([name, aggregation]) => ({ name, unit: 'B', aggregation })),
  });

test('cbufd_aggregator', () => {
  const plugin = startPlugin('filters/cbufd_aggregator.ts', { enable_delta: true, anomaly_config: `${lossOf('A')}${lossOf('B')}` });
  const feed = (name: string, second: number, deltas: string): number =>
    plugin.process(plainMessage({ Payload: `${header([['n', 'sum']])}\n${second}\t${deltas}\n`, Fields: { payload_name: name } })).rc;
  expect(tick(plugin, NOW)).toEqual([]);
  for (let i = 0; i < 5; i++) for (const name of ['A', 'B', '']) expect(feed(name, NOW + i * 10, '1')).toBe(0);
  expect(kinds(tick(plugin, NOW + 40))).toEqual(
    ['A', 'B', ''].flatMap((name) => [
      ['cbuf', name],
      ['cbufd', name],
    ]),
  );
  // Looking for anomalies moves the rows on, which shows in the deltas as a row without values.
  const later = tick(plugin, NOW + 70);
  expect(kinds(later)).toEqual([...['A', 'B', ''].flatMap((name) => ['cbuf', 'cbufd'].map((type) => [type, name])), ['alert', '']]);
  expect(later[6]?.[2].split('\n').map((line) => line.split(' - ')[0])).toEqual(['A', 'B']);
  expect([0, 2, 4].map((i) => marksOf(later[i]?.[2] ?? '').length)).toEqual([1, 1, 0]);
  expect([1, 3, 5].map((i) => parseGraph(later[i]?.[2] ?? '').rows)).toEqual(Array.from({ length: 3 }, () => [[`${NOW + 70}`, 'nan']]));
  expect(kinds(tick(plugin, NOW + 71))).toEqual(['A', 'B', ''].map((name) => ['cbuf', name]));
});

test('stat_graph adds whatever the aggregation, and takes what is there', () => {
  for (const stat_aggregation of ['sum', 'min', 'max', 'none']) {
    const plugin = startPlugin('filters/stat_graph.ts', {
      stats: ' a\tb ',
      stat_labels: 'one two',
      stat_aggregation,
      rows: 2,
      sec_per_row: 10,
    });
    const see = (Fields: Record<string, string | number>): string => plugin.process(plainMessage({ Timestamp: 5, Fields })).reason;
    expect([see({ timestamp: 10, a: 5, b: 1 }), see({ timestamp: 19.5, a: -2, b: 'x' }), see({ timestamp: 19, c: 1 })]).toEqual([
      '',
      '',
      '',
    ]);
    expect([see({ timestamp: '10', a: 1 }), see({ a: 1 })]).toEqual(['timestamp is not a number', 'timestamp is not a number']);
    expect(parseGraph(tick(plugin, 0)[0]?.[2] ?? '')).toMatchObject({
      header: { column_info: [{ name: 'one', aggregation: stat_aggregation }, { name: 'two' }] },
      rows: [
        ['nan', 'nan'],
        ['3', '1'],
      ],
    });
  }
});
