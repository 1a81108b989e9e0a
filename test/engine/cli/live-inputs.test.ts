import { createSocket } from 'node:dgram';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../ports.ts';
import { patienceMs } from '../../patience.ts';
import { until } from '../../until.ts';
import { fileOf, sluicebox } from './run-cli.ts';
import { startCommand, type RunningCommand } from './start-command.ts';

const EXAMPLES = resolve(import.meta.dirname, '../../../resources/examples');
let folders = 0;

interface Service extends RunningCommand {
  /** Interrupts it as a terminal does: it and all processes of its group. */
  interrupt(): Promise<number | null>;
}

function start(config: string, env: Record<string, string> = {}): Service {
  const data = join(fileOf('live', ''), '..', `live-${process.pid}-${folders++}`);
  const command = startCommand(['run', config], { env: { SLUICEBOX_DATA: data, ...env }, detached: true });
  const interrupt = (): Promise<number | null> => {
    process.kill(-(command.child.pid as number), 'SIGINT');
    return command.ended;
  };
  return { ...command, interrupt };
}

const json = '[out]\ntype = "LogOutput"\nencoder = "json"\nmessage_matcher = "Type !~ /^svc\\\\.(all-report|memstat)$/"\n';
const jsonLines = (text: string): { Payload: string; Fields: { name: string; value: unknown[] }[] }[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { Payload: string; Fields: { name: string; value: unknown[] }[] });
const config = (name: string, text: string): string => fileOf(name, `[svcd]\nlog_flags = 0\n${text}`);

/** A process that ended is gone. */
const gone = (pid: number): boolean => !existsSync(`/proc/${pid}`) || /^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));

