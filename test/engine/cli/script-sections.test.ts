import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { childrenOf } from '../../processes.ts';
import { sluicebox } from './run-cli.ts';
import { startCommand } from './start-command.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluicebox-scripts-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);
const put = (name: string, text: string): Promise<void> => writeFile(at(name), text);
const run = (...args: string[]) => sluicebox(['run', at('p.toml'), ...args], '', { SLUICEBOX_DATA: at('data') });

const COUNTER = `var n = 0;
function process_message() { for (let i = 0; i < 3; i++) inject_message({ Type: 'n', Payload: String(++n) }); return 0; }`;
const LOG = `[out]\ntype = "LogOutput"\nencoder = "json"\nmessage_matcher = "Type =~ /^(n|svc.sandbox-terminated)$/"\n`;
const input = (more = ''): string => `[in]\ntype = "SandboxInput"\nfilename = "in.js"\n${more}`;
const numbers = (lines: readonly Record<string, unknown>[]): unknown[] => lines.map(({ Payload }) => Payload);

describe('a script as an input', () => {
  it('runs once, and goes on from its state at the next start', async () => {
    await put('in.js', COUNTER);
    await put('p.toml', `[svcd]\nlog_flags = 0\n${input('preserve_data = true\n')}${LOG}`);
    const first = await run('--until-idle');
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(numbers(first.lines())).toEqual(['1', '2', '3']);
    expect(numbers((await run('--until-idle')).lines())).toEqual(['4', '5', '6']);
  });

  it.each([
    ['false', 1, /error: \[in\] has ended: .*broken.*\nsluicebox: \[in\] has ended, and its can_exit is false\n$/],
    ['true', 1, /error: \[in\] has ended: .*broken.*\n$/],
  ])('that fails, with can_exit = %s', async (canExit, code, said) => {
    await put('in.js', `function process_message() { inject_message({ Type: 'n', Payload: '1' }); throw new Error('broken'); }`);
    await put('p.toml', `[svcd]\nlog_flags = 0\n${input(`can_exit = ${canExit}\n`)}${LOG}`);
    const result = await run('--until-idle');
    expect(result.err).toMatch(said);
    expect(result.code).toBe(code);
    expect(numbers(result.lines())).toEqual(['1', expect.stringMatching(/^in: process_message\(\) in\.js:1:\d+: Error: broken$/)]);
  });

  it('has its times moved by time_offset', async () => {
    await put('in.js', `function process_message() { inject_message({ Timestamp: 1e18, Type: 'n' }); return 0; }`);
    await put('p.toml', `[svcd]\nlog_flags = 0\n${input('time_offset = -7200\n')}${LOG}`);
    expect((await run('--until-idle')).lines()).toMatchObject([{ Timestamp: '999992800000000000' }]);
  });

  it('is called at its ticks, reports on itself, and goes on after its host was killed', async () => {
    await put('in.js', COUNTER);
    const out = at('out.jsonl');
    await put(
      'p.toml',
      `${input('ticker_interval = 1\n')}[out]\ntype = "FileOutput"\npath = ${JSON.stringify(out)}\nmessage_matcher = "TRUE"\n`,
    );
    await using service = startCommand(['run', at('p.toml'), '--report-interval', '1'], { env: { SLUICEBOX_DATA: at('data') } });
    const written = (): { Type?: string; Payload: string }[] =>
      !existsSync(out)
        ? []
        : readFileSync(out, 'utf8')
            .split('\n')
            .slice(0, -1)
            .map((line) => JSON.parse(line) as { Type?: string; Payload: string });
    const seen = (): string[] => numbers(written().filter(({ Type }) => Type === 'n')) as string[];
    await expect.poll(() => seen().length).toBeGreaterThanOrEqual(6);
    const report = (): string | undefined => written().findLast(({ Type }) => Type === 'svc.all-report')?.Payload;
    await expect.poll(report).toBeDefined();
    const { inputs } = JSON.parse(report() ?? '') as { inputs: Record<string, { value: number; representation: string }>[] };
    expect(Object.keys(inputs[0] ?? {}).sort()).toEqual(
      [
        ...['Name', 'Memory', 'MaxMemory', 'MaxInstructions', 'MaxOutput'],
        ...['ProcessMessageCount', 'ProcessMessageFailures', 'ProcessMessageBytes'],
        ...['UnreadBytes', 'AcknowledgedMessageCount', 'OpenBatchCount', 'DropMessageCount'],
      ].sort(),
    );
    expect(inputs[0]?.ProcessMessageBytes).toMatchObject({ representation: 'B' });
    for (const { pid } of childrenOf(service.child.pid as number)) process.kill(pid, 'SIGKILL');
    const before = seen().length;
    await expect.poll(() => seen().length).toBeGreaterThanOrEqual(before + 6);
    // Messages that were injected before the state was kept may come again; none is left out.
    expect(new Set(seen())).toEqual(new Set(Array.from({ length: new Set(seen()).size }, (_, i) => `${i + 1}`)));
    service.child.kill('SIGTERM');
    await service.ended;
  });
});

it('what other inputs and outputs have is taken and of no effect', async () => {
  await put('in.js', COUNTER);
  await put('to.js', 'function process_message() { return 0; }');
  const ignored = 'decoder = "absent"\nsplitter = "TokenSplitter"\nsynchronous_decode = true\nsend_decode_failures = true\n';
  const sink = `[to]\ntype = "SandboxOutput"\nfilename = "to.js"\nmessage_matcher = "TRUE"\nencoder = "absent"\nuse_framing = true\n`;
  await put('p.toml', `${input(ignored)}${LOG}${sink}`);
  const result = await run('--until-idle');
  expect(result).toMatchObject({ code: 0, err: '' });
  expect(numbers(result.lines())).toEqual(['1', '2', '3']);
});

describe('a script as an output', () => {
  const SOURCE = `[lines]\ntype = "FileInput"\npaths = ["LOG"]\nstart = "begin"\n`;
  const sections = (more: string): string =>
    `[svcd]\nlog_flags = 0\n${SOURCE.replace('LOG', at('a.log'))}[to]\ntype = "SandboxOutput"\nfilename = "to.js"\nmessage_matcher = "Type == 'logfile'"\n${more}${LOG}`;

  it('gets each message and its ticks, and keeps its state', async () => {
    await put('a.log', 'one\ntwo\nbad\n');
    const script = `var seen = [];
function process_message() { const p = read_message('Payload'); seen.push(p); return p === 'bad' ? [-1, 'refused ' + seen.join()] : 0; }
function timer_event() { seen.push('tick'); }`;
    await put('to.js', script);
    await put('p.toml', sections('preserve_data = true\ntimer_event_on_shutdown = true\n'));
    expect(await run('--until-idle')).toMatchObject({ code: 0, out: '', err: 'sluicebox: warning: [to] refused one,two,bad (1)\n' });
    expect((await run('--until-idle')).err).toBe('sluicebox: warning: [to] refused one,two,bad,tick,one,two,bad (1)\n');
  });

  it.each([
    ['true', 1],
    ['false', 1],
  ])('that ends, with can_exit = %s', async (canExit, code) => {
    await put('a.log', 'one\ntwo\n');
    await put('to.js', `function process_message() { return [1, 'enough']; }`);
    await put('p.toml', sections(`can_exit = ${canExit}\n`));
    const result = await run('--until-idle');
    expect(result).toMatchObject({ code, err: expect.stringMatching(/^sluicebox: error: \[to\] was terminated: enough\n/) as string });
    expect(numbers(result.lines())).toEqual(['to: enough']);
  });
});
