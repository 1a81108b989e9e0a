import { expect, test } from 'vitest';
import { startPlugin } from '../support/sandbox.ts';
import { message, tick } from '../support/worked.ts';

test('process_message_failures', () => {
  const plugin = startPlugin('filters/process_message_failures.ts');
  const report = (minute: number, value: number): void => {
    const Payload = JSON.stringify({ filters: [{ Name: 'f1', ProcessMessageFailures: { value } }, { Name: 'f2' }] });
    expect(plugin.process(message(minute * 60, {}, { Payload })).rc).toBe(0);
  };
  for (let minute = 0; minute < 62; minute++) report(minute, minute < 55 ? 5 : 100 * minute);
  expect(tick(plugin, 59 * 60)).toEqual([]);
  const [alert, ...others] = tick(plugin, 61 * 60);
  expect(alert?.[2]).toMatch(/^f1 - algorithm: mww_nonparametric col: 1 msg: detected anomaly, pstat: \d/);
  expect(others).toEqual([]);
  expect(tick(plugin, 62 * 60)).toEqual([]);
});

test('process_message_failures forgets what the last report does not name, also when two are of the same time', () => {
  const plugin = startPlugin('filters/process_message_failures.ts', { anomaly_config: 'roc("f1", 1, 1, 0, 0, false, true)' });
  const report = (minute: number, Name: string): void => {
    const Payload = JSON.stringify({ filters: [{ Name, ProcessMessageFailures: { value: 5 } }] });
    expect(plugin.process(message(minute * 60, {}, { Payload })).rc).toBe(0);
  };
  report(100, 'f1');
  expect(tick(plugin, 101 * 60)).toHaveLength(1);
  report(102, 'f1');
  report(102, 'f2');
  expect(tick(plugin, 102 * 60)).toEqual([]);
  report(104, 'f1');
  expect(tick(plugin, 105 * 60)).toHaveLength(1);
});
