import { expect, it } from 'vitest';
import { fileOf, sluicebox } from '../run-cli.ts';

const entry = (at: number, level: string, more: Record<string, unknown>): string =>
  `${JSON.stringify({ time: new Date(Date.UTC(2026, 10, 20) + at * 1000).toISOString(), level, msg: `job ${at} done in ${at * 3} ms`, ...more })}\n`;

const LOG = fileOf(
  'stats.log',
  Array.from({ length: 3000 }, (_, at) =>
    entry(at, at % 100 === 0 ? 'error' : 'info', { host: at % 3 === 0 ? 'a' : 'b', id: `id-${at}`, ...(at < 300 ? { tag: 'early' } : {}) }),
  ).join(''),
);

it('tells time, levels, frequent values and patterns', async () => {
  const { out, err } = await sluicebox(['view', '--stats', LOG]);
  expect([err, out.split('\n')]).toEqual([
    '',
    [
      '3000 records, 2026-11-20 00:00:00 to 2026-11-20 00:49:59',
      '',
      'Levels',
      '      30  ERROR',
      '    2970  INFO',
      '',
      'Fields',
      '  host  b (2000), a (1000)',
      '  id    more than 2000 different values',
      '  tag   early (300)  in 10 %',
      '',
      'Patterns',
      '    3000  job <num> done in <num> ms',
      '',
    ],
  ]);
});

it('tells what is selected, and the fields that are asked for', async () => {
  const { out } = await sluicebox(['view', '--stats', '--fields', 'tag', '-l', 'error', LOG]);
  expect(out).toMatch(/^30 records, [^]*Fields\n {2}tag {2}early \(3\) {2}in 10 %\n\nPatterns/);
  expect((await sluicebox(['view', '--stats', '-w', 'host:none', LOG])).out).toBe('0 records\n');
});
