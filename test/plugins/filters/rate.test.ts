import { expect, test } from 'vitest';
import { startPlugin } from '../support/sandbox.ts';
import { feed, tick, table, rows } from '../support/watch.ts';

test('rate: a value that is clearly more frequent takes a column', () => {
  const plugin = startPlugin('filters/rate.ts', { message_variable: 'Fields[ip]', top: 2, rows: 3 });
  const send = (second: number, ...ips: string[]): void => ips.forEach((ip) => feed(plugin, second, { Fields: { ip } }));
  send(0, 'a', 'b', 'a', 'c');
  expect(rows(tick(plugin, 1))).toEqual(['4\t2\t1', 'nan\tnan\tnan', 'nan\tnan\tnan']);
  send(60, 'c', 'c');
  const exchanged = tick(plugin, 61);
  expect(exchanged['cbuf']).toContain('{"name":"c","unit":"count","aggregation":"sum"}');
  expect(rows(exchanged)).toEqual(['4\t2\tnan', '2\tnan\tnan', 'nan\tnan\tnan']);
  send(120, 'c', 'b', 'c');
  const later = tick(plugin, 121);
  expect(rows(later)[2]).toBe('3\tnan\t2');
  expect(table(later)).toEqual(['a\t2', 'c\t2']);
});

test('rate: only the total, and messages without the variable', () => {
  const total = startPlugin('filters/rate.ts', { rows: 2 });
  feed(total, 0, { Payload: 'x' });
  expect(tick(total, 1)).toEqual({ cbuf: expect.stringMatching(/\n1\nnan\n$/) as string });
  const by = startPlugin('filters/rate.ts', { rows: 2, top: 1, message_variable: 'Fields[a]', title: 'T' });
  feed(by, 0, { Payload: 'x' });
  feed(by, 0, { Fields: { a: true } });
  expect(rows(tick(by, 1))[0]).toBe('2\t1');
});

test('rate: what was frequent long ago gives way', () => {
  const plugin = startPlugin('filters/rate.ts', { message_variable: 'Fields[v]', top: 1, rows: 4 });
  for (let i = 0; i < 100; i++) feed(plugin, 0, { Fields: { v: 'old' } });
  for (let second = 60; second <= 600; second += 60) {
    for (let i = 0; i < 10; i++) feed(plugin, second, { Fields: { v: 'new' } });
    tick(plugin, second);
  }
  expect(table(tick(plugin, 600))[0]).toMatch(/^new\t/);
});
