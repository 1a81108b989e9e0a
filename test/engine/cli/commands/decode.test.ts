import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { until } from '../../../until.ts';
import { fileOf, sluicebox } from '../run-cli.ts';
import { startCommand } from '../start-command.ts';

const ACCESS = `192.0.2.1 - - [05/Mar/2021:13:07:59 +0000] "GET / HTTP/1.1" 200 1 "-" "-"
192.0.2.1 - - [05/Mar/2021:13:08:59 +0000] "GET /a HTTP/1.1" 404 1 "-" "-"
`;
const JAVA = `2021-03-05 13:07:59,250 ERROR [main] org.example.Shop - no
\tat org.example.Shop.sell(Shop.java:7)
2021-03-05 13:08:00,250 INFO  [main] org.example.Shop - yes
`;
const access = fileOf('auto-access.log', ACCESS);
const packed = fileOf('auto-java.log.gz', gzipSync(JAVA));
const words = fileOf('auto-words.txt', 'hm\n');

const shapes = (lines: readonly Record<string, unknown>[]): unknown[] => lines.map(({ Type, Payload }) => Payload ?? Type);
const FROM_JAVA = ['no\n\tat org.example.Shop.sell(Shop.java:7)', 'yes'];

describe('decode without a decoder', () => {
  it('recognises each file by itself, and says as what', async () => {
    const { code, lines, err } = await sluicebox(['decode', access, packed, words]);
    expect(code).toBe(0);
    expect(shapes(lines())).toEqual(['nginx.access', 'nginx.access', ...FROM_JAVA, 'hm']);
    expect(err).toContain(
      `sluicebox: ${access}: decoded by nginx_access -s 'log_format=$remote_addr - $remote_user [$time_local] "$request"`,
    );
    expect(err).toContain(`sluicebox: ${packed}: decoded by program_log`);
  });

  it('reads standard input without losing its beginning', async () => {
    const { lines, err } = await sluicebox(['decode'], JAVA);
    expect(shapes(lines())).toEqual(FROM_JAVA);
    expect(err).toMatch(/^sluicebox: standard input: decoded by program_log.*\n$/);
  });

  it('is silent with --quiet', async () => {
    expect(await sluicebox(['decode', '-q', 'auto', access, '-'])).toMatchObject({ code: 0, err: '' });
  });

  it('takes parameters besides the recognised ones', async () => {
    const { lines } = await sluicebox(['decode', '-q', '-s', 'type=shop', access]);
    expect(shapes(lines())).toEqual(['shop', 'shop']);
    const wrong = await sluicebox(['decode', '-q', '-s', 'typ=shop', access, words]);
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain('unknown parameter typ; did you mean type?');
    expect(shapes(wrong.lines())).toEqual(['hm']);
  });

  it.runIf(process.platform === 'linux')('does not promise to read again what cannot be read', async () => {
    const { code, err } = await sluicebox(['decode', 'syslog', '/proc/self/mem']);
    expect({ code, err }).toEqual({ code: 2, err: 'sluicebox: /proc/self/mem cannot be read: EIO: i/o error, read.\n' });
  });

  it('goes on behind a file that cannot be read', async () => {
    const { code, lines, err } = await sluicebox([
      'decode',
      '-q',
      '/no/such.log',
      fileOf('auto.7z', Buffer.from('7z\xbc\xaf\x27\x1c', 'latin1')),
      words,
    ]);
    expect(code).toBe(2);
    expect(err).toContain('/no/such.log does not exist');
    expect(err).toContain('auto.7z is a 7z archive');
    expect(shapes(lines())).toEqual(['hm']);
  });

  it.each([
    ['a file with the name of a pattern', 'odd[1].log', ['auto']],
    ['a pattern', '*.log', ['auto', 'rfc3164']],
    ['a folder', '', ['auto', 'rfc3164']],
  ])('takes %s', async (_, path, decoders) => {
    const folder = mkdtempSync(join(tmpdir(), 'sluicebox-named-'));
    for (const name of ['odd[1].log', 'two.log']) writeFileSync(join(folder, name), '<13>Feb 10 08:46:41 h app[7]: x\n');
    const expected = path.startsWith('odd') ? ['x'] : ['x', 'x'];
    for (const decoder of decoders) {
      const { code, lines } = await sluicebox(['decode', '-q', decoder, join(folder, path)]);
      expect({ code, shapes: shapes(lines()) }).toEqual({ code: 0, shapes: expected });
    }
    const none = await sluicebox(['decode', '-q', join(folder, '*.none'), words]);
    expect(none).toMatchObject({ code: 2, err: expect.stringContaining('No file fits ') as string });
    expect(shapes(none.lines())).toEqual(['hm']);
  });

  it('gives one line for each line with --each', async () => {
    const { out } = await sluicebox(['decode', '-q', '--each', access]);
    expect(out.split('\n')).toHaveLength(3);
  });

  it('takes a word that names a decoder as one, also where a file has that name', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluicebox-names-'));
    writeFileSync(join(folder, 'json_lines'), ACCESS);
    const back = process.cwd();
    process.chdir(folder);
    try {
      expect((await sluicebox(['decode', 'json_lines'], '{"a":1}\n')).lines()).toHaveLength(1);
      for (const args of [['./json_lines'], ['auto', 'json_lines']])
        expect(shapes((await sluicebox(['decode', '-q', ...args])).lines())).toEqual(['nginx.access', 'nginx.access']);
    } finally {
      process.chdir(back);
    }
  });
});

describe.runIf(process.platform === 'linux')('files of /proc', () => {
  it.each([
    ['linux_memstats', '/proc/meminfo', 'stats.memstats'],
    ['linux_loadavg', '/proc/loadavg', 'stats.loadavg'],
    ['linux_procstat', '/proc/stat', 'stats.proc'],
  ])('%s cuts %s by itself', async (decoder, path, type) => {
    const { code, lines, err } = await sluicebox(['decode', decoder, path]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(lines().map(({ Type }) => Type)).toEqual([type]);
  });
});

describe('sluicebox decode of a part', () => {
  const lines = ['09', '10', '11'].map((hour) => `time=2026-11-20T${hour}:00:00Z level=info msg=at${hour}\n`);

  it.each<[args: readonly string[], found: string]>([
    [['--since', '2026-11-20 10:00'], 'at10 at11'],
    [['--until', '2026-11-20 10:00'], 'at09'],
    [['--since', '2026-11-20 10:00', '-w', 'Payload == "at11"'], 'at11'],
  ])('%j', async (args, found) => {
    const file = fileOf('hours.log', lines.join(''));
    const { out } = await sluicebox(['decode', '-q', ...args, file]);
    expect(out.match(/at\d\d/g)?.join(' ')).toBe(found);
  });

  it('follows files', async () => {
    const file = fileOf('followed.log', lines[0] as string);
    await using command = startCommand(['decode', '-q', '--follow', file]);
    await until(
      () => command.out().includes('at09'),
      () => command.err(),
    );
    appendFileSync(file, lines[1] as string);
    await until(
      () => command.out().includes('at10'),
      () => command.err(),
    );
    command.child.kill('SIGINT');
    expect([await command.ended, command.err()]).toEqual([130, '']);
    expect((await sluicebox(['decode', '-f', '--each', file])).err).toContain('--follow is for text');
  });
});
