/** Commands that end with their files run bundled decoders in their own process: what comes of it is the same as from a sandbox. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commandSandboxes } from '../../../engine/cli/command-sandboxes.ts';
import { ServiceSandboxes } from '../../../engine/cli/service-sandboxes.ts';
import { findPlugin } from '../../../engine/plugins/catalog.ts';
import { sandboxSpec, type SandboxStarter } from '../../../engine/plugins/sandboxes.ts';
import type { Seat, Session } from '../../../engine/sandbox/calls/session.ts';
import type { SandboxSpec } from '../../../engine/sandbox/contract/types.ts';
import { HereSeat } from '../../../engine/sandbox/ours/here-seat.ts';
import { copyBundled } from '../../../engine/workspace/scripts/bundled-copy.ts';
import { sluicebox } from './run-cli.ts';
import { startCommand } from './start-command.ts';

const SAMPLES = resolve(import.meta.dirname, '../../../resources/samples');
const LINES = 300;
const FORMAT = '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"';
/** A limit that somebody has set is held by a sandbox. */
const IN_SANDBOX = 'instruction_limit = 2_000_000\n';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluicebox-here-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);

/** The beginning of a sample between lines that its decoder refuses. */
async function logOf(sample: string): Promise<string> {
  const lines = (await readFile(join(SAMPLES, sample), 'utf8')).split('\n').slice(0, LINES);
  await writeFile(at('the.log'), `\u0000 no line of a log\n${[...lines, 'hm', ...lines].join('\n')}\n`);
  return at('the.log');
}

const LOGS = [
  ['nginx_access', 'access.log', { log_format: FORMAT }],
  ['rfc3164', 'syslog.log', {}],
  ['json_lines', 'access.log', {}],
] as const;

describe('a bundled decoder brings what it brings in a sandbox', () => {
  it.each(LOGS)('to decode: %s of %s', async (decoder, sample, config) => {
    const log = await logOf(sample);
    await copyBundled(findPlugin('decoder', decoder).path, folder).then((text) => writeFile(at(`${decoder}.ts`), text));
    const settings = Object.entries(config).flatMap(([name, value]) => ['-s', `${name}=${value}`]);
    const [here, apart] = [
      await sluicebox(['decode', decoder, ...settings, log]),
      await sluicebox(['decode', at(`${decoder}.ts`), ...settings, log]),
    ];
    const withoutUuids = ({ lines }: typeof here): unknown[] => lines().map(({ Uuid: _, ...message }) => message);
    expect(withoutUuids(here)).toEqual(withoutUuids(apart));
    expect({ ...here, out: '', lines: null }).toEqual({ ...apart, out: '', lines: null });
    expect(here.code).toBe(0);
  });

  it.each(LOGS)('to run --until-idle: %s of %s', async (decoder, sample, config) => {
    const log = await logOf(sample);
    const outputs: string[][] = [];
    for (const limit of ['', IN_SANDBOX]) {
      await writeFile(
        at('p.toml'),
        `[svcd]\nlog_flags = 0\nbase_dir = ${JSON.stringify(at(`base${outputs.length}`))}\n` +
          `[in]\ntype = "FileInput"\npaths = [${JSON.stringify(log)}]\nfollow = false\nclock = "message"\ndecoder = "dec"\nsend_decode_failures = true\n` +
          `[dec]\ntype = "SandboxDecoder"\nplugin = "${decoder}"\n${limit}[dec.config]\n` +
          Object.entries(config)
            .map(([name, value]) => `${name} = '${value}'\n`)
            .join('') +
          `[out]\ntype = "FileOutput"\npath = ${JSON.stringify(at('out.json'))}\nmessage_matcher = "TRUE"\nencoder = "json"\n`,
      );
      expect(await sluicebox(['run', '--until-idle', at('p.toml')])).toMatchObject({ code: 0 });
      outputs.push((await readFile(at('out.json'), 'utf8')).split('\n').map((message) => message.replace(/"Uuid":"[-\da-f]+",/, '')));
      await rm(at('out.json'));
    }
    expect(outputs[0]?.length).toBeGreaterThan(2 * LINES);
    expect(outputs[0]).toEqual(outputs[1]);
  });
});

describe.skipIf(process.platform === 'win32')('a run until idle that is interrupted', () => {
  it('has each record decoded once, with what the next run does', async () => {
    const lines = Array.from({ length: 60_000 }, (_, i) => `<34>Jan  2 03:04:05 host app[${i}]: message ${i}`);
    await writeFile(at('the.log'), `${lines.join('\n')}\n`);
    const quoted = (name: string): string => JSON.stringify(at(name));
    await writeFile(
      at('p.toml'),
      `[svcd]\nbase_dir = ${quoted('base')}\n[in]\ntype = "FileInput"\npaths = [${quoted('the.log')}]\ndecoder = "rfc3164"\n` +
        `[rfc3164]\ntype = "SandboxDecoder"\nplugin = "rfc3164"\n` +
        `[out]\ntype = "FileOutput"\npath = ${quoted('out.json')}\nmessage_matcher = "TRUE"\nencoder = "json"\n`,
    );
    const written = async (): Promise<string[]> => (await readFile(at('out.json'), 'utf8').catch(() => '')).trim().split('\n');
    for (let runs = 0; runs < 3; runs++) {
      await using run = startCommand(['run', '--until-idle', at('p.toml')]);
      const before = (await written()).length;
      while (run.child.exitCode === null && (await written()).length <= before) await delay(2);
      run.child.kill('SIGINT');
      await run.ended;
    }
    expect(await sluicebox(['run', '--until-idle', at('p.toml')])).toMatchObject({ code: 0 });
    const pids = (await written()).map((line) => (JSON.parse(line) as { Pid?: number }).Pid);
    expect(new Set(pids).size).toBe(lines.length);
    expect(pids).toHaveLength(lines.length);
  });
});

const seatOf = async (starter: SandboxStarter, spec: SandboxSpec): Promise<Seat | null> => ((await starter.start(spec)) as Session).seat;

describe('a bundled decoder runs', () => {
  const spec = sandboxSpec('decoder', findPlugin('decoder', 'rfc3164'));
  const services = [new ServiceSandboxes(true), new ServiceSandboxes(false)] as const;
  const commands = commandSandboxes();
  afterAll(() => Promise.all([...services, commands].map((sandboxes) => sandboxes.close())));

  it('in the process of a command, and of a service that ends with its input', async () => {
    expect(await seatOf(commands, spec)).toBeInstanceOf(HereSeat);
    expect(await seatOf(services[0].of({} as never), spec)).toBeInstanceOf(HereSeat);
  });

  it('in a host of a service that goes on', async () => {
    expect(await seatOf(services[1].of({} as never), spec)).not.toBeInstanceOf(HereSeat);
  });

  it('in a host when it keeps its state, or works beside another instance', async () => {
    const sandboxes = services[0].of({} as never);
    expect(await seatOf(sandboxes, { ...spec, beside: true })).not.toBeInstanceOf(HereSeat);
    expect(await seatOf(sandboxes, { ...spec, preservation: join(tmpdir(), `none-${process.pid}`) })).not.toBeInstanceOf(HereSeat);
  });
});
