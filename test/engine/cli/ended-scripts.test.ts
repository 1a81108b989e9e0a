/** Decoders, encoders and outputs whose scripts end: nothing that was not written counts as done. */
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sluicebox } from './run-cli.ts';
import { startCommand } from './start-command.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'sluicebox-ended-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);
const put = (name: string, text: string): void => writeFileSync(at(name), text);
const run = () => sluicebox(['run', at('p.toml'), '--until-idle']);
const numbered = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, i) => `L${from + i}`);
const linesOf = (name: string): string[] => (existsSync(at(name)) ? readFileSync(at(name), 'utf8').split('\n').slice(0, -1) : []);

const service = (): string => `[svcd]\nlog_flags = 0\nbase_dir = ${JSON.stringify(at('base'))}\n`;
const input = (more = ''): string => `[in]\ntype = "FileInput"\npaths = [${JSON.stringify(at('a.log'))}]\n${more}\n`;
const ends = (): string =>
  `[ends]\ntype = "FileOutput"\npath = ${JSON.stringify(at('ends.jsonl'))}\nmessage_matcher = "Type =~ /terminated$/"\nencoder = "json"\n`;
const told = (): Record<string, unknown>[] => linesOf('ends.jsonl').map((line) => JSON.parse(line) as Record<string, unknown>);
const sandboxEnd = (plugin: string, reason: RegExp, instance = plugin) => ({
  Type: 'svc.sandbox-terminated',
  Logger: 'svcd',
  Payload: expect.stringMatching(new RegExp(`^${instance.replaceAll(/[()]/g, '\\$&')}: .*${reason.source}`)) as string,
  Fields: [{ name: 'plugin', value: [plugin] }],
});

const LINE = `function process_message() {
  const text = read_message('Payload');
  if (text === 'L50') throw new Error('fifty');
  inject_payload('txt', '', text + '\\n');
  return 0;
}`;
const MENDED = LINE.replace(/ {2}if.*\n/, '');
const encoder = '[line]\ntype = "SandboxEncoder"\nfilename = "line.js"\n';
const fileOutput = (more: string): string =>
  `[out]\ntype = "FileOutput"\npath = ${JSON.stringify(at('out.log'))}\nmessage_matcher = "Type == 'logfile'"\nencoder = "line"\n${more}\n`;

describe('an encoder that ends', () => {
  beforeEach(() => {
    put('a.log', `${numbered(1, 100).join('\n')}\n`);
    put('line.js', LINE);
  });

  it('stops a service whose output must not end, and the rest is written when it is mended', async () => {
    put('p.toml', service() + input() + encoder + fileOutput('use_buffering = true') + ends());
    const first = await run();
    expect(first.code).toBe(1);
    expect(first.err).toMatch(/\[out\] has ended: its encoder has ended: .*fifty/);
    expect(first.err).toMatch(/\[out\] has ended, and its can_exit is false/);
    expect(linesOf('out.log')).toEqual(numbered(1, 49));
    expect(told()).toMatchObject([sandboxEnd('line', /fifty/, 'out-line')]);
    put('line.js', MENDED);
    expect(await run()).toMatchObject({ code: 0 });
    expect(linesOf('out.log')).toEqual(numbered(1, 100));
  });

  it('ends a buffered output that may end, whose buffer keeps the rest', async () => {
    put('p.toml', service() + input() + encoder + fileOutput('use_buffering = true\ncan_exit = true') + ends());
    expect(await run()).toMatchObject({ code: 1 });
    expect(linesOf('out.log')).toEqual(numbered(1, 49));
    expect(told()).toMatchObject([
      sandboxEnd('line', /fifty/, 'out-line'),
      {
        Type: 'svc.terminated',
        Payload: expect.stringMatching(/^out \(type FileOutput\) terminated. Error: its encoder has ended/) as string,
      },
    ]);
    put('line.js', MENDED);
    expect(await run()).toMatchObject({ code: 0 });
    expect(linesOf('out.log')).toEqual(numbered(1, 100));
  });

  it('lets the input of an output without a buffer read again what was not written', async () => {
    put('p.toml', service() + input() + encoder + fileOutput(''));
    const first = await run();
    expect(first.code).toBe(1);
    expect(first.err).not.toMatch(/input.failed|\[in\] has ended/);
    expect(linesOf('out.log')).toEqual(numbered(1, 49));
    put('line.js', MENDED);
    expect(await run()).toMatchObject({ code: 0 });
    expect(new Set(linesOf('out.log'))).toEqual(new Set(numbered(1, 100)));
    expect(linesOf('out.log').slice(-51)).toEqual(numbered(50, 100));
  });

  it('has what an output without a buffer drops counted, when that may end', async () => {
    put('p.toml', service() + input() + encoder + fileOutput('can_exit = true') + ends());
    const { code, err } = await run();
    expect(code).toBe(1);
    expect(linesOf('out.log')).toEqual(numbered(1, 49));
    expect(err).toMatch(/\[out\] 51 messages that waited for it were dropped/);
    expect(told()).toHaveLength(2);
  });
});

