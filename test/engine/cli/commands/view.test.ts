import { once } from 'node:events';
import { appendFile, rename, truncate, unlink, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../inputs/harness.ts';
import { until } from '../../../until.ts';
import { fileOf, sluicebox } from '../run-cli.ts';
import { startCommand } from '../start-command.ts';

const entry = (second: number, level: string, msg: string, more: Record<string, unknown> = {}): string =>
  `${JSON.stringify({ time: `2026-11-20T10:00:0${second}Z`, level, msg, ...more })}\n`;

const APP = fileOf(
  'app.log',
  [
    entry(1, 'info', 'started', { port: 8080 }),
    entry(2, 'error', 'refused by 10.1.2.3', { request: 'r1' }),
    entry(3, 'warn', 'slow', { took: 2.5 }),
    entry(4, 'info', 'done'),
    entry(5, 'fatal', 'gone', { stack: 'Error: gone\n\tat main.js:1\n\tat other.js:2' }),
  ].join(''),
);
const OTHER = fileOf('other.log', [entry(2, 'info', 'other a'), entry(3, 'debug', 'other b'), entry(6, 'info', 'other c')].join(''));

const STAMP = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

const shown = async (args: readonly string[], input = ''): Promise<string[]> => {
  const { out, err, code } = await sluicebox(['view', ...args], input);
  expect(err).toBe('');
  expect(code).toBe(0);
  return out.split('\n').slice(0, -1);
};
const texts = (lines: readonly string[]): string[] => lines.map((line) => line.slice('2026-11-20 10:00:01 '.length));

describe('sluicebox view', () => {
  it('shows time, level, text, and the fields that the text does not tell', async () => {
    expect(await shown([APP])).toEqual([
      '2026-11-20 10:00:01 INFO   started port=8080',
      '2026-11-20 10:00:02 ERROR  refused by 10.1.2.3 request=r1',
      '2026-11-20 10:00:03 WARN   slow took=2.5',
      '2026-11-20 10:00:04 INFO   done',
      '2026-11-20 10:00:05 CRIT   gone',
      '    stack:',
      '        Error: gone',
      '            at main.js:1',
      '            at other.js:2',
    ]);
  });

  it.each<[args: readonly string[], lines: readonly string[]]>([
    [['-n', '1'], ['INFO   started port=8080']],
    [['--lines', '0'], []],
    [
      ['--tail', '2', '--fold'],
      ['INFO   done', 'CRIT   gone stack="Error: gone" (+2 lines)'],
    ],
    [
      ['-l', 'error', '--fold', '--hide', 'stack,request'],
      ['ERROR  refused by 10.1.2.3', 'CRIT   gone'],
    ],
    [['-w', 'took:>2'], ['WARN   slow took=2.5']],
    [['-w', 'level:error request:r1'], ['ERROR  refused by 10.1.2.3 request=r1']],
    [
      ['-w', 'took:>2', '-C', '1'],
      ['ERROR  refused by 10.1.2.3 request=r1', 'WARN   slow took=2.5', 'INFO   done'],
    ],
    [
      ['-l', 'error', '-C', '1', '-n', '3'],
      ['INFO   started port=8080', 'ERROR  refused by 10.1.2.3 request=r1', 'WARN   slow took=2.5'],
    ],
    [
      ['-n', '2', '--fields', 'port,msg,request'],
      ['INFO   port=8080', 'ERROR  request=r1'],
    ],
    [['-n', '1', '--fields', 'Payload,nothing'], ['INFO   Payload=started']],
    [
      ['--sort', 'took:desc', '-n', '2'],
      ['WARN   slow took=2.5', 'INFO   started port=8080'],
    ],
    [
      ['--sort', 'level', '--fields', 'Payload', '--tail', '3'],
      ['WARN   Payload=slow', 'INFO   Payload=started', 'INFO   Payload=done'],
    ],
  ])('view %j', async (args, lines) => {
    expect(texts(await shown([...args, APP]))).toEqual(lines);
  });

  it('parts records that do not follow one another', async () => {
    expect(texts(await shown(['-w', 'port:8080 or took:>2', '--hide', 'took', APP]))).toEqual(['INFO   started port=8080', 'WARN   slow']);
    expect(texts(await shown(['-w', 'port:8080 or level:fatal', '-C', '1', '--fold', '--hide', 'stack', APP]))).toEqual([
      'INFO   started port=8080',
      'ERROR  refused by 10.1.2.3 request=r1',
      '',
      'INFO   done',
      'CRIT   gone',
    ]);
  });

  it('merges files by time, and tells them apart', async () => {
    expect(texts(await shown(['--fields', 'Payload', APP, OTHER]))).toEqual([
      'INFO   app.log   Payload=started',
      'ERROR  app.log   Payload="refused by 10.1.2.3"',
      'INFO   other.log Payload="other a"',
      'WARN   app.log   Payload=slow',
      'DEBUG  other.log Payload="other b"',
      'INFO   app.log   Payload=done',
      'CRIT   app.log   Payload=gone',
      'INFO   other.log Payload="other c"',
    ]);
  });

  it('reads folders, patterns, packed files and standard input', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluicebox-view-'));
    const other = mkdtempSync(join(tmpdir(), 'sluicebox-view-'));
    mkdirSync(join(other, 'b'));
    writeFileSync(join(folder, 'a.log'), entry(2, 'info', 'two'));
    writeFileSync(join(folder, 'a.log.1.gz'), gzipSync(entry(1, 'info', 'one')));
    writeFileSync(join(other, 'b', 'a.log'), entry(3, 'info', 'three'));
    const lines = (args: readonly string[], input = ''): Promise<string[]> => shown(['--fields', 'Payload', ...args], input);
    expect(texts(await lines([folder, join(other, 'b', '*.log'), '-'], entry(4, 'info', 'four')))).toEqual([
      'INFO   a.log.1.gz               Payload=one',
      `INFO   ${`${folder.split('/').at(-1)}/a.log`.slice(0, 23)}… Payload=two`,
      'INFO   b/a.log                  Payload=three',
      'INFO   standard input           Payload=four',
    ]);
  });

  it('shows control characters as escapes, and colours only where they are asked for', async () => {
    const evil = fileOf('evil.log', entry(1, 'error', 'a\u001b[31mred\u0007 10.0.0.1', { 'k\u001b[2J': 'v\u0090' }));
    expect(texts(await shown([evil]))).toEqual(['ERROR  ared\\u0007 10.0.0.1 k\\u001b[2J=v\\u0090']);
    expect(await shown(['--color', 'always', evil])).toEqual([
      '\u001b[2m2026-11-20 10:00:01\u001b[0m \u001b[1;31mERROR \u001b[0m ared\\u0007 \u001b[94m10.0.0.1\u001b[0m \u001b[2mk\\u001b[2J=v\\u0090\u001b[0m',
    ]);
  });

  it.each<[args: readonly string[], out: string]>([
    [['--count'], '5\n'],
    [['--count', '-l', 'warning'], '3\n'],
    [['--raw', '-n', '1'], entry(1, 'info', 'started', { port: 8080 })],
    [
      ['--csv', '-n', '2'],
      'time,level,message,stack,took,request,port\n2026-11-20T10:00:01Z,INFO,started,,,,8080\n2026-11-20T10:00:02Z,ERROR,refused by 10.1.2.3,,,r1,\n',
    ],
    [['--csv', '--fields', 'took', '-w', 'took:>2'], 'time,level,took\n2026-11-20T10:00:03Z,WARN,2.5\n'],
    [['--tz', 'Asia/Kolkata', '-n', '1'], '2026-11-20 15:30:01 INFO   started port=8080\n'],
  ])('view %j prints', async (args, out) => {
    expect((await sluicebox(['view', ...args, APP])).out).toBe(out);
  });

  describe('a large file', () => {
    const at = (second: number): string => new Date(Date.UTC(2026, 10, 20) + second * 1000).toISOString();
    const lines = (form: (second: number) => string): string => Array.from({ length: 20_000 }, (_, second) => form(second)).join('');
    const json = fileOf(
      'large.log',
      lines((second) => `${JSON.stringify({ time: at(second), level: 'info', msg: `n${second}`, filling: 'x'.repeat(40) })}\n`),
    );
    const syslog = fileOf(
      'large-syslog.log',
      lines(
        (second) => `${STAMP.format(Date.UTC(2026, 10, 20) + second * 1000).replace(',', '')} web1 app[7]: n${second} ${'x'.repeat(40)}\n`,
      ),
    );
    const several = fileOf(
      'large-java.log',
      lines(
        (second) =>
          `${at(second).replace('T', ' ').replace('.000Z', ',000')} ERROR [main] org.Shop - n${second}\njava.lang.Error: x\n\tat org.Shop.run(Shop.java:${second})\n`,
      ),
    );

    it.each<[what: string, args: readonly string[], found: string]>([
      ['the end', ['--tail', '3'], 'n19997 n19998 n19999'],
      ['what is far from the end', ['--tail', '1', '-w', 'Payload =~ /^n119(\\s|$)/'], 'n119'],
      ['what is selected near the end', ['--tail', '2', '-w', 'Payload =~ /^n1999[0-5]/'], 'n19994 n19995'],
      ['a time', ['--since', '2026-11-20 02:46:40', '-n', '2'], 'n10000 n10001'],
      ['a range', ['--since', '2026-11-20 05:00', '--until', '2026-11-20T05:00:02Z'], 'n18000 n18001'],
      ['the beginning', ['--until', '2026-11-20 00:00:02'], 'n0 n1'],
      ['nothing behind the end', ['--since', '2026-11-21'], ''],
      ['the end of a range', ['--until', '2026-11-20 05:00', '--tail', '1'], 'n17999'],
      ['all in front', ['--since', '2026-11-19', '-n', '1'], 'n0'],
    ])('shows %s', async (_, args, found) => {
      for (const file of [json, syslog, several]) {
        const { out, err } = await sluicebox(['view', ...args, file]);
        expect([err, (out.match(/\bn\d+/g) ?? []).join(' ')]).toEqual(['', found]);
      }
    });
  });

  describe('--follow', () => {
    /** The output until so many records were shown, while the files are changed. */
    const followed = async (folder: string, args: readonly string[], change: () => Promise<void>): Promise<string[]> => {
      const running = sluicebox(['view', '-f', ...args], '', {});
      await change();
      const { out, code, err } = await running;
      expect([code, err]).toEqual([0, '']);
      return out
        .replaceAll(folder, '')
        .split('\n')
        .slice(0, -1)
        .map((line) => line.slice(20));
    };

    it('goes on through rotation and truncation, after the last records', async () => {
      await using folder = await temporaryFolder();
      const file = folder.file('app.log');
      await writeFile(file, Array.from({ length: 30 }, (_, at) => entry(1, 'info', `old ${at}`)).join(''));
      const lines = await followed(folder.file(''), ['--tail', '2', '-n', '6', file], async () => {
        await delay(300);
        await appendFile(file, entry(2, 'error', 'more'));
        await delay(400);
        await rename(file, folder.file('app.log.1'));
        await writeFile(file, entry(3, 'info', 'rotated'));
        await delay(600);
        await truncate(file, 0);
        await delay(400);
        await appendFile(file, entry(4, 'info', 'cut') + entry(5, 'info', 'end'));
      });
      expect(lines).toEqual(['INFO   old 28', 'INFO   old 29', 'ERROR  more', 'INFO   rotated', 'INFO   cut', 'INFO   end']);
    });

    it('selects, merges what comes to several files, and takes those that appear later', async () => {
      await using folder = await temporaryFolder();
      await writeFile(folder.file('a.log'), entry(1, 'error', 'old a') + entry(1, 'info', 'old a'));
      await writeFile(folder.file('b.log'), entry(1, 'info', 'old b') + entry(2, 'error', 'old b'));
      const lines = await followed(folder.file(''), ['-l', 'error', '-n', '4', folder.file('*.log')], async () => {
        await delay(500);
        await writeFile(folder.file('c.log'), entry(5, 'info', 'no') + entry(6, 'error', 'late'));
        await appendFile(folder.file('a.log'), entry(4, 'error', 'new a') + entry(5, 'debug', 'new a'));
      });
      expect(lines).toEqual(['ERROR  a.log old a', 'ERROR  b.log old b', 'ERROR  a.log new a', 'ERROR  c.log late']);
    });

    it('takes a line that its writer ends later for one record, and selects by its text', async () => {
      await using folder = await temporaryFolder();
      const file = folder.file('app.log');
      await writeFile(file, entry(1, 'info', 'old') + entry(2, 'info', 'torn in two').slice(0, 50));
      const lines = await followed(folder.file(''), ['-w', 'two', '-n', '2', file], async () => {
        await delay(700);
        await appendFile(file, entry(2, 'info', 'torn in two').slice(50) + entry(3, 'info', 'no').slice(0, 20));
        await delay(400);
        await appendFile(file, entry(3, 'info', 'no').slice(20) + entry(4, 'error', 'two'));
      });
      expect(lines).toEqual(['INFO   torn in two', 'ERROR  two']);
    });

    it('waits for files that are not there, and ends quietly at an interrupt and when nobody reads', async () => {
      await using folder = await temporaryFolder();
      const file = folder.file('later.log');
      await using command = startCommand(['view', '-f', '--raw', file]);
      await until(
        () => command.err().includes('does not exist'),
        () => command.err(),
      );
      await writeFile(file, 'one\n');
      await until(
        () => command.out() === 'one\n',
        () => command.out(),
      );
      command.child.kill('SIGINT');
      expect(await command.ended).toBe(130);
      await using unread = startCommand(['view', '-f', '--raw', file]);
      await until(() => unread.out() === 'one\n');
      unread.child.stdout.destroy();
      await appendFile(file, 'two\n');
      expect([await unread.ended, unread.err()]).toEqual([0, '']);
    });
  });

  describe('a file that changes while it is read', () => {
    const LINES = 30_000;
    const held = async (
      change: (file: string, child: ReturnType<typeof startCommand>['child']) => Promise<void> | void,
    ): Promise<[code: number | null, err: string, lines: number]> => {
      await using folder = await temporaryFolder();
      const file = folder.file('large.log');
      await writeFile(file, entry(1, 'info', 'x'.repeat(200)).repeat(LINES));
      await using command = startCommand(['view', '--raw', file], { unread: true });
      await once(command.child.stdout, 'readable');
      await change(file, command.child);
      command.listen();
      return [await command.ended, command.err(), command.out().split('\n').length - 1];
    };

    it('is shown to its end when it is removed, and as far as it was read when it is emptied', async () => {
      expect(await held(unlink)).toEqual([0, '', LINES]);
      const [code, err, lines] = await held((file) => truncate(file, 0));
      expect([code, err]).toEqual([0, '']);
      expect(lines).toBeGreaterThan(0);
      expect(lines).toBeLessThan(LINES);
    });

    it('ends quietly when nobody reads the lines any more', async () => {
      const [code, err] = await held((_file, child) => void child.stdout.destroy());
      expect([code, err]).toEqual([0, '']);
    });

    it('tells that it cannot be read any more', async () => {
      expect(await sluicebox(['view', '/proc/self/mem'])).toMatchObject({ code: 2, err: expect.stringContaining('cannot be read: EIO') });
    });
  });

  it('prints the same JSON as decode', async () => {
    const [viewed, decoded] = await Promise.all([sluicebox(['view', '--json', APP]), sluicebox(['decode', '-q', APP])]);
    const plain = (lines: Record<string, unknown>[]): unknown[] => lines.map((line) => ({ ...line, Uuid: '' }));
    expect(plain(viewed.lines())).toEqual(plain(decoded.lines()));
  });

  it.each<[args: readonly string[], lines: readonly string[]]>([
    [[APP, '-n', '1'], ['INFO   started port=8080']],
    [
      ['-l', 'error', '--fold', '--hide', 'stack', APP],
      ['ERROR  refused by 10.1.2.3 request=r1', 'CRIT   gone'],
    ],
    [['-lwarn', '--tail=1', '--hide=stack', '--fold', APP], ['CRIT   gone']],
    [['--since', '2026-11-20 10:00:05', '--fields', 'Payload', APP], ['CRIT   Payload=gone']],
  ])('is meant by files and options without a command: %j', async (args, lines) => {
    const { out, code } = await sluicebox(args);
    expect([code, texts(out.split('\n').slice(0, -1))]).toEqual([0, lines]);
  });

  it('is meant without a command by standard input, patterns, and paths that lead nowhere', async () => {
    expect((await sluicebox(['-', '--count'], entry(1, 'info', 'x'))).out).toBe('1\n');
    expect((await sluicebox(['--count'], entry(1, 'info', 'x'))).out).toBe('1\n');
    expect((await sluicebox([join(APP, '..', 'oth*.log'), '--count'])).out).toBe('3\n');
    expect((await sluicebox(['--since', '1h', 'nowhere.log'])).err).toContain('nowhere.log does not exist.');
    expect((await sluicebox(['--levle', 'error', APP])).err).toContain('there is no option --levle; did you mean --level?');
  });

  it('shows what it can read where a file is missing, and what no decoder takes as it is', async () => {
    const broken = fileOf('broken.log', `${entry(1, 'info', 'one')}{"time": nonsense\n${entry(2, 'info', 'two')}`);
    const { out, err, code } = await sluicebox(['view', '/nowhere.log', broken]);
    expect([code, err]).toEqual([2, 'sluicebox: /nowhere.log does not exist. Check the name and the folder.\n']);
    expect(out.split('\n').map((line) => line.slice(20))).toEqual([
      'INFO   broken.log  one',
      '       broken.log  {"time": nonsense',
      'INFO   broken.log  two',
      '',
    ]);
  });

  it('leaves out the column of levels where no record has one', async () => {
    const input = '192.0.2.1 - - [05/Mar/2021:13:07:59 +0000] "GET / HTTP/1.1" 200 1 "-" "-"\n';
    expect((await sluicebox(['view', '-'], input)).out).toMatch(/^2021-03-05 13:07:59 GET \/ 200/);
    const mixed = `${entry(1, 'info', 'one')}${JSON.stringify({ time: '2026-11-20T10:00:02Z', msg: 'two' })}\n`;
    expect((await sluicebox(['view', '-'], mixed)).out).toBe('2026-11-20 10:00:01 INFO   one\n2026-11-20 10:00:02        two\n');
  });

  describe('what cannot be read', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluicebox-bad-'));
    mkdirSync(join(folder, 'empty'));
    mkdirSync(join(folder, 'only', 'folders'), { recursive: true });
    symlinkSync(join(folder, 'gone.log'), join(folder, 'vanished.log'));
    const put = (name: string, bytes: Uint8Array | string): void => writeFileSync(join(folder, name), bytes);
    put('program', Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01', 'latin1'), Buffer.alloc(4096)]));
    put('torn.log.gz', gzipSync(entry(1, 'info', 'one').repeat(500)).subarray(0, 60));
    put('latin.log', Buffer.from('time=2026-11-20T10:00:00Z level=info msg=caf\xe9 a=\x80\n', 'latin1'));
    put('nothing.log', '');

    it.each<[name: string, code: number, out: string, err: RegExp]>([
      ['empty', 2, '', /empty has no files\.\n$/],
      ['only', 2, '', /only: 1 file was left out: folders \(it is a folder[^]*only has no files\.\n$/],
      ['vanished.log', 2, '', /vanished\.log does not exist\. Check the name and the folder\.\n$/],
      ['program', 2, '', /program is a program\. Only text logs can be read\.\n$/],
      ['torn.log.gz', 2, '', /torn\.log\.gz .*damaged/],
      ['latin.log', 0, '2026-11-20 10:00:00 INFO   café a=€\n', /lines that are not UTF-8/],
      ['nothing.log', 0, '', /^$/],
    ])('%s', async (name, code, out, err) => {
      const result = await sluicebox(['view', join(folder, name)]);
      expect([result.code, result.out, result.err]).toEqual([code, out, expect.stringMatching(err)]);
    });
  });

  it.each<[args: readonly string[], problem: RegExp]>([
    [['-l', 'eror'], /--level must be one of .*did you mean error/],
    [['--raw', '--json'], /give one of --raw and --json/],
    [['-n', '1', '--tail', '1'], /give one of them/],
    [['--tz', 'Mars'], /--tz must be a time zone/],
    [['--color', 'red'], /--color must be one of auto, always, never/],
    [['-w', 'Type =='], /--where: column 8: [^]*\nType ==\n {7}\^\n/],
    [['-w', 'status:>'], /--where: column 9: expected a value\nstatus:>\n {8}\^\n/],
    [['--since', 'smarch'], /--since: “smarch” is no .*it takes times such as 12:40/],
    [['-f', '--count'], /--count tells what it found at the end/],
    [['-f', '--sort', 'x'], /--sort takes records out of their places/],
    [['-f', '-'], /--follow is for files/],
    [['--until', '50%'], /--until: “50%” is no time/],
  ])('refuses %j', async (args, problem) => {
    const { code, err } = await sluicebox(['view', ...args, APP]);
    expect([code, err]).toEqual([2, expect.stringMatching(problem)]);
  });
});
