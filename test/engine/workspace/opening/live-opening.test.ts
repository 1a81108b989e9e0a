import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createSocket } from 'node:dgram';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandName, commandSection } from '../../../../engine/workspace/file/command-section.ts';
import { commandLine } from '../../../../engine/inputs/process/commands.ts';
import { sourceFacts } from '../../../../engine/workspace/sources/facts.ts';
import type { SourceInfo } from '../../../../engine/api/types.ts';
import { adviceToRead, watchPlan, type MachinePlaces } from '../../../../engine/workspace/file/workstation.ts';
import { parseConfig } from '../../../../engine/config/load.ts';
import type { PlainInputConfig } from '../../../../engine/config/schema/sections.ts';
import { startSandboxes } from '../../../../engine/plugins/starter.ts';
import { Engine } from '../engine-fixture.ts';
import { freePort } from '../../../ports.ts';
import { until } from '../../../until.ts';

const SAMPLE = resolve(import.meta.dirname, '../../../../resources/samples/access.log');
const slow = { interval: 50 };

/** The parts of a machine that can be watched, in a folder. */
function machine(files: Readonly<Record<string, string>>, more: Partial<MachinePlaces> = {}): MachinePlaces {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-machine-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text, { mode: path.endsWith('ctl') ? 0o755 : 0o644 });
  }
  const at = (name: string): string => join(folder, name);
  return { proc: at('proc'), blocks: at('block'), logs: at('log'), journalctl: at('journalctl'), platform: 'linux', ...more };
}