describe.each(['use_buffering = true', 'can_exit = false', 'use_buffering = true\ncan_exit = false'])(
  'a script output that ends, with %s',
  (more) => {
    it('has what it did not process again at the next start', async () => {
      put('a.log', `${numbered(1, 100).join('\n')}\n`);
      put('out.js', LINE.replace("inject_payload('txt', '', text + '\\n')", "write_output(text + '\\n')"));
      const target = `[out.target]\ntype = "FileOutput"\npath = ${JSON.stringify(at('out.log'))}\n`;
      const output = `[out]\ntype = "SandboxOutput"\nfilename = "out.js"\nmessage_matcher = "Type == 'logfile'"\n${more}\n${target}`;
      put('p.toml', service() + input() + output + ends());
      expect(await run()).toMatchObject({ code: 1 });
      expect(linesOf('out.log')).toEqual(numbered(1, 49));
      expect(told()).toMatchObject([sandboxEnd('out', /fifty/)]);
      put('out.js', readFileSync(at('out.js'), 'utf8').replace(/ {2}if.*\n/, ''));
      expect(await run()).toMatchObject({ code: 0 });
      expect(new Set(linesOf('out.log'))).toEqual(new Set(numbered(1, 100)));
      if (more.includes('buffering')) expect(linesOf('out.log')).toHaveLength(100);
    });
  },
);

describe('a decoder that ends', () => {
  const DECODER = `function process_message() {
  const text = read_message('Payload');
  if (text === 'L50') throw new Error('fifty');
  if (text === 'L7') return -1;
  inject_message({ Type: 'decoded', Payload: text });
  return 0;
}`;
  const decoder = '[d]\ntype = "SandboxDecoder"\nfilename = "d.js"\n';
  const all = (): string =>
    `[out]\ntype = "FileOutput"\npath = ${JSON.stringify(at('out.jsonl'))}\nmessage_matcher = "Type !~ /^svc/"\nencoder = "json"\n`;

  it.each([100, 20_000])('passes the rest on raw and marked, each of %d records once', async (count) => {
    put('a.log', `${numbered(1, count).join('\n')}\n`);
    put('d.js', DECODER);
    put('p.toml', service() + input('decoder = "d"') + decoder + all() + ends());
    const { code, err } = await run();
    expect(code).toBe(1);
    expect(err).toMatch(/error: \[in\] its decoder has ended, and records pass as they are: .*fifty/);
    expect(err).toContain(`[in] ${count - 49} records passed as they are, for its decoder had ended`);
    expect(err.match(/warning/g)).toHaveLength(2);
    const written = linesOf('out.jsonl').map((line) => JSON.parse(line) as { Payload: string; Fields?: { name: string }[] });
    expect(written.map(({ Payload }) => Payload)).toEqual(numbered(1, count).filter((text) => text !== 'L7'));
    const marks = written.map(({ Fields = [] }) => Fields.map(({ name }) => name).join());
    expect(marks.slice(0, 48)).toEqual(Array.from({ length: 48 }, () => ''));
    expect(new Set(marks.slice(48))).toEqual(new Set(['decode_failure,decode_error']));
    expect(told()).toMatchObject([sandboxEnd('d', /fifty/, 'd (in)')]);
  });
});

