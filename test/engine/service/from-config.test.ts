import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseConfig } from '../../../engine/config/load.ts';
import { pipelineFromConfig, type ConfiguredPipeline } from '../../../engine/service/from-config.ts';
import type { SandboxSpec } from '../../../engine/sandbox/contract/types.ts';
import { FakeSandbox, message } from '../pipeline/fakes.ts';

let folder: string;
let log: string;
let pipeline: ConfiguredPipeline | null = null;
let stdout: PassThrough;
let printed = '';
let refuses: (spec: SandboxSpec) => boolean;
/** Instances of filters in the order of their starts; each marks what it saw with its name and number. */
let started: FakeSandbox[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluicebox-reload-'));
  log = join(folder, 'a.log');
  await writeFile(log, '');
  printed = '';
  started = [];
  refuses = () => false;
  stdout = new PassThrough();
  stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
});

afterEach(async () => {
  await pipeline?.stop();
  pipeline = null;
  await rm(folder, { recursive: true, force: true });
});

const input = (decoder = ''): string => `[in]\ntype = "FileInput"\npaths = [${JSON.stringify(log)}]\n${decoder}\n`;
const output = `[out]\ntype = "LogOutput"\nencoder = "json"\nmessage_matcher = "Type =~ /^seen/ || Type == 'svc.terminated'"\n`;
const filter = (name: string, matcher = "Type == 'logfile'", more = ''): string =>
  `[${name}]\ntype = "SandboxFilter"\nplugin = "http_status"\nmessage_matcher = "${matcher}"\n${more}\n`;

const configOf = (...sections: string[]) => {
  const { config, problems } = parseConfig(sections.join('\n'), join(folder, 'p.toml'));
  expect(problems).toEqual([]);
  return config;
};

async function run(...sections: string[]): Promise<ConfiguredPipeline> {
  const start = async (spec: SandboxSpec): Promise<FakeSandbox> => {
    if (refuses(spec)) throw new Error(`${spec.name} does not load`);
    const number = started.length;
    const sandbox = new FakeSandbox(spec, {
      process: ({ payload }) => [message(`${spec.name}${number}:${payload}`, 1, { type: 'seen' })],
    });
    started.push(sandbox);
    return sandbox;
  };
  const built = await pipelineFromConfig(configOf(...sections), {
    starter: { start, startInput: () => expect.fail('there is no input that is a script') },
    stdout,
    dataFolder: folder,
    tell: (event) => event.kind === 'fatal' && expect.fail(event.text),
  });
  pipeline = built;
  await built.start();
  return built;
}

const seen = (): string[] => [...printed.matchAll(/"Type":"seen"[^\n]*"Payload":"([^"]*)"/g)].map(([, payload = '']) => payload);
const write = (...lines: string[]): Promise<void> => appendFile(log, lines.map((line) => `${line}\n`).join(''));

