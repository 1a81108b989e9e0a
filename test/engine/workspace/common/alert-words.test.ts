import { describe, expect, it } from 'vitest';
import { alertWords, type AlertContext } from '../../../../engine/workspace/common/alert-words.ts';

const NOON = Date.UTC(2026, 2, 17, 12);
const MINUTE = 60_000;
const series = (name: string, ...values: number[]): { name: string; values: Float64Array } => ({ name, values: Float64Array.from(values) });
const columns = [
  series('HTTP_200', 5, 7, 4),
  series('HTTP_500', 2, NaN, NaN),
  series('latency', 1, 0, 0),
  series('HTTP_100', NaN, NaN, NaN),
];
const graphs = [
  { title: 'HTTP Status', time: NOON, rowMs: MINUTE, columns },
  { title: 'Rate by Fields[host]', time: NOON, rowMs: MINUTE, columns: [series('All', 3, 3, 3), series('web', 1, 1, NaN)] },
  { title: 'Rate', time: NOON, rowMs: MINUTE, columns: [series('All', 1, 1, NaN)] },
];
const words = (text: string, more: Partial<AlertContext> = {}): string =>
  alertWords(text, { plugin: 'watch', graphs, time: NOON + 3 * MINUTE, ...more });

describe('alerts in words', () => {
  it.each([
    ['HTTP Status', 'roc', 2, 'no new data', 'HTTP Status: no 5xx since 2026-03-17T12:01:00.000Z'],
    ['HTTP Status', 'roc', 3, 'no new data', 'HTTP Status: no latency since 2026-03-17T12:01:00.000Z'],
    ['HTTP Status', 'roc', 4, 'no new data', 'HTTP Status: no 1xx any more'],
    ['Rate', 'roc', 1, 'no new data', 'Rate: no records since 2026-03-17T12:02:00.000Z'],
    ['Rate by Fields[host]', 'roc', 2, 'no new data', 'Rate by host: no web since 2026-03-17T12:02:00.000Z'],
    ['HTTP Status', 'roc', 2, 'unexpected data', 'HTTP Status: 5xx, where there were none before'],
    ['HTTP Status', 'mww', 3, 'detected anomaly, increasing values', 'HTTP Status: latency unusually high'],
    ['HTTP Status', 'mww', 3, 'detected anomaly, decreasing values', 'HTTP Status: latency unusually low'],
    ['HTTP Status', 'mww', 1, 'detected anomaly', 'HTTP Status: 2xx unusual'],
    [
      'HTTP Status',
      'roc',
      2,
      'detected anomaly, standard deviation exceeds 1.5',
      'HTTP Status: 5xx changed suddenly, by more than 1.5 standard deviations',
    ],
    ['HTTP Status', 'mww_nonparametric', 1, 'detected anomaly, pstat: 0.9', 'HTTP Status: 2xx unusually high'],
    ['HTTP Status', 'mww_nonparametric', 1, 'detected anomaly, pstat: 0.1', 'HTTP Status: 2xx unusually low'],
    ['HTTP Status', 'mww', 9, 'detected anomaly', 'watch: HTTP Status: column 9 unusual'],
  ])('of %s by %s on column %d: %s', (title, algorithm, column, finding, said) => {
    expect(words(`${title} - algorithm: ${algorithm} col: ${column} msg: ${finding}`)).toBe(said);
  });

  it('name the plugin that fails, though its graph is not shown', () => {
    const text = 'nginx_access - algorithm: mww_nonparametric col: 1 msg: detected anomaly, pstat: 0.9';
    expect(words(text, { plugin: 'process_message_failures_2' })).toBe('nginx_access: failures unusually high');
  });

  it('count only the complete rows before the alert', () => {
    const early = words('HTTP Status - algorithm: roc col: 1 msg: no new data', { time: NOON + 2 * MINUTE - 1 });
    expect(early).toBe('HTTP Status: no 2xx since 2026-03-17T12:01:00.000Z');
  });

  it.each([
    [
      'Fields[programname] shop-mailer: silent since 2026-03-17T14:45:00.000Z (603 s)',
      'no records of programname shop-mailer since 2026-03-17T14:45:00.000Z',
    ],
    [
      'Hostname web 1: back at 2026-03-17T14:45:00.000Z after 5400 s',
      'records of Hostname web 1 again at 2026-03-17T14:45:00.000Z, after 2 h without any',
    ],
    [
      'new pattern: disk <*> full (1 lines, such as: disk sda full)',
      'records of a new pattern: disk <*> full, such as “disk sda full” (1 record)',
    ],
    ['new pattern: no disk (12 lines, such as: no disk)', 'records of a new pattern: no disk (12 records)'],
    [
      'pattern gone since 2026-03-17T14:44:48.000Z: sent <num> mails (90 lines)',
      'no records of a pattern since 2026-03-17T14:44:48.000Z: sent <num> mails (90 records before)',
    ],
    ['rare: disk sda failed', 'rare: disk sda failed'],
    ['the disk is full', 'watch: the disk is full'],
  ])('%s', (text, said) => {
    expect(words(text)).toBe(said);
  });

  it('are told for each line; the first one says how many more there are', () => {
    expect(words('the disk is full\nHTTP Status - algorithm: mww col: 1 msg: detected anomaly\n')).toBe(
      'watch: the disk is full (and 1 more)\nHTTP Status: 2xx unusual',
    );
  });
});