describe.skipIf(process.platform === 'win32')('a service', () => {
  it('reads a file again and again, until it is interrupted', async () => {
    const file = fileOf('polled.txt', 'one');
    await using service = start(
      config('poll.toml', `[p]\ntype = "FilePollingInput"\nfile_path = ${JSON.stringify(file)}\nticker_interval = 1\n${json}`),
    );
    await expect.poll(service.out).toContain('one');
    writeFileSync(file, 'two');
    await expect.poll(service.out).toContain('two');
    expect(await service.interrupt()).toBe(0);
    expect(service.err()).toBe('');
    expect(jsonLines(service.out())[0]).toMatchObject({ Type: 'svc.file.polling', Logger: 'p', Payload: 'one' });
  });

  it('ends what its commands have started when it stops', async () => {
    const pid = fileOf('sleeper.pid', '');
    const line = `sleep 88 & echo $! > ${pid}; echo started; wait`;
    await using service = start(
      config(
        'tail.toml',
        `[p]\ntype = "ProcessInput"\nticker_interval = 0\nsplitter = "line"\n[p.command.0]\nbin = "sh"\nargs = ["-c", ${JSON.stringify(line)}]\n${json}`,
      ),
    );
    await expect.poll(service.out).toContain('started');
    const sleeper = Number(readFileSync(pid, 'utf8'));
    expect(gone(sleeper)).toBe(false);
    expect(await service.interrupt()).toBe(0);
    await expect.poll(() => gone(sleeper)).toBe(true);
  });

  it('ends what its commands have started when it is interrupted twice', async () => {
    const pid = fileOf('stubborn.pid', '');
    const asked = fileOf('stubborn.asked', '');
    const line = `trap "echo TERM > ${asked}" TERM; echo $$ > ${pid}; echo started; while :; do sleep 0.2; done`;
    await using service = start(
      config(
        'stubborn.toml',
        `[p]\ntype = "ProcessInput"\nticker_interval = 0\nsplitter = "line"\n[p.command.0]\nbin = "sh"\nargs = ["-c", ${JSON.stringify(line)}]\n${json}`,
      ),
    );
    await expect.poll(service.out).toContain('started');
    service.child.kill('SIGINT');
    await until(() => readFileSync(asked, 'utf8') !== '', 'the command to be asked to end');
    service.child.kill('SIGINT');
    await service.ended;
    await expect.poll(() => gone(Number(readFileSync(pid, 'utf8')))).toBe(true);
  });

  it.each<[string, string, string, number, RegExp]>([
    ['ends with a command that ran once and well', 'true', '', 0, /^sluicebox: \[p\] has ended, and its can_exit is false\n$/],
    [
      'tries a command that fails again, and gives up',
      'false',
      '[p.retries]\nmax_retries = 1\ndelay = "10ms"\nmax_jitter = "0"\n',
      1,
      /^sluicebox: warning: \[p\] false ended with status 1\. It is started again in 10 ms\.\nsluicebox: error: \[p\] false ended with status 1\.\nsluicebox: \[p\] has ended/,
    ],
    [
      'tries a command that cannot be started again, and gives up',
      'no-such-program',
      '[p.retries]\nmax_retries = 0\n',
      1,
      /^sluicebox: error: \[p\] no-such-program cannot be started: there is no such program\. Check the name, or give its whole path\.\nsluicebox: \[p\] has/,
    ],
  ])('%s', async (_title, bin, more, code, err) => {
    await using service = start(
      config(`${bin}.toml`, `[p]\ntype = "ProcessInput"\nticker_interval = 0\n[p.command.0]\nbin = "${bin}"\n${more}${json}`),
    );
    expect(await service.ended).toBe(code);
    expect(service.err()).toMatch(err);
  });

  it('goes on without a command that may end', async () => {
    await using service = start(
      config(
        'may-end.toml',
        `[p]\ntype = "ProcessInput"\nticker_interval = 0\ncan_exit = true\n[p.command.0]\nbin = "echo"\nargs = ["x"]\n${json}`,
      ),
    );
    await expect.poll(service.out).toContain('"x');
    await delay(500);
    expect(service.child.exitCode).toBeNull();
    expect(await service.interrupt()).toBe(0);
  });

  it('that ends when all is read waits for the end of a command', async () => {
    const path = config(
      'once.toml',
      `[p]\ntype = "ProcessInput"\nticker_interval = 0\ncan_exit = true\nsplitter = "line"\n` +
        `[p.command.0]\nbin = "sh"\nargs = ["-c", "echo one; sleep 1; echo two"]\n${json}`,
    );
    const { code, out, err } = await sluicebox(['run', path, '--until-idle']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(jsonLines(out).map(({ Payload }) => Payload)).toEqual(['one', 'two']);
  });

  it('exchanges its live inputs when they are edited', async () => {
    const port = await freePort();
    const [one, two] = [fileOf('edited-1.txt', 'first file'), fileOf('edited-2.txt', 'second file')];
    const inputs = (path: string, word: string, type: string): string =>
      `[p]\ntype = "FilePollingInput"\nfile_path = ${JSON.stringify(path)}\nticker_interval = 1\n` +
      `[c]\ntype = "ProcessInput"\nticker_interval = 0\nsplitter = "line"\n[c.command.0]\nbin = "sh"\nargs = ["-c", "echo ${word}; sleep 99"]\n` +
      `[statsd]\ntype = "StatsdInput"\naddress = "127.0.0.1:${port}"\nstat_accum_name = "acc"\n` +
      `[acc]\ntype = "StatAccumInput"\nticker_interval = 1\nmessage_type = "${type}"\n${json}`;
    const path = config('edited.toml', inputs(one, 'good_day', 'one'));
    await using service = start(path);
    await expect.poll(service.out).toMatch(/first file[\s\S]*good_day|good_day[\s\S]*first file/);
    config('edited.toml', inputs(two, 'good_night', 'two'));
    await expect.poll(service.err).toMatch(/\[p\] replaced\n[\s\S]*\[c\] replaced\n[\s\S]*\[acc\] replaced\n/);
    await expect.poll(service.out).toMatch(/second file/);
    await expect.poll(service.out).toMatch(/good_night/);
    // The statsd section, which was not edited, reaches the sections that were.
    const socket = createSocket('udp4');
    const timer = setInterval(() => socket.send('seen:1|g', port, '127.0.0.1'), 200);
    await expect.poll(service.out).toMatch(/"two".*stats\.gauges\.seen 1\.000000/);
    clearInterval(timer);
    socket.close();
    expect(await service.interrupt()).toBe(0);
  });

  it('reports on its live inputs', async () => {
    const port = await freePort();
    const path = config(
      'report.toml',
      `[statsd]\ntype = "StatsdInput"\naddress = "127.0.0.1:${port}"\nstat_accum_name = "acc"\n[acc]\ntype = "StatAccumInput"\nticker_interval = 1\n` +
        `[p]\ntype = "ProcessInput"\nticker_interval = 1\n[p.command.0]\nbin = "echo"\n` +
        `[out]\ntype = "LogOutput"\nencoder = "json"\nmessage_matcher = "Type == 'svc.all-report'"\n`,
    );
    await using service = start(path);
    await expect.poll(() => existsSync(`/proc/${service.child.pid}`)).toBe(true);
    const socket = createSocket('udp4');
    const timer = setInterval(() => socket.send('a:1|c\nbad', port, '127.0.0.1'), 200);
    const number = { value: expect.any(Number) as number, representation: 'count' };
    await until(() => {
      const last = service.out().trimEnd().split('\n').at(-1) ?? '';
      const report = JSON.parse(jsonLines(last)[0]?.Payload ?? '') as { inputs: { Name: string }[] };
      const figures = (name: string): unknown => report.inputs.find(({ Name }) => Name === name);
      expect(figures('statsd')).toMatchObject({ StatCount: number, BadLineCount: number, LostStatCount: { value: 0 } });
      expect(figures('acc')).toMatchObject({ ProcessMessageCount: number, StatNameCount: { value: 1 } });
      expect(figures('p')).toMatchObject({ ProcessMessageCount: number, RunCount: number, ExitStatus: { value: 0 } });
      return true;
    }, 'a report with all of it');
    clearInterval(timer);
    socket.close();
    await service.interrupt();
  });
});

describe.runIf(process.platform === 'linux')('the example', () => {
  const disk = existsSync('/sys/block') ? (readdirSync('/sys/block').find((name) => !/^(loop|ram|zram)/.test(name)) ?? '') : '';

  it('workstation.toml graphs what this machine does', async () => {
    await using service = start(join(EXAMPLES, 'workstation.toml'), { DISK: disk });
    // Its filters tick every ten seconds.
    await expect.poll(service.out, { timeout: 10_000 + 2 * patienceMs() }).toContain('"busy"');
    expect(await service.interrupt()).toBe(0);
    expect(service.err()).toBe('');
    const graph = (column: string): string =>
      /\n([\s\S]*)/.exec(service.out().slice(service.out().lastIndexOf(`"name":"${column}"`)))?.[1] ?? '';
    expect(graph('15MinAvg')).toMatch(/^\d[\d.]*\t\d[\d.]*\t\d[\d.]*\t\d+$/m);
    expect(graph('MemFree')).toMatch(/^\d+\t\d+\t/m);
    expect(graph('busy')).toMatch(/^\d+\t\d+\t\d+\t\d+$/m);
    if (disk !== '') expect(graph('TimeDoingIO')).toMatch(/^\d+\t\d+\t\d+\t\d+$/m);
  });

  it('statsd.toml graphs what is sent', async () => {
    const port = await freePort();
    const example = readFileSync(join(EXAMPLES, 'statsd.toml'), 'utf8');
    expect(example).toContain('127.0.0.1:8125');
    const here = example.replaceAll('ticker_interval = 10', 'ticker_interval = 1').replace('127.0.0.1:8125', `127.0.0.1:${port}`);
    await using service = start(fileOf('statsd-example.toml', here));
    const socket = createSocket('udp4');
    const send = (): void => socket.send('web.hits:2|c\nweb.hits:1|c|@0.5\nweb.rt:320|ms\nweb.rt:80|ms', port, '127.0.0.1');
    const knock = setInterval(() => socket.send('knock', port, '127.0.0.1'), 100);
    await expect.poll(service.err).toContain('such as "knock"');
    clearInterval(knock);
    for (let i = 0; i < 6; i++) {
      send();
      await delay(300);
    }
    socket.close();
    const hits = (): number => {
      const graph = service.out().slice(service.out().lastIndexOf('"name":"hits"'));
      return [...graph.matchAll(/^(\d+)\tnan$/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
    };
    await until(
      () => hits() === 24,
      () => `24 hits: ${service.out()}`,
    );
    expect(await service.interrupt()).toBe(0);
    expect(hits()).toBe(24);
    expect(service.out()).toMatch(/^200\t320$/m);
  });
});