describe('an edited configuration', () => {
  it('starts, replaces and stops filters while the others go on', async () => {
    const service = await run(input(), output, filter('a'));
    await write('1');
    await expect.poll(seen).toEqual(['a0:1']);
    expect(await service.reload(configOf(input(), output, filter('a'), filter('b')))).toEqual({ applied: ['[b] started'], pending: [] });
    await write('2');
    await expect.poll(seen).toHaveLength(3);
    expect(seen().slice(1).sort()).toEqual(['a0:2', 'b2:2']);
    const changed = configOf(input(), output, filter('a', 'FALSE'), filter('b'));
    expect(await service.reload(changed)).toEqual({ applied: ['[a] replaced'], pending: [] });
    expect(started[0]?.state).toBe('stopped');
    await write('3');
    await expect.poll(seen).toHaveLength(4);
    expect(seen()[3]).toBe('b2:3');
    expect(await service.reload(configOf(input(), output, filter('a', 'FALSE')))).toEqual({ applied: ['[b] stopped'], pending: [] });
    expect(started[2]?.state).toBe('stopped');
    await expect
      .poll(() => printed)
      .toContain('"Payload":"b (type SandboxFilter) terminated. Error: the filter was taken out of the configuration"');
    expect(await service.reload(configOf(`# moved\n\n${filter('a', 'FALSE')}`, input(), output))).toEqual({ applied: [], pending: [] });
  });

  it('changes nothing when a filter does not load', async () => {
    const service = await run(input(), output, filter('a'));
    refuses = ({ name }) => name === 'c';
    const broken = configOf(input(), output, filter('b'), filter('c'));
    await expect(service.reload(broken)).rejects.toThrow(/p\.toml:\d+: \[c\] c does not load/);
    await write('1');
    await expect.poll(seen).toEqual(['a0:1']);
  });

  it('brings back what was there when a filter does not start with the state of the one before', async () => {
    const keeps = 'preserve_data = true';
    const service = await run(input(), output, filter('a', "Type == 'logfile'", keeps), filter('b'));
    const edited = configOf(input(), output, filter('c'), filter('a', 'TRUE', keeps));
    refuses = (
      (fails) => (spec: SandboxSpec) =>
        spec.preservation !== undefined && fails-- > 0
    )(1);
    await expect(service.reload(edited)).rejects.toThrow(/\[a\] a does not load/);
    await write('1');
    await expect.poll(seen).toHaveLength(2);
    expect(
      seen()
        .map((text) => text.replace(/\d+:/, ':'))
        .sort(),
    ).toEqual(['a:1', 'b:1']);
  });

  it('exchanges outputs, inputs and their decoders; says what takes effect at the next start', async () => {
    const service = await run(input(), output);
    const file = join(folder, 'out.jsonl');
    const toFile = `[out]\ntype = "FileOutput"\npath = ${JSON.stringify(file)}\nmessage_matcher = "TRUE"\n`;
    const decoder = '[d]\ntype = "SandboxDecoder"\nplugin = "syslog"';
    const edited = configOf('[svcd]\nplugin_chansize = 3\nhostname = "x"', input('decoder = "d"'), decoder, toFile);
    expect(await service.reload(edited)).toEqual({
      applied: ['[out] replaced', '[in] replaced'],
      pending: ['[svcd] plugin_chansize is changed', '[svcd] hostname is changed'],
    });
    await write('1');
    const written = async (): Promise<string[]> =>
      [...(await readFile(file, 'utf8')).matchAll(/"Payload":"([^"]*)"/g)].map(([, text = '']) => text);
    // The decoder was tried before it was started.
    await expect.poll(written).toEqual(['d (in)1:1']);
    const other = configOf(input('decoder = "d"'), `${decoder}\n[d.config]\ntype = "x"`, toFile);
    expect((await service.reload(other)).applied).toEqual(['[in] replaced']);
    await write('2');
    await expect.poll(written).toEqual(['d (in)1:1', 'd (in)3:2']);
    expect((await service.reload(configOf(output))).applied).toEqual(['[out] replaced', '[in] stopped']);
    expect((await service.reload(configOf(output, input()))).applied).toEqual(['[in] started']);
    await write('3');
    await delay(100);
    expect(await written()).toHaveLength(2);
    expect((await service.reload(configOf(output, input('follow = false\nclock = "message"')))).pending).toEqual([
      'the clock of the inputs is changed',
    ]);
  });

  it.each([
    ['an output that cannot be opened', () => [input(), `[out]\ntype = "FileOutput"\npath = "/dev/null/x"\nmessage_matcher = "TRUE"`]],
    ['a decoder that does not load', () => [input('decoder = "d"'), '[d]\ntype = "SandboxDecoder"\nplugin = "syslog"', output]],
  ])('leaves everything as it is with %s', async (_title, sections) => {
    const service = await run(input(), output, filter('a'));
    refuses = ({ kind }) => kind === 'decoder';
    await expect(service.reload(configOf(...sections()))).rejects.toThrow(/\[(out|in)\]/);
    await write('1');
    await expect.poll(seen).toEqual([expect.stringMatching(/^a\d:1$/)]);
  });

  it('lets no message fall between two filters', async () => {
    const service = await run(input(), output, filter('a'));
    const count = 300;
    const edits = (async () => {
      for (let i = 0; i < 10; i++)
        await service.reload(configOf(input(), output, filter('a', "Type == 'logfile'", `ticker_interval = ${i + 100}`)));
    })();
    for (let i = 0; i < count; i++) await write(String(i));
    await edits;
    await expect.poll(() => seen().length).toBe(count);
    expect(seen().map((text) => Number(text.replace(/.*:/, '')))).toEqual(Array.from({ length: count }, (_, i) => i));
    expect(started.length).toBeGreaterThan(10);
  });
});
