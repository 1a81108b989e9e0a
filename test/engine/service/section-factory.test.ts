import { execFileSync, spawn } from 'node:child_process';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../engine/config/load.ts';
import type { PlainOutputConfig } from '../../../engine/config/schema/sections.ts';
import { bundledNames } from '../../../engine/plugins/catalog.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { NotDeliveredError } from '../../../engine/outputs/delivery.ts';
import { joined, type Pieces, type Writer } from '../../../engine/outputs/writers.ts';
import type { InputNotice } from '../../../engine/inputs/types.ts';
import type { Sandbox, SandboxSpec } from '../../../engine/sandbox/contract/types.ts';
import type { PipelineEdges } from '../../../engine/service/pipeline-edges.ts';
import { SectionFactory } from '../../../engine/service/section-factory.ts';
import { request } from '../message/requests.ts';

const FILTER = '[f]\ntype = "SandboxFilter"\nplugin = "http_status"\nmessage_matcher = "Severity == 3"\n';
const FILE = '[in]\ntype = "FileInput"\npaths = ["/nowhere/a.log"]\n';

/** The factory of a configuration, and what its host is told. @param writer takes what outputs write; absent: they write it themselves */
function setUp(text: string, writer?: Writer) {
  const bundled = { filter: bundledNames('filter'), decoder: bundledNames('decoder'), encoder: bundledNames('encoder') };
  const { config, problems } = parseConfig(text, 'p.toml', { bundled });
  expect(problems).toEqual([]);
  const notices: InputNotice[] = [];
  const fatal: string[] = [];
  const started: SandboxSpec[] = [];
  const stopped: string[] = [];
  let undone = 0;
  const start = (spec: SandboxSpec): Promise<Sandbox> => {
    started.push(spec);
    return Promise.resolve({
      spec,
      stop: () => {
        stopped.push(spec.name);
        return spec.name === 'stuck' ? Promise.reject(new Error('it does not stop')) : Promise.resolve();
      },
    } as unknown as Sandbox);
  };
  const factory = new SectionFactory(config, {
    starter: { start, startInput: () => Promise.reject(new Error('it is not to start')) },
    stdout: new PassThrough(),
    dataFolder: '/nowhere/data',
    ...(writer === undefined ? {} : { edges: { writer: () => writer } as unknown as PipelineEdges }),
    tell: (event) => {
      if (event.kind === 'notice') notices.push(event.notice);
      else if (event.kind === 'undone') undone++;
      else if (event.kind !== 'refused' && event.kind !== 'lost') fatal.push(event.text);
    },
  });
  return { factory, config, notices, fatal, started, stopped, undone: () => undone };
}

const only = <T>([first]: readonly T[]): T => first as T;

describe('a filter', () => {
  it('selects and keeps what its section says', async () => {
    const { factory, config, started } = setUp(`${FILTER}message_signer = "me"\nticker_interval = 7\n`);
    const filter = await factory.filter(only(config.filters));
    expect(filter).toMatchObject({ name: 'f', signer: 'me', tickerInterval: 7, keepsRest: false });
    expect(started.map(({ name, kind, preservation }) => [name, kind, preservation])).toEqual([['f', 'filter', undefined]]);
  });

  it('keeps its state, but not when it is only tried', async () => {
    const { factory, config, started, stopped } = setUp(`${FILTER}preserve_data = true\n`);
    await factory.filter(only(config.filters));
    await factory.tryFilter(only(config.filters));
    expect(started.map(({ preservation }) => preservation)).toEqual(['/nowhere/data/sandbox_preservation/f.data', undefined]);
    expect(stopped).toEqual(['f']);
  });

  it.each<[end: string, section: string, fatal: string[]]>([
    ['may end', 'can_exit = true\n', []],
    ['must not end', 'can_exit = false\n', ['[f] has ended, and its can_exit is false']],
  ])('%s', async (_, section, expected) => {
    const { factory, config, notices, fatal, undone } = setUp(FILTER + section);
    const filter = await factory.filter(only(config.filters));
    filter.onTerminated?.({ code: 'script.error', reason: 'no' } as never);
    expect(notices).toMatchObject([{ level: 'error', code: 'plugin.terminated', subject: 'f', text: '[f] was terminated: no' }]);
    expect(fatal).toEqual(expected);
    expect(undone()).toBe(1);
  });

  it('may be ended for being slow when it is loaded while the service runs', async () => {
    const { factory, config, started } = setUp(FILTER);
    expect(await factory.filter(only(config.filters))).not.toHaveProperty('slow');
    const { max_process_duration: maxProcessDuration, plugin_chansize: capacity } = config.service;
    expect(await factory.managedFilter(only(config.filters))).toMatchObject({ slow: { maxProcessDuration, capacity } });
    expect(started.map(({ judged }) => judged)).toEqual([undefined, true]);
  });
});

