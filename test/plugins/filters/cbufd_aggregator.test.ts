import { describe, expect, test } from 'vitest';
import type { PlainMessage } from '../support/message.ts';
import { startPlugin } from '../support/sandbox.ts';
import { message, tick, rowsOf } from '../support/worked.ts';

describe('merging', () => {
  const info = [
    { name: 'Requests', unit: 'count', aggregation: 'sum' },
    { name: 'Peak', unit: 'ms', aggregation: 'max' },
    { name: 'Ver', unit: 'count', aggregation: 'none' },
  ];
  const H = JSON.stringify({ time: 0, rows: 3, columns: 3, seconds_per_row: 60, column_info: info });
  const deltas = (time: number, Hostname: string, ...lines: string[]): PlainMessage =>
    message(time, { payload_type: 'cbufd', payload_name: 'Stats' }, { Hostname, Payload: lines.join('\n') });

  test('cbufd_aggregator', () => {
    const plugin = startPlugin('filters/cbufd_aggregator.ts', { enable_delta: true });
    const codes = [
      deltas(0, 'a', H, '60\t5\t10\t1', '120\t2\tnan\t1', ''),
      deltas(0, 'a', H, '60\t7\t8\t1', ''),
      deltas(0, 'a', 'garbage'),
      deltas(0, 'a', H, ''),
      deltas(0, 'a', '{bad json}', '60\t1', ''),
      deltas(0, 'a', H, '60\t7\t8', ''),
      deltas(0, 'a', H, '60\t1\t1\t1\t1', ''),
      deltas(0, 'a', H, '60\t1e5', ''),
      deltas(0, 'a', H, '60\t1'),
    ].map((entry) => plugin.process(entry).rc);
    expect(codes).toEqual([0, 0, -1, -1, 0, 0, -1, -1, -1]);
    const [cbuf, cbufd] = tick(plugin);
    expect([cbuf?.[0], ...rowsOf(cbuf?.[2] ?? '')]).toEqual(['cbuf', 'nan\tnan\tnan', '20\t10\tnan', '2\tnan\tnan']);
    expect([cbufd?.[0], ...rowsOf(cbufd?.[2] ?? '')]).toEqual(['cbufd', '60\t20\t10\tnan', '120\t2\tnan\tnan']);
    expect(tick(plugin)).toHaveLength(1);
  });

  test('cbufd_host_aggregator', () => {
    const plugin = startPlugin('filters/cbufd_host_aggregator.ts', { max_hosts: 2, rows: 2, host_expiration: 100 });
    plugin.process(deltas(120, 'web-1', H, '60\t5\t10\t1', '120\t2\tnan\t1', ''));
    plugin.process(deltas(121, 'web-2', H, '120\t3\t4\t1', ''));
    const outputs = tick(plugin).map(([, name, payload]) => [name, ...rowsOf(payload)]);
    expect(outputs).toEqual([
      ['Stats (Requests)', '5\tnan', '2\t3'],
      ['Stats (Peak)', '10\tnan', 'nan\t4'],
      ['Stats (Ver)', 'nan\tnan', 'nan\tnan'],
    ]);
    expect(plugin.process(deltas(130, 'web-3', H, '60\t1\t1\t1', ''))).toMatchObject({
      rc: 1,
      reason: 'Error: more than 2 hosts at a time',
    });
    plugin.process(deltas(200, 'web-1', H, '180\t1\t1\t1', ''));
    plugin.process(deltas(230, 'web-3', H, '240\t9\t9\t1', ''));
    const requests = tick(plugin)[0]?.[2] ?? '';
    expect(requests.startsWith('{"options":{"stackedGraph":true,"fillGraph":true}}\n{"time":180,')).toBe(true);
    expect(requests).toContain('"name":"web_1"');
    expect(requests).toContain('"name":"web_3"');
    expect(rowsOf(requests)).toEqual(['1\tnan', 'nan\t9']);
  });

  test.each([{ rows: 2 }, { max_hosts: 2 }, { rows: 2, max_hosts: 0 }])('cbufd_host_aggregator does not start with %o', (config) => {
    expect(() => startPlugin('filters/cbufd_host_aggregator.ts', config)).toThrow();
  });

  test.each([
    '{"rows":3}',
    '[]',
    'null',
    '7',
    JSON.stringify({ rows: 1, columns: 1, seconds_per_row: 60, column_info: info.slice(0, 1) }),
    JSON.stringify({ rows: 2, columns: 2, seconds_per_row: 60, column_info: info }),
    JSON.stringify({ rows: 2, columns: 1, seconds_per_row: 60, column_info: [{ name: 'x', unit: 'y', aggregation: 'avg' }] }),
  ])('a layout that is none: %s', (header) => {
    const plugin = startPlugin('filters/cbufd_aggregator.ts');
    expect(plugin.process(deltas(0, 'a', header, '60\t1', '')).reason).toBe('the payload has no layout');
  });
});
