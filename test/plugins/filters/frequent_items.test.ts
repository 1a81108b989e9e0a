import { expect, test, describe } from 'vitest';
import { startPlugin } from '../support/sandbox.ts';
import { feed, table, tick as tickTable } from '../support/watch.ts';
import { message, tick } from '../support/worked.ts';

test('frequent items: very long values are told apart by their beginning and length', () => {
  const plugin = startPlugin('filters/frequent_items.ts', { message_variable: 'Payload', min_output_weight: 0 });
  const [a, b] = ['x'.repeat(5000), 'x'.repeat(5001)];
  for (const Payload of [a, b, a]) feed(plugin, 86_400, { Payload });
  const cut = 'x'.repeat(1000);
  expect(table(tickTable(plugin, 86_400))).toEqual([`${cut}… (5000 characters)\t2`, `${cut}… (5001 characters)\t1`]);
});

test('frequent items: room for none is refused', () => {
  expect(() => startPlugin('filters/frequent_items.ts', { message_variable: 'Payload', max_items: 0 })).toThrow(
    'max_items must be a whole number from 1 on, not 0',
  );
});

describe('frequent_items', () => {
  const config = { message_variable: 'Fields[ip]', max_items: 2, min_output_weight: 1 };
  const DAY = 86_400;

  test('keeps the heavy ones', () => {
    const plugin = startPlugin('filters/frequent_items.ts', config);
    for (const ip of 'aabacbccc') plugin.process(message(10 * DAY, { ip }));
    expect(tick(plugin)).toEqual([['tsv', 'Weighting by Fields[ip]', 'Fields[ip]\tWeight\nc\t2\n']]);
    expect(plugin.process(message(9 * DAY, { ip: 'c' })).rc).toBe(0);
    expect(tick(plugin)[0]?.[2]).toContain('c\t2');
    plugin.process(message(11 * DAY, { ip: 'c' }));
    expect(tick(plugin)[0]?.[2]).toBe('Fields[ip]\tWeight\n');
  });

  test('tells numbers from texts, and heavy from heavier', () => {
    const plugin = startPlugin('filters/frequent_items.ts', { ...config, max_items: 9, reset_days: 0 });
    for (const ip of [1, '1', 1, 0.5, '1', '1', 0.5, true, true]) plugin.process(message(0, { ip }));
    expect(tick(plugin)[0]?.[2]).toBe('Fields[ip]\tWeight\n1\t3\n1\t2\n0.5\t2\ntrue\t2\n');
    expect(plugin.process(message(0, { ip: false })).rc).toBe(-1);
  });
});
