import { expect, it } from 'vitest';
import { frameOf } from '../../../engine/cli/commands/top.ts';
import type { ServiceStatus } from '../../../engine/cli/status-file.ts';
import { headOf, tableOf } from '../../../engine/cli/status-table.ts';

const field = (value: number) => ({ value, representation: 'count' });
const status = (time: number, messages: number): ServiceStatus => ({
  pid: 4711,
  config: '/etc/shop.toml',
  started: 0,
  time,
  memory: 153e6,
  report: {
    globals: [{ Name: 'Router' }],
    outputs: [
      { Name: 'up\x1bstream', ProcessMessageCount: field(messages), ProcessMessageFailures: field(2), QueueSize: field(12_300_000) },
    ],
    inputs: [
      {
        Name: 'a very long name of an input that takes more room than there is in a terminal of eighty columns',
        ProcessMessageCount: field(messages),
      },
    ],
    filters: [{ Name: 'broken', Error: { value: 'it does not answer', representation: '' } }],
  },
});
const seen = (found: ServiceStatus | null, isRunning = true) => ({ isRunning, process: isRunning ? 'process 4711' : null, status: found });

it('a table has a line for each plugin, of at most 80 columns', () => {
  const lines = tableOf(status(10_000, 500), null, 80);
  expect(lines.map((line) => line.split(/\s{2,}/))).toEqual([
    ['NAME', 'KIND', 'MESSAGES', 'FAILED', 'BUFFER', 'MEMORY'],
    [expect.stringMatching(/^a very long name .*…$/), 'input', '500', '–', '–', '–'],
    ['broken', 'filter', '–', '–', '–', '–'],
    [expect.stringMatching(/^up\S+stream$/), 'output', '500', '2', '12.3 MB', '–'],
  ]);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(lines.join('')).not.toContain('\x1b');
});

it('rates are those between two reports', () => {
  const lines = tableOf(status(15_000, 1500), status(10_000, 500), 80);
  expect(lines.map((line) => line.split(/\s{2,}/)[3])).toEqual(['PER S', '200', '–', '200']);
});

it.each([
  [seen(status(10_000, 1)), 'running for 12 s, process 4711, 153 MB: /etc/shop.toml'],
  [seen(status(-10_000, 1)), 'running for 12 s, process 4711, 153 MB, last report 22 s old: /etc/shop.toml'],
  [seen(null), 'running, process 4711; it writes no reports'],
  [seen(null, false), 'not running'],
  [seen(status(10_000, 1), false), 'not running; it ended without a word after 1970-01-01T00:00:10.000Z'],
])('%j is told', (service, text) => expect(headOf(service, 12_000)).toBe(text));

it('a picture of top fits into the terminal, with colours only where they are wanted', () => {
  const size = { width: 60, height: 5 };
  const plain = frameOf(seen(status(15_000, 1500)), status(10_000, 500), { ...size, hasColours: false });
  expect(plain.split('\n')).toHaveLength(5);
  expect(plain).toContain('… 2 more');
  expect(['H', 'K', 'J'].reduce((text, end) => text.replaceAll(`\x1b[${end}`, ''), plain)).not.toContain('\x1b');
  expect(frameOf(seen(status(15_000, 1500)), null, { ...size, hasColours: true })).toContain('\x1b[7mNAME');
  expect(frameOf(seen(null, false), null, { ...size, hasColours: false })).toContain('not running');
});
