import { expect, test } from 'vitest';
import { startPlugin } from '../support/sandbox.ts';

const DAY_NS = 86_400_000_000_000n;

test('counts the newest day', () => {
  const plugin = startPlugin('filters/unique_items.ts', { message_variable: 'Fields[uid]', enable_delta: true });
  const see = (day: number, uid?: string | boolean): number => {
    const Fields = uid === undefined ? [] : [{ name: 'uid', value: [uid] }];
    return plugin.process({ Timestamp: BigInt(day) * DAY_NS, Fields }).rc;
  };
  expect([see(364, 'user-1'), see(364, 'user-2'), see(364, 'user-1'), see(365, 'user-3'), see(364, 'user-9')]).toEqual([0, 0, 0, 0, 0]);
  expect([see(365, true), see(365)]).toEqual([-1, -1]);

  const header =
    '{"time":86400,"rows":365,"columns":1,"seconds_per_row":86400,"column_info":[{"name":"uid","unit":"count","aggregation":"sum"}]}\n';
  const outputs = plugin.timer(0n).injected.map(({ Payload, Fields }) => [...Fields.map(({ value }) => value[0]), Payload]);
  expect(outputs).toEqual([
    ['cbuf', 'Estimated Unique Daily Fields[uid]', `${header}${'nan\n'.repeat(363)}2\n1\n`],
    ['cbufd', 'Estimated Unique Daily Fields[uid]', `${header}31449600\t2\n31536000\t1\n`],
  ]);
  expect(plugin.timer(0n).injected).toHaveLength(1);
});

test.each([
  [{ message_variable: 'Hostname' }, 'Estimated Unique Daily Hostname', '"name":"Hostname"'],
  [{ message_variable: 'Fields[a b]', title: 'Visitors' }, 'Visitors', '"name":"a_b"'],
])('names the graph of %o', (config, title, column) => {
  const [message] = startPlugin('filters/unique_items.ts', config).timer(0n).injected;
  expect(message?.Fields[1]?.value).toEqual([title]);
  expect(message?.Payload).toContain(column);
});
