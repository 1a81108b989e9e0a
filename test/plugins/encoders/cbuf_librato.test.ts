import { expect, test } from 'vitest';
import { plainMessage } from '../support/message.ts';
import { startPlugin, type Outcome, type RunningPlugin } from '../support/sandbox.ts';

const FILE = 'encoders/cbuf_librato.ts';

interface Sent {
  time: number;
  rows: string[];
  logger?: string;
  before?: string;
  columns?: string[];
}

function graphText({ time, rows, before = '', columns = ['a', 'b'] }: Sent): string {
  const column_info = columns.map((name) => ({ name, unit: 'count', aggregation: 'sum' }));
  const header = { time, rows: rows.length, columns: columns.length, seconds_per_row: 10, column_info };
  return `${before}${JSON.stringify(header)}\n${rows.map((row) => `${row.replaceAll(' ', '\t')}\n`).join('')}`;
}

function send(plugin: RunningPlugin, sent: Sent | string): Outcome {
  const Payload = typeof sent === 'string' ? sent : graphText(sent);
  const Logger = typeof sent === 'string' ? 'F' : (sent.logger ?? 'F');
  return plugin.process(plainMessage({ Logger, Hostname: 'h1', Payload, Fields: { payload_type: 'cbuf', payload_name: 'G' } }));
}

type Gauges = [time: number, name: string, value: number][];

/** Outcome of a call: the gauges, or the status. */
function outcomeOf({ rc, injected }: Outcome): number | Gauges {
  if (rc !== 0) return rc;
  const { gauges } = JSON.parse(injected[0]?.Payload ?? '') as { gauges: { value: number; measure_time: number; name: string }[] };
  return gauges.map(({ value, measure_time, name }) => [measure_time, name, value]);
}

const FIRST = ['1 2', 'nan 4', '5 6', '7 8'];

test('a sequence of graphs', () => {
  const plugin = startPlugin(FILE);
  const steps: [sent: Sent | string, expected: number | Gauges][] = [
    [
      { time: 100, rows: FIRST },
      [
        [100, 'a', 1],
        [100, 'b', 2],
        [110, 'b', 4],
        [120, 'a', 5],
        [120, 'b', 6],
      ],
    ],
    [{ time: 100, rows: FIRST }, -2],
    [
      { time: 110, rows: ['nan 4', '5 6', '7 8', '9 nan'] },
      [
        [130, 'a', 7],
        [130, 'b', 8],
      ],
    ],
    [
      { time: 130, rows: ['7 8', '9 10', '11 12', '13 14'] },
      [
        [140, 'a', 9],
        [140, 'b', 10],
        [150, 'a', 11],
        [150, 'b', 12],
      ],
    ],
    [{ time: 135, rows: FIRST }, -1],
    [{ time: 90, rows: FIRST }, -1],
    [{ time: 500, rows: ['nan nan', 'nan nan', 'nan nan', '1 1'] }, -2],
    [
      { time: 500, rows: ['1 1', '2 2', '3 3', '1 1'] },
      [500, 510, 520].flatMap((time, i) => [
        [time, 'a', i + 1],
        [time, 'b', i + 1],
      ]),
    ],
    [{ time: 510, rows: ['1 1', '2 x', 'x 3', '1 1'] }, -1],
    [{ time: 510, rows: ['1 1', '2 2'] }, -1],
    [
      { time: 520, rows: ['1 2', '3 4', '5 6'], logger: 'other', before: '{"annotations":[]}\n' },
      [
        [520, 'a', 1],
        [520, 'b', 2],
        [530, 'a', 3],
        [530, 'b', 4],
      ],
    ],
    ['x', -1],
    ['', -1],
  ];
  for (const [i, [sent, expected]] of steps.entries()) expect(outcomeOf(send(plugin, sent)), `step ${i + 1}`).toEqual(expected);
});

test('the text of the first output', () => {
  expect(send(startPlugin(FILE), { time: 100, rows: FIRST }).injected[0]?.Payload).toBe(
    '{"gauges":[{"value":1,"measure_time":100,"name":"a","source":"h1"},{"value":2,"measure_time":100,"name":"b","source":"h1"},' +
      '{"value":4,"measure_time":110,"name":"b","source":"h1"},{"value":5,"measure_time":120,"name":"a","source":"h1"},' +
      '{"value":6,"measure_time":120,"name":"b","source":"h1"}]}',
  );
});

test.each<[what: string, payload: string]>([
  ['options in front', graphText({ time: 0, rows: FIRST, before: '{"options":{"stackedGraph":true}}\n' })],
  ['annotations that are not JSON', graphText({ time: 0, rows: FIRST, before: 'annotations\n' })],
  ['a header without columns', '{"time":0,"rows":3,"columns":1,"seconds_per_row":10}\n1\n2\n3\n'],
  ['fewer columns than announced', '{"time":0,"rows":3,"columns":2,"seconds_per_row":1,"column_info":[{"name":"a"}]}\n1\n2\n3\n'],
  ['a row too many', `${graphText({ time: 0, rows: FIRST })}1\t2\n`],
  ['a row without its last cell', graphText({ time: 0, rows: ['1 2', '3', '4 5'] })],
  ['infinity', graphText({ time: 0, rows: ['1 2', 'inf 4', '4 5'] })],
  ['an empty cell', graphText({ time: 0, rows: ['1 2', ' 4', '4 5'] })],
])('refuses %s', (_what, payload) => {
  const plugin = startPlugin(FILE);
  expect(outcomeOf(send(plugin, payload))).toBe(-1);
  expect(outcomeOf(send(plugin, { time: 0, rows: ['1 2', 'nan nan', '3 4'] }))).toHaveLength(2);
});

test('numbers with an exponent, and empty lines', () => {
  const text = graphText({ time: 0, rows: ['-1.5 1.392050801e+18', 'nan nan', '1 1'] }).replace('\n', '\n\n');
  expect(outcomeOf(send(startPlugin(FILE), `\n${text}`))).toEqual([
    [0, 'a', -1.5],
    [0, 'b', 1.392050801e18],
  ]);
});

test('one key for all filters', () => {
  const plugin = startPlugin(FILE, { message_key: '%{payload_name}' });
  expect(outcomeOf(send(plugin, { time: 100, rows: FIRST }))).toHaveLength(5);
  expect(outcomeOf(send(plugin, { time: 100, rows: FIRST, logger: 'other' }))).toBe(-2);
});

test('passes over cells that have no column', () => {
  expect(outcomeOf(send(startPlugin(FILE), { time: 0, rows: ['1 2 x', 'nan nan 5', '4 5'] }))).toHaveLength(2);
});

test('sends the newest values when there are too many', () => {
  const rows = Array.from({ length: 2000 }, (_, i) => `${i} ${i}`);
  const outcome = send(startPlugin(FILE), { time: 0, rows });
  const { gauges } = JSON.parse(outcome.injected[0]?.Payload ?? '') as { gauges: { value: number }[] };
  expect(gauges.length).toBeGreaterThan(500);
  expect(gauges.at(-1)?.value).toBe(1998);
  expect(gauges[0]?.value).toBe(Math.floor(1999 - gauges.length / 2));
});
