import { describe, expect, it } from 'vitest';
import type { FilterSection } from '../../../../../engine/api/types.ts';
import { parse_config } from '../../../../../plugins/modules/anomaly.ts';
import { ALERT_KINDS, testCall, withTest, type GraphTest } from '../../../../../renderer/src/lib/charts/graph-alert.ts';

const status: GraphTest = { kind: 'changes', title: 'HTTP Status', column: 5, rows: 15, rowSeconds: 300 };
const section = (config: FilterSection['config']): FilterSection => ({
  name: 'http_status',
  script: 'http_status',
  bundled: true,
  matcher: 'TRUE',
  ticker: 60,
  config,
  inputs: null,
  limits: { memory: 1, instructions: 1, output: 1 },
});

describe('a test of a graph', () => {
  it('is one that filters understand, of each kind and title', () => {
    const calls = ALERT_KINDS.map(({ kind }) => testCall({ ...status, kind, title: 'the "best"' }));
    const tests = parse_config(calls.join(' ')).tests.get('the "best"');
    const roc = { algorithm: 'roc', col: 5, win: 15, hwin: 0, sd: 3 };
    expect(tests).toEqual([
      { ...roc, loss_of_data: false, start_of_data: false },
      { ...roc, loss_of_data: true, start_of_data: false },
      { ...roc, loss_of_data: false, start_of_data: true },
      { algorithm: 'mww', col: 5, win: 15, nwin: 10, pvalue: 0.001, trend: 'increasing' },
      { algorithm: 'mww', col: 5, win: 15, nwin: 10, pvalue: 0.001, trend: 'decreasing' },
    ]);
  });

  it('comes to those that a filter has, once', () => {
    const first = withTest(section({ rows: 60 }), ['rows', 'anomaly_config'], status);
    expect(first).toMatchObject({ config: { rows: 60, anomaly_config: 'roc("HTTP Status", 5, 15, 0, 3, false, false)' } });
    const second = withTest(first as FilterSection, ['anomaly_config'], { ...status, kind: 'low' });
    expect(second).toMatchObject({
      config: { anomaly_config: 'roc("HTTP Status", 5, 15, 0, 3, false, false) mww("HTTP Status", 5, 15, 10, 0.001, decreasing)' },
    });
    expect(withTest(second as FilterSection, ['anomaly_config'], status)).toBe('There is such an alert already.');
  });

  it('keeps the length of the rows, and has a tick for each of them', () => {
    const parameters = ['anomaly_config', 'sec_per_row'];
    expect(withTest(section({}), parameters, status)).toMatchObject({ ticker: 60, config: { sec_per_row: 300 } });
    expect(withTest({ ...section({ sec_per_row: 5 }), ticker: 3600 }, parameters, status)).toMatchObject({
      ticker: 300,
      config: { sec_per_row: 5 },
    });
    expect(withTest({ ...section({}), ticker: 0 }, ['anomaly_config'], status)).toEqual({
      ...section({ anomaly_config: testCall(status) }),
      ticker: 300,
    });
  });

  it('is refused for a script that has no tests', () => {
    expect(withTest(section({}), ['rows'], status)).toMatch(/no tests of its graphs/);
  });
});
