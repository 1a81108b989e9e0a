import { describe, expect, test } from 'vitest';
import type { Value } from '../support/message.ts';
import { startPlugin } from '../support/sandbox.ts';
import { message, tick, rowsOf } from '../support/worked.ts';

describe('http_status', () => {
  test('counts by class', () => {
    const plugin = startPlugin('filters/http_status.ts', { rows: 3 });
    const see = (time: number, status: Value): number => plugin.process(message(time, { status })).rc;
    const codes = (
      [
        [0, 200],
        [1, 204],
        [30, 404],
        [61, 500],
        [62, 99],
        [63, 600],
        [64, '200'],
        [125, 302],
        [-1, 200],
      ] as const
    ).map(([t, s]) => see(t, s));
    expect(codes).toEqual([0, 0, 0, 0, 0, 0, -1, 0, 0]);
    expect(rowsOf(tick(plugin)[0]?.[2] ?? '')).toEqual([
      'nan\t3\tnan\t1\tnan\tnan',
      'nan\tnan\tnan\tnan\t1\t2',
      'nan\tnan\t1\tnan\tnan\tnan',
    ]);
  });

  test('finds anomalies, marks them and sends an alert now and then', () => {
    const config = { rows: 20, alert_throttle: 60, anomaly_config: 'roc("HTTP Status", 2, 3, 0, 2, true, false)' };
    const plugin = startPlugin('filters/http_status.ts', config);
    const start = 1_400_000_400;
    for (let minute = 0; minute < 19; minute++) {
      const hits = minute < 16 ? 10 + (minute % 2) : 30;
      for (let i = 0; i < hits; i++) plugin.process(message(start + minute * 60, { status: 200 }));
    }
    plugin.process(message(start + 1140, { status: 200 }));
    const [alert, graph] = tick(plugin, start + 1140);
    expect(alert).toEqual(['alert', '', 'HTTP Status - algorithm: roc col: 2 msg: detected anomaly, standard deviation exceeds 2']);
    expect(graph?.slice(0, 2)).toEqual(['cbuf', 'HTTP Status']);
    const annotations = { annotations: [expect.objectContaining({ x: 1400001540000, col: 2, shortText: 'A' })] };
    for (const later of [graph, tick(plugin, start + 1150)[0], tick(plugin, start + 1200)[0]]) {
      expect(later?.[0]).toBe('cbuf');
      expect(JSON.parse(later?.[2].split('\n')[0] ?? '')).toEqual(annotations);
    }
    expect(rowsOf(tick(plugin, start + 1200)[0]?.[2] ?? '')).toHaveLength(20);
  });

  test('takes another field, and no configuration that is none', () => {
    const plugin = startPlugin('filters/http_status.ts', { status_field: 'code', rows: 2 });
    expect([plugin.process(message(0, { code: 100 })).rc, plugin.process(message(0, { status: 100 })).reason]).toEqual([
      0,
      'code is not a number',
    ]);
    for (const config of [{ anomaly_config: 'roc' }, { rows: 1 }, { sec_per_row: 0 }, { rows: 'x' }, { preservation_version: -1 }]) {
      expect(() => startPlugin('filters/http_status.ts', config)).toThrow();
    }
  });
});