describe('an input that ends', () => {
  it.each<[how: string, end: string, reason: RegExp, more: string]>([
    ['by an error', "throw new Error('dry');", /dry/, ''],
    ['by its status', "return [1, 'enough'];", /enough/, ''],
    ['by its status, and is to be called again', "return [1, 'enough'];", /enough/, 'ticker_interval = 1'],
  ])('%s, is told as a sandbox that was terminated, and not all is read', async (_how, end, reason, more) => {
    put('in.js', `function process_message() { inject_message({ Payload: 'a' }); ${end} }`);
    put('p.toml', `${service()}[src]\ntype = "SandboxInput"\nfilename = "in.js"\n${more}\n${ends()}`);
    expect(await run()).toMatchObject({ code: 1 });
    expect(told()).toMatchObject([sandboxEnd('src', reason)]);
  });

  it('after its only call has read all', async () => {
    put('in.js', "function process_message() { inject_message({ Payload: 'a' }); return [-1, 'refused']; }");
    put('p.toml', `${service()}[src]\ntype = "SandboxInput"\nfilename = "in.js"\n${ends()}`);
    expect(await run()).toMatchObject({ code: 0 });
    expect(told()).toEqual([]);
  });

  it('because its port is taken has read nothing', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const tcp = `[tcp]\ntype = "TcpInput"\naddress = "127.0.0.1:${port}"\ncan_exit = true\n[tcp.retries]\nmax_retries = 0\n`;
    put('a.log', 'a\n');
    put('p.toml', service() + input() + tcp + ends());
    expect(await run()).toMatchObject({ code: 1, err: expect.stringContaining('[tcp]') as string });
    server.close();
  });
});

describe('a filter that ends', () => {
  it.each([
    ['by an error', "throw new Error('fifty');"],
    ['by its status', "return [1, 'fifty'];"],
  ])('%s, has not seen all', async (_how, end) => {
    put('a.log', `${numbered(1, 100).join('\n')}\n`);
    put('f.js', `function process_message() { if (read_message('Payload') === 'L50') ${end} return 0; }`);
    const filter = '[f]\ntype = "SandboxFilter"\nfilename = "f.js"\nmessage_matcher = "Type == \'logfile\'"\n';
    put('p.toml', service() + input() + filter + ends());
    expect(await run()).toMatchObject({ code: 1 });
    expect(told()).toMatchObject([sandboxEnd('f', /fifty/)]);
  });
});

describe('a script output that gathers messages behind a disk buffer', () => {
  it('has all of them written after a kill', async () => {
    await sluicebox(['new', 'output', 'sender', '--in', folder]);
    put('a.log', `${numbered(1, 1101).join('\n')}\n`);
    const output = '[out]\ntype = "SandboxOutput"\nfilename = "sender.ts"\nmessage_matcher = "Type == \'logfile\'"\nuse_buffering = true\n';
    const target = `[out.target]\ntype = "FileOutput"\npath = ${JSON.stringify(at('out.log'))}\n`;
    put('p.toml', service() + input() + output + target);
    {
      await using _service = startCommand(['run', at('p.toml')]);
      await expect.poll(() => linesOf('out.log').length).toBe(1100);
    }
    // Messages that it gathers stay in the buffer, also when the service ends in order.
    expect(await run()).toMatchObject({ code: 0 });
    // Unless the kill came before it was noted what is delivered: what comes again fills the last portion.
    expect([1100, 1101]).toContain(new Set(linesOf('out.log')).size);
    put('p.toml', `${service()}${input()}${output}timer_event_on_shutdown = true\n${target}`);
    expect(await run()).toMatchObject({ code: 0, err: '' });
    const lines = linesOf('out.log').map((line) => line.replace('logfile: ', ''));
    expect(new Set(lines)).toEqual(new Set(numbered(1, 1101)));
    const before = lines.length;
    expect(await run()).toMatchObject({ code: 0, err: '' });
    expect(linesOf('out.log')).toHaveLength(before);
  });
});
