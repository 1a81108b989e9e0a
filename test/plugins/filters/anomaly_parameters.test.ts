import { describe, expect, test } from 'vitest';
import type { Value } from '../support/message.ts';
import { startPlugin } from '../support/sandbox.ts';

/** Filters, the parameters that they need, the title of a graph, and its columns. */
const FILTERS: readonly (readonly [name: string, config: Record<string, Value>, title: string, columns: number])[] = [
  ['http_status', {}, 'HTTP Status', 6],
  ['mysql_slow_query', {}, 'Statistics', 5],
  ['loadavg', {}, 'LoadAvg Stats', 4],
  ['memstats', {}, 'Memory Stats', 7],
  ['svc_memstat', {}, 'Stats', 6],
  ['diskstats', {}, 'Disk Stats', 6],
  ['diskstats', {}, 'Time doing IO', 4],
  ['field_graph', { title: 'A "b"', fields: 'x y' }, 'A "b"', 2],
  ['stat_graph', { title: 'S', stats: 'x y z', stat_labels: 'a b c' }, 'S', 3],
  ['percentiles', { message_variable: 'Fields[ms]', title: 'P', percentiles: '50 99' }, 'P', 3],
  ['rate', { title: 'R', message_variable: 'Type', top: 3 }, 'R', 4],
];

const quoted = (title: string): string => `"${title.replaceAll('"', '""')}"`;

describe.each(FILTERS)('%s with %j', (name, config, title, columns) => {
  const start = (anomaly_config: string): unknown => startPlugin(`filters/${name}.ts`, { ...config, rows: 100, anomaly_config });

  test('starts with tests that its graph can have', () => {
    expect(() => start(`roc(${quoted(title)}, ${columns}, 33, 0, 1.5, true, false)`)).not.toThrow();
    expect(() => start(`mww(${quoted(title)}, 1, 33, 3, 0.05, any)`)).not.toThrow();
  });

  test.each([
    [`roc(${quoted(title)}, 0, 15, 0, 1.5, true, false)`, 'column 0 out of range: columns count from 1'],
    [`roc(${quoted(title)}, 99, 15, 0, 1.5, true, false)`, `column 99 out of range: the graph has ${columns}`],
    [`roc(${quoted(title)}, 1, 0, 0, 1.5, true, false)`, 'a window needs at least one row'],
    [`roc(${quoted(title)}, 1, 34, 0, 1.5, true, false)`, 'the windows do not fit into the graph: they need 103 rows, and it has 100'],
    [`roc(${quoted(title)}, 1, 10, 80, 1.5, true, false)`, 'the windows do not fit into the graph: they need 101 rows, and it has 100'],
    [`roc(${quoted(title)}, 1, 10, 5, 1.5, true, false)`, 'the historical window of 5 rows is shorter than the window of 10'],
    [`mww(${quoted(title)}, 1, 0, 3, 0.05, any)`, 'a window needs at least one row'],
    [`mww(${quoted(title)}, 1, 50, 2, 0.05, any)`, 'the windows do not fit into the graph: they need 101 rows, and it has 100'],
    [`mww_nonparametric(${quoted(title)}, ${columns + 1}, 5, 3, 0.7)`, `column ${columns + 1} out of range`],
    ['mww_nonparametric("Other", 1, 5, 3, 0.7)', 'there is no such graph, only '],
  ])('does not start with %s', (call, reason) => {
    expect(() => start(`roc(${quoted(title)}, 1, 15, 0, 1.5, true, false)${call}`)).toThrow(`anomaly_config: ${call}: ${reason}`);
  });
});

test('graphs that come with their data are tested as far as they are known', () => {
  const start = (anomaly_config: string): unknown => startPlugin('filters/cbufd_aggregator.ts', { anomaly_config });
  expect(() => start('roc("Any", 99, 15, 0, 1.5, true, false)')).not.toThrow();
  expect(() => start('roc("Any", 0, 15, 0, 1.5, true, false)')).toThrow('column 0 out of range');
  expect(() => start('mww("Any", 1, 0, 3, 0.05, any)')).toThrow('a window needs at least one row');
});

test('each plugin has a graph of an hour', () => {
  const start = (anomaly_config: string): unknown => startPlugin('filters/process_message_failures.ts', { anomaly_config });
  expect(() => start('roc("any plugin", 1, 19, 0, 1.5, true, false)')).not.toThrow();
  expect(() => start('roc("any plugin", 1, 20, 0, 1.5, true, false)')).toThrow('they need 61 rows, and it has 60');
  expect(() => start('mww("DEFAULT", 2, 5, 3, 0.05, any)')).toThrow('column 2 out of range: the graph has 1');
});
