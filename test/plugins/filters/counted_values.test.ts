import { expect, test } from 'vitest';
import { startPlugin } from '../support/sandbox.ts';
import { feed, tick, table, rows } from '../support/watch.ts';

test.each(['rate', 'frequent_items', 'heartbeat', 'rare_events'])('%s: a value makes one row of the table', (filter) => {
  const config = { message_variable: 'Fields[v]' };
  const plugin = startPlugin(`filters/${filter}.ts`, filter === 'frequent_items' ? { ...config, min_output_weight: 0 } : config);
  feed(plugin, 86_400, { Fields: { v: 'a\tb\n1.2.3.4\t99\r' } });
  expect(table(tick(plugin, 86_400))).toEqual([expect.stringMatching(/^a b 1\.2\.3\.4 99 \t[01]$/)]);
});

test.each(['frequent_items', 'unique_items', 'rate'])('%s: bytes are the text that they hold', (filter) => {
  const config = { message_variable: 'Fields[v]' };
  const plugin = startPlugin(`filters/${filter}.ts`, filter === 'frequent_items' ? { ...config, min_output_weight: 1 } : config);
  for (const type of [0, 1, 1]) {
    expect(plugin.process({ Timestamp: 86_400_000_000_000n, Fields: [{ name: 'v', value: ['abc'], value_type: type }] }).rc).toBe(0);
  }
  const payloads = tick(plugin, 86_400);
  if (filter === 'unique_items') expect(rows(payloads)[1]).toBe('1');
  else expect(table(payloads)).toEqual(['abc\t3']);
});