/** Does it with a user's rights: root may read everything. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

const STATISTICS = { 'proc/loadavg': '', 'proc/meminfo': '', 'proc/stat': '' };

describe('the plan to watch a machine', () => {
  const reasons = async (places: MachinePlaces): Promise<Record<string, string | null>> => {
    const { report } = await watchPlan(places);
    return Object.fromEntries(report.items.map(({ name, reason }) => [name, reason]));
  };

  it('has what is there', async () => {
    const places = machine({
      ...STATISTICS,
      'block/sda/stat': '',
      'block/nvme0n1/stat': '',
      'block/loop0/stat': '',
      'block/zram0/stat': '',
      'log/syslog': '',
    });
    const { sections, report } = await watchPlan(places);
    expect(report.items.map(({ name, reason }) => [name, reason])).toEqual([
      ...['Load', 'Memory', 'Processors', 'Disk nvme0n1', 'Disk sda', 'System log'].map((name) => [name, null]),
    ]);
    expect(Object.keys(sections)).toEqual([
      ...['workstation_load', 'workstation_load_graph', 'workstation_memory', 'workstation_memory_graph'],
      ...['workstation_processors', 'workstation_processors_use', 'workstation_processors_graph'],
      ...[
        'workstation_disk_nvme0n1',
        'workstation_disk_nvme0n1_graph',
        'workstation_disk_sda',
        'workstation_disk_sda_graph',
        'workstation_syslog',
      ],
    ]);
    const text = Object.entries(sections).map(([name, section]) => JSON.stringify({ [name]: section }));
    expect(text.join()).not.toContain('undefined');
  });

  it('says what is not there, and why', async () => {
    expect(await reasons(machine({ 'proc/loadavg': '', 'log/empty': '' }))).toEqual({
      Load: null,
      Memory: 'It is not there: the kernel or a container hides it.',
      Processors: 'It is not there: the kernel or a container hides it.',
      Disks: 'This machine shows no disk there.',
      Journal: 'There is no journal, or no program that reads it.',
    });
  });

  it('says what may not be read', async () => {
    const places = machine({ ...STATISTICS, 'log/auth.log': '' });
    chmodSync(join(places.logs, '..'), 0o755);
    chmodSync(join(places.logs, 'auth.log'), 0);
    expect((await asNobody(() => reasons(places))).Logins).toMatch(/^You may not read it\. /);
  });

  it.each<[string, Parameters<typeof adviceToRead>[0], string]>([
    ['its group', { mode: 0o100640, gid: 4 }, 'The group adm may: join it (sudo usermod -aG adm $USER) and log in again.'],
    ['root alone', { mode: 0o100600, gid: 0 }, 'Only its owner may, which is mostly root.'],
    ['its owner alone', { mode: 0o100600, gid: 4 }, 'Only its owner may, which is mostly root.'],
    ['a group without a name', { mode: 0o100640, gid: 77 }, 'Only its owner may, which is mostly root.'],
    ['nobody knows whom', null, 'Only its owner may, which is mostly root.'],
  ])('says what to do about a file that is for %s', (_title, file, advice) => {
    expect(adviceToRead(file, 'root:x:0:\nadm:x:4:syslog,me\n')).toBe(advice);
  });

  it.each<[string, string, string | null]>([
    ['entries', 'echo "{}"', null],
    ['none', 'echo "-- No entries --" >&2', 'It has no entries that you may read. journalctl says: -- No entries --'],
    ['a fault', 'echo "no access" >&2; exit 1', 'It cannot be read. journalctl says: no access'],
  ])('without log files looks into the journal, which has %s', async (_title, script, reason) => {
    const places = machine({ ...STATISTICS, journalctl: `#!/bin/sh\n${script}\n` });
    expect((await reasons(places)).Journal).toBe(reason);
  });

  it('does not look into the journal where there are files', async () => {
    expect(await reasons(machine({ ...STATISTICS, 'log/messages': '', 'log/secure': '' }))).toMatchObject({
      'System log': null,
      Logins: null,
    });
    expect(await reasons(machine({ ...STATISTICS, 'log/messages': '' }))).not.toHaveProperty('Journal');
  });

  it('on another system says that it needs Linux', async () => {
    const { sections, report } = await watchPlan(machine({}, { platform: 'darwin' }));
    expect(sections).toEqual({});
    expect(new Set(report.items.map(({ reason }) => reason))).toEqual(
      new Set(['Only Linux has the files of /proc and /sys that tell how a machine is.']),
    );
  });
});

describe('a typed command', () => {
  it.each<[string, string[], string]>([
    ['ping -c 3 localhost', [], 'command_ping'],
    ['/usr/bin/tail -f x', [], 'command_tail'],
    ['  LANG=C sudo dmesg -w', [], 'command_dmesg'],
    ['ping a', ['command_ping', 'command_ping_2'], 'command_ping_3'],
    ['$(which x) | y', [], 'command__which'],
    ['ä', [], 'command__'],
  ])('%s with %j taken is named %s', (line, taken, name) => expect(commandName(line, (other) => taken.includes(other))).toBe(name));

  it('is a section that runs by itself, too', () => {
    expect(commandSection("echo 'a' | cat", '/tmp')).toEqual({
      ...{ type: 'ProcessInput', ticker_interval: 0, splitter: 'line', stderr: true, can_exit: true },
      command: { 0: { bin: '/bin/sh', args: ['-c', "echo 'a' | cat"], directory: '/tmp' } },
    });
  });

  it.each<[{ bin: string; args: string[] }[], string]>([
    [[{ bin: '/bin/sh', args: ['-c', 'a | b "c"'] }], 'a | b "c"'],
    [
      [
        { bin: 'df', args: ['-P', '-k'] },
        { bin: 'tail', args: ['-n', '+2'] },
      ],
      'df -P -k | tail -n +2',
    ],
    [[{ bin: 'echo', args: ["it's", '', '$x'] }], String.raw`echo 'it'\''s' '' '$x'`],
  ])('is shown as it was typed: %j', (commands, line) => expect(commandLine(commands)).toBe(line));
});

it.each<[string, [string, string, string]]>([
  ['[x]\ntype = "FilePollingInput"\nfile_path = "/proc/uptime"', ['poll', 'uptime', '/proc/uptime']],
  ['[x]\ntype = "ProcessInput"\ncommand.0.bin = "df"', ['command', 'x', 'df']],
  ['[command_df]\ntype = "ProcessInput"\ncommand.0.bin = "df"', ['command', 'df', 'df']],
  ['[x]\ntype = "StatAccumInput"', ['stats', 'x', 'stats of x']],
  ['[x]\ntype = "StatsdInput"\n[StatAccumInput]', ['udp', 'statsd:8125', '127.0.0.1:8125']],
  ['[x]\ntype = "UdpInput"\naddress = ":514"', ['udp', 'udp:514', ':514']],
  ['[x]\ntype = "FileInput"\npaths = ["/a", "/b"]', ['file', 'x', '/a, /b']],
  ['[workstation_syslog]\ntype = "FileInput"\npaths = ["/var/log/syslog"]', ['file', 'syslog', '/var/log/syslog']],
])('%s is called %j', (text, [kind, label, location]) => {
  const [input] = parseConfig(text, 'w.toml').config.inputs;
  expect(sourceFacts(input as PlainInputConfig)).toEqual({ kind, label, location });
});

describe('live sources of a workspace', () => {
  let engine: Engine;
  beforeAll(() => {
    engine = new Engine(undefined, startSandboxes());
  });
  afterAll(() => engine.workspace.stop());

  const toml = (): string => readFileSync(join(engine.folder, 'workspace.toml'), 'utf8');
  const headers = (): string[] => [...toml().matchAll(/^\[(.*)\]$/gm)].map(([, name = '']) => name);
  const sources = async (): Promise<readonly SourceInfo[]> => (await engine.ask('engine.state', {})).sources;
  const run = async (command: string): Promise<number> => (await engine.ask('source.run', { command })).id;
  const state = async (id: number): Promise<SourceInfo['state'] | undefined> => (await engine.source(id))?.state;
  const texts = async (id: number): Promise<string[]> => (await engine.rows({ sources: [id] })).rows.map(({ text }) => text);

  it.runIf(process.platform === 'linux')('watch this machine with one request, and draw it', async () => {
    const { items } = await engine.ask('workstation.watch', {});
    expect(items.find(({ name }) => name === 'Load')).toEqual({ name: 'Load', place: '/proc/loadavg', reason: null });
    const titles = async (): Promise<string[]> => (await engine.ask('graph.list', {})).map(({ title }) => title).sort();
    await expect.poll(titles, slow).toEqual(expect.arrayContaining(['LoadAvg Stats', 'Memory Stats', 'Processors']));
    await until(async () => {
      for (const { rowMs, columns } of await engine.ask('graph.list', {})) {
        expect(rowMs).toBe(2000);
        expect(columns.some(({ values }) => values.some((value) => !Number.isNaN(value)))).toBe(true);
      }
      return true;
    }, 'something in each graph');
    const [source] = (await sources()).filter(({ kind }) => kind === 'workstation');
    expect(source).toMatchObject({ label: 'This workstation', state: 'listening', problem: null, failures: 0 });
    expect(source?.location).toContain('/proc/loadavg, /proc/meminfo, /proc/stat');
    const { plugins } = await engine.ask('engine.state', {});
    expect(
      plugins.filter(({ kind, source: of }) => kind === 'decoder' && of === source?.id).map(({ script }) => script.replace(/.*\//, '')),
    ).toEqual(expect.arrayContaining(['linux_loadavg.ts', 'linux_memstats.ts', 'linux_procstat.ts']));
    // A second click changes nothing.
    const before = toml();
    await engine.ask('workstation.watch', {});
    expect(toml()).toBe(before);
    expect((await sources()).filter(({ kind }) => kind === 'workstation')).toHaveLength(1);
  });

  it.runIf(process.platform === 'linux')('stop to watch, go on, and forget it', async () => {
    const [source] = (await sources()).filter(({ kind }) => kind === 'workstation');
    const id = source?.id ?? -1;
    await engine.ask('source.pause', { id });
    expect(await state(id)).toBe('paused');
    const count = async (): Promise<number> => (await engine.source(id))?.records ?? 0;
    let records = 0;
    // Records that were read are processed, and no others.
    await until(async () => {
      records = await count();
      await new Promise((done) => setTimeout(done, 2300));
      return (await count()) === records;
    }, 'no further records');
    await engine.ask('source.resume', { id });
    expect(await state(id)).toBe('listening');
    await expect.poll(async () => (await engine.source(id))?.records, slow).toBeGreaterThan(records);
    expect(headers()).toContain('workstation_load');
    await engine.ask('source.close', { id });
    await expect.poll(headers, slow).not.toContain('workstation_load');
    expect(headers().filter((name) => /^workstation_.*(graph|use)$|^workstation_(load|memory|processors|disk)/.test(name))).toEqual([]);
    expect(headers()).toContain('http_status');
  });

  it.runIf(process.platform === 'linux')('say that they listen when they do, and not before', async () => {
    const port = await freePort();
    const bound = (): boolean => readFileSync('/proc/net/udp', 'utf8').includes(`0100007F:${port.toString(16).toUpperCase()}`);
    const asked = engine.ask('source.listen', { protocol: 'udp', host: '127.0.0.1', port });
    // Looks in each turn of the event loop, as someone does who waits for it.
    while (!(await sources()).some(({ kind, state }) => kind === 'udp' && state === 'listening')) await nextTurn();
    expect(bound()).toBe(true);
    const { id } = await asked;
    await engine.ask('source.close', { id });
  });

  it.runIf(process.platform === 'linux')('count and tell the datagrams that they lost', async () => {
    const port = await freePort();
    const { id } = await engine.ask('source.listen', { protocol: 'udp', host: '127.0.0.1', port });
    const socket = createSocket('udp4');
    await new Promise<void>((done) => socket.connect(port, '127.0.0.1', done));
    const count = 3000;
    // Without a pause, more than the system's buffer holds.
    await Promise.all(Array.from({ length: count }, (_, i) => new Promise((done) => socket.send(`${i} ${'x'.repeat(8000)}`, done))));
    socket.close();
    const lost = async (): Promise<number> => (await engine.source(id))?.dropped ?? 0;
    await until(async () => ((await engine.source(id))?.records ?? 0) + (await lost()) === count, 'all to be shown or counted');
    const told = async (): Promise<number> =>
      (await engine.ask('notice.list', {}))
        .flatMap(({ code, text }) => (code === 'datagrams.dropped' ? [Number(/lost (\d+) datagrams/.exec(text)?.[1])] : []))
        .reduce((sum, datagrams) => sum + datagrams, 0);
    const { dropped } = await engine.ask('engine.state', {});
    expect(dropped).toBe(await lost());
    await engine.ask('source.close', { id });
    expect(await told()).toBe(dropped);
  });

  it('show what a command writes, decoded by what fits', async () => {
    const id = await run(`head -n 30 ${SAMPLE}; sleep 0.6; echo oops >&2; head -n 31 ${SAMPLE} | tail -n 1; exit 3`);
    await expect.poll(() => state(id), slow).toBe('ended');
    await expect.poll(async () => (await engine.source(id))?.records, slow).toBe(32);
    const source = await engine.source(id);
    expect(source).toMatchObject({ kind: 'command', failures: 1, decoder: { name: 'nginx_access', by: 'detected' } });
    expect(source?.end).toMatchObject({ status: 3, signal: null });
    expect(source?.problem).toBeNull();
    const { text } = (await engine.ask('notice.list', {})).find(({ code }) => code === 'source.ended') ?? {};
    expect(text).toMatch(/^head -n 30 .*… ended with exit status 3: oops$/);
    expect(await texts(id)).toContain('oops');
    const { rows } = await engine.rows({ sources: [id] }, ['Fields[status]']);
    expect(rows[0]?.values).toEqual(['200']);
    expect(toml()).toMatch(
      /^\[command_head\]\ntype = "ProcessInput"\nticker_interval = 0\nsplitter = "line"\nstderr = true\ncan_exit = true\n\n\[command_head\.command\]\n\n\[command_head\.command\.0\]\nbin = "\/bin\/sh"\n/m,
    );
    await engine.ask('source.close', { id });
    await expect.poll(headers, slow).not.toContain('command_head');
  });

  it('recognise a command by what it writes, not by the errors before it', async () => {
    const id = await run(`echo 'tail: cannot open it' >&2; sleep 1; head -n 30 ${SAMPLE}; sleep 60`);
    // It is shown at once, however long the log is not there.
    await expect.poll(() => texts(id), slow).toEqual(['tail: cannot open it']);
    expect((await engine.source(id))?.records).toBe(1);
    await expect.poll(async () => (await engine.source(id))?.records, slow).toBe(31);
    expect(await engine.source(id)).toMatchObject({ failures: 0, decoder: { name: 'nginx_access', by: 'detected' } });
    await engine.ask('source.close', { id });
  });

  it('show a command as it is when nothing decodes it; stop it and run it again', async () => {
    const id = await run('echo just some words; sleep 60');
    await expect.poll(() => texts(id), slow).toEqual(['just some words']);
    expect((await engine.source(id))?.decoder).toBeNull();
    await engine.ask('source.pause', { id });
    expect(await state(id)).toBe('paused');
    await engine.ask('source.resume', { id });
    await expect.poll(() => texts(id), slow).toEqual(['just some words', 'just some words']);
    // The same line again is the same source.
    expect(await run(' echo just some words; sleep 60 ')).toBe(id);
    expect(await texts(id)).toHaveLength(2);
    await engine.ask('source.close', { id });
  });

  it('run a command that has ended again', async () => {
    const id = await run('echo once');
    await expect.poll(() => state(id), slow).toBe('ended');
    expect((await engine.source(id))?.end).toMatchObject({ status: 0 });
    await engine.ask('source.resume', { id });
    await expect.poll(() => texts(id), slow).toEqual(['once', 'once']);
    await expect.poll(() => state(id), slow).toBe('ended');
    await engine.ask('source.close', { id });
  });

  it('are counted by filters whose ticks are far apart', async () => {
    const id = await run(`head -n 40 ${SAMPLE}; sleep 60`);
    const titles = async (): Promise<string[]> =>
      (await engine.ask('graph.list', {})).filter(({ source }) => source === id).map(({ title }) => title);
    const variables = async (): Promise<string[]> =>
      (await engine.ask('items.list', {})).filter(({ source }) => source === id).map(({ variable }) => variable);
    await expect.poll(titles, slow).toContain('HTTP Status');
    await expect.poll(variables, slow).toContain('Fields[request]');
    await engine.ask('source.close', { id });
  });

  it('exchange the decoder of a command while it runs', async () => {
    const id = await run('i=0; while echo "a=1 b=$i"; do i=$((i + 1)); sleep 0.3; done');
    await expect.poll(async () => (await texts(id)).length, slow).toBeGreaterThan(0);
    await engine.ask('source.decoder', { id, decoder: 'key_value', config: {} });
    await expect
      .poll(async () => (await engine.rows({ sources: [id] }, ['Fields[b]'])).rows.map(({ values }) => values[0]), slow)
      .toContainEqual(expect.stringMatching(/^[1-9]/));
    // It is the same run: it counts on.
    expect((await texts(id)).filter((text) => text.includes('b=0'))).toHaveLength(1);
    expect((await engine.source(id))?.decoder).toMatchObject({ name: 'key_value', by: 'user' });
    await engine.ask('source.close', { id });
  });

  it('do not stop files', async () => {
    const id = await engine.open(SAMPLE);
    await engine.settled(id);
    await engine.ask('source.pause', { id });
    expect(await state(id)).toBe('following');
    await engine.ask('source.close', { id });
  });

  it('are opened, changed and closed as the workspace file says', async () => {
    const polled = join(engine.folder, 'polled.txt');
    writeFileSync(polled, '0.20 0.18 0.12 1/80 11206\n');
    const port = 30_000 + (process.pid % 20_000);
    // The files of the tests before were closed: the engine takes them out of the file.
    await expect.poll(headers, slow).not.toContainEqual(expect.stringContaining('file:'));
    const before = toml();
    const more = [
      `[uptime]\ntype = "FilePollingInput"\nfile_path = "${polled}"\nticker_interval = 1\ndecoder = "linux_loadavg"\n`,
      `[statsd]\ntype = "StatsdInput"\naddress = "127.0.0.1:${port}"\nstat_accum_name = "counts"\n`,
      `[counts]\ntype = "StatAccumInput"\nticker_interval = 1\nemit_in_fields = true\n`,
      `[date]\ntype = "ProcessInput"\nticker_interval = 1\nimmediate_start = true\n[date.command.0]\nbin = "date"\n`,
    ];
    writeFileSync(join(engine.folder, 'workspace.toml'), before + more.join('\n'));
    const found = async (label: string): Promise<SourceInfo | undefined> => (await sources()).find((source) => source.label === label);
    await expect.poll(async () => (await found('polled.txt'))?.records, slow).toBeGreaterThan(0);
    await expect.poll(async () => (await found('date'))?.records, slow).toBeGreaterThan(1);
    expect(await found('date')).toMatchObject({ state: 'listening' });
    const socket = createSocket('udp4');
    const timer = setInterval(() => socket.send('hits:1|c', port, '127.0.0.1'), 100);
    await expect.poll(async () => (await found(`statsd:${port}`))?.bytes, slow).toBeGreaterThan(0);
    const counts = (await found('counts'))?.id ?? -1;
    const hits = async (): Promise<(string | null | undefined)[]> =>
      (await engine.rows({ sources: [counts] }, ['Fields[stats.counters.hits.count]'])).rows.map(({ values }) => values[0]);
    await expect.poll(async () => (await hits()).some((count) => Number(count) > 0), slow).toBe(true);
    clearInterval(timer);
    socket.close();
    writeFileSync(join(engine.folder, 'workspace.toml'), before);
    await expect.poll(async () => (await sources()).map(({ label }) => label), slow).not.toContain('counts');
    expect((await sources()).map(({ kind }) => kind)).not.toContain('poll');
  });

  it('that cannot be read again say so, and no more when they can', async () => {
    const path = join(engine.folder, 'gone.txt');
    const before = toml();
    writeFileSync(
      join(engine.folder, 'workspace.toml'),
      `${before}\n[gone]\ntype = "FilePollingInput"\nfile_path = "${path}"\nticker_interval = 1\n`,
    );
    const problem = async (): Promise<string | null | undefined> => (await sources()).find(({ label }) => label === 'gone.txt')?.problem;
    await expect.poll(problem, slow).toBe(`${path} does not exist. Check the name and the folder.`);
    writeFileSync(path, 'x');
    await expect.poll(problem, slow).toBeNull();
    writeFileSync(join(engine.folder, 'workspace.toml'), before);
  });
});