describe('an input', () => {
  it('that fails is told, and ends the service where it must not end', async () => {
    const { factory, config, notices, fatal, undone } = setUp(`${FILE}can_exit = false\n`);
    const input = await factory.input(only(config.inputs));
    input.onFault?.(new Error('no disk'));
    expect(notices).toMatchObject([{ level: 'error', code: 'input.failed', text: '[in] no disk' }]);
    expect(fatal).toEqual(['[in] has ended, and its can_exit is false']);
    expect(undone()).toBe(1);
  });

  it('has not failed when the service stops before all was delivered', async () => {
    const { factory, config, notices, fatal, undone } = setUp(`${FILE}can_exit = false\n`);
    const input = await factory.input(only(config.inputs));
    input.onFault?.(new NotDeliveredError('away', false));
    expect(notices).toMatchObject([{ level: 'warning', code: 'input.left' }]);
    expect([fatal, undone()]).toEqual([[], 0]);
    input.onFault?.(new NotDeliveredError('gone', true));
    expect(notices.at(-1)).toMatchObject({ code: 'input.failed', text: '[in] gone' });
  });
});

it('ends all scripts that it started, also when one does not stop', async () => {
  const { factory, config, stopped } = setUp(FILTER.replace('[f]', '[stuck]') + FILTER);
  for (const filter of config.filters) await factory.filter(filter);
  await factory.abandon();
  expect(stopped).toEqual(['stuck', 'f']);
  await factory.abandon();
  expect(stopped).toHaveLength(2);
});

describe.each(['plain_text', 'json_lines', 'json', 'text', 'protobuf'])('an output in which batches wait, encoded by %s', (encoder) => {
  const BATCHES = 4;
  const ROWS = 1500;
  const batches = Array.from({ length: BATCHES }, (_, batch) => {
    const rows = Array.from({ length: ROWS }, (_, row) => request(batch * ROWS + row));
    return batchOf(rows.map((message, row) => ({ ...message, payload: `${batch} ${'x'.repeat(row % 90)}` })));
  });
  const section = (path: string): string =>
    `[out]\ntype = "FileOutput"\npath = ${JSON.stringify(path)}\nmessage_matcher = "TRUE"\nencoder = "${encoder}"\n`;

  /** Gives an output all batches at once. */
  async function give(text: string, writer?: Writer): Promise<void> {
    const { factory, config } = setUp(text, writer);
    const output = await factory.output(only(config.outputs) as PlainOutputConfig, () => undefined);
    await Promise.all(batches.map((batch) => output.submit({ batch, rows: null, loop: 0 } as never)));
    await output.stop();
  }

  /** The bytes that are written when each batch has memory of its own, which the writer keeps. */
  async function kept(): Promise<Buffer> {
    const all: Pieces[] = [];
    const write = (pieces: Pieces): Promise<void> => Promise.resolve(void all.push(pieces));
    await give(section('/nowhere/out'), { write, close: () => Promise.resolve() });
    expect(all).toHaveLength(BATCHES);
    return Buffer.concat(all.map(joined));
  }

  it.skipIf(process.platform === 'win32')('writes all of it to a pipe that is full', async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'sluicebox-waiting-'));
    const pipe = join(folder.path, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = spawn('sh', ['-c', 'exec < "$1"; sleep 0.1; exec cat', 'sh', pipe], { stdio: ['ignore', 'pipe', 'ignore'] });
    const read = buffer(reader.stdout);
    await delay(20);
    await give(section(pipe));
    const whole = await kept();
    expect(whole.length).toBeGreaterThan(3 << 16);
    expect((await read).equals(whole)).toBe(true);
  });
});
