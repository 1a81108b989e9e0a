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

const header = (columns: readonly (readonly [name: string, aggregation: string])[]): string =>
  JSON.stringify({
    time: 0,
    rows: 100,
    columns: columns.length,
    seconds_per_row: 10,
    column_info: columns.map(([name, aggregation]) => ({ name, unit: 'B', aggregation })),
  });

test('each host has a column, and a silent one gives it away', () => {
  const plugin = startPlugin('filters/cbufd_host_aggregator.ts', { max_hosts: 3, rows: 2, host_expiration: 60 });
  const feed = (Hostname: string, second: number, row: string, name = 'G'): number | string => {
    const columns = header([
      ['n', 'sum'],
      ['low', 'min'],
      ['high', 'max'],
      ['v', 'none'],
    ]);
    const { rc, reason } = plugin.process(
      plainMessage({ Hostname, Timestamp: second * 1e9, Payload: `${columns}\n${row}\n`, Fields: { payload_name: name } }),
    );
    return rc === 0 ? 0 : reason;
  };
  expect(tick(plugin, NOW)).toEqual([]);
  expect([
    feed('a.example', NOW, `${NOW}\t1\t5\t5\t9`),
    feed('', NOW, `${NOW}\t2\tnan\t1`),
    feed('a.example', NOW, `${NOW}\t1\t3\t4\t9`),
  ]).toEqual([0, 0, 0]);
  expect(feed('a.example', NOW, `${NOW}\t1`, 'H')).toBe(0);
  const outputs = tick(plugin, NOW);
  expect(kinds(outputs)).toEqual(['G', 'H'].flatMap((name) => ['n', 'low', 'high', 'v'].map((column) => ['cbuf', `${name} (${column})`])));
  expect(outputs.slice(0, 4).map(([, , payload]) => parseGraph(payload).rows.at(-1))).toEqual([
    ['2', '2', 'nan'],
    ['3', 'nan', 'nan'],
    ['5', '1', 'nan'],
    ['nan', 'nan', 'nan'],
  ]);
  const { preamble, header: layout } = parseGraph(outputs[1]?.[2] ?? '');
  expect(preamble).toEqual({ options: { stackedGraph: true, fillGraph: true } });
  expect(layout).toMatchObject({
    rows: 2,
    columns: 3,
    seconds_per_row: 10,
    column_info: [
      { name: 'a_example', unit: 'B', aggregation: 'min' },
      { unit: 'B', aggregation: 'min' },
      { name: 'Column_3', unit: 'count', aggregation: 'sum' },
    ],
  });
  // A refused payload has its host known all the same, and an older message does not make it look silent.
  expect([feed('b', NOW + 1, 'junk'), feed('b', NOW + 1, `${NOW}\t1`), feed('a.example', NOW - 500, `${NOW}\t1`)]).toEqual([
    'the payload is not cbufd text',
    0,
    0,
  ]);
  expect(feed('c', NOW + 59, `${NOW}\t1`)).toBe('Error: more than 3 hosts at a time');
  expect(feed('c', NOW + 60, `${NOW}\t1`)).toBe(0);
});
