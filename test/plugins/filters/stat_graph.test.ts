import { expect, test } from 'vitest';
import { startPlugin } from '../support/sandbox.ts';

test.each([
  [{ stats: 'a b', stat_labels: 'a' }, '2 stats, but 1 stat_labels'],
  [{ stats: 'a', stat_labels: 'a', stat_aggregation: 'avg' }, 'stat_aggregation'],
  [{ stats: 'a' }, 'missing parameter: stat_labels'],
  [{ stat_labels: 'a' }, 'missing parameter: stats'],
])('stat_graph does not start with %o', (config, reason) => {
  expect(() => startPlugin('filters/stat_graph.ts', config)).toThrow(reason);
});
