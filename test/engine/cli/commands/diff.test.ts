import { describe, expect, it } from 'vitest';
import { testMs } from '../../../patience.ts';
import { fileOf, sluicebox } from '../run-cli.ts';

/** Records two seconds apart, from a time on; one host of three makes errors in the second half of the hour. */
const hour = (at: number, badFrom: number): string =>
  Array.from({ length: 1800 }, (_, i) => {
    const host = `web${1 + ((i * 7) % 3)}`;
    const isBad = i >= badFrom && host === 'web2' && i % 2 === 0;
    const time = new Date(Date.UTC(2026, 10, 1, at) + i * 2000).toISOString();
    return `${JSON.stringify({ time, host, status: isBad ? 502 : 200, took: 10 + ((i * 617) % 90) })}\n`;
  }).join('');
const ROW = /^ 1 {2}new: status 502: none of A, (?:16|17|33)\.?\d* % of B$/m;

describe('sluicebox diff', { timeout: 4 * testMs() }, () => {
  const calm = fileOf('calm.log', hour(10, Infinity));
  const bad = fileOf('bad.log', hour(11, 0));
  const both = fileOf('both.log', hour(10, Infinity) + hour(11, 0));

  it.each<[string, readonly string[]]>([
    ['two files', ['-q', calm, bad]],
    ['times before and after', ['-q', '--at', '2026-11-01 11:00', both]],
    ['a time and as much before it', ['-q', '--since', '2026-11-01 11:00', '--until', '2026-11-01 11:30', both]],
  ])('says how %s differ, and what the records that differ have in common', async (_name, args) => {
    const { code, out, err } = await sluicebox(['diff', ...args]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(ROW);
    expect(out).toContain('100 % of these have host web2');
    expect(out).toContain("-w 'Fields[status] == 502'");
  });

  it('compares values of a field, as lines of JSON', async () => {
    const { code, out } = await sluicebox(['diff', '-q', '--format', 'json', '--b', 'host:web2', bad]);
    const rows = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { text: string; b: { count: number }; filter: string });
    expect([code, rows[0]?.text, rows[0]?.b.count, rows[0]?.filter]).toEqual([
      0,
      'new: status 502: none of A, 50 % of B',
      300,
      'Fields[status] == 502',
    ]);
    expect(out).not.toContain('host web2');
  });

  it('compares files of different decoders, and says which side has no records', async () => {
    const lines = fileOf(
      'plain.txt',
      Array.from(
        { length: 300 },
        (_, i) => `Nov  1 10:0${Math.floor(i / 60)}:${String(i % 60).padStart(2, '0')} web1 app[7]: done ${i}\n`,
      ).join(''),
    );
    expect(await sluicebox(['diff', '-q', calm, lines])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/gone: .*\n.*\n?.*new: /s) as string,
    });
    expect(await sluicebox(['diff', '-q', calm, fileOf('empty.log', '')])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/B has no records/) as string,
    });
    expect((await sluicebox(['diff', '-q', calm, fileOf('one.log', hour(10, Infinity).split('\n')[0] ?? '')])).out).toContain(
      ': 1 record, ',
    );
  });

  it('says that there is none, by its exit code', async () => {
    const later = fileOf('later.log', hour(12, Infinity));
    const { code, out } = await sluicebox(['diff', '-q', calm, later]);
    expect([code, out.includes('No difference beyond chance')]).toEqual([1, true]);
  });

  it.each<[string, readonly string[], string]>([
    ['one file', [calm], 'diff compares two files, folders or patterns, not 1; files with --at, --since, --a or --b'],
    ['three files', [calm, bad, both], "not 3 (quote patterns: 'web*.log')"],
    ['two beginnings', ['--at', '11:00', '--since', '10:00', both], 'give one of them'],
    ['an end alone', ['--until', '11:00', both], 'give both'],
    ['an end before the beginning', ['--since', '2026-11-01', '--until', '2026-10-01', both], '--until must be after --since'],
    ['times and values', ['--at', '11:00', '--b', 'host:web2', both], 'the sides are two times or two sets of values'],
    ['a wrong expression', ['--b', 'host ==', both], '--b: '],
    ['no file', ['--at', '11:00'], 'diff needs a file'],
    ['a side without records', ['-q', '--at', '2020-01-01', both], 'A has no records (before 2020-01-01 00:00:00)'],
    ['no such file', ['-q', calm, `${bad}.none`], 'B has no records'],
  ])('refuses %s', async (_name, args, text) => {
    const { code, out, err } = await sluicebox(['diff', ...args]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(text);
  });
});
