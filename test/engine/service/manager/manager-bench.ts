/** Managers of filters whose scripts are fakes. */
import { readFileSync, statSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect } from 'vitest';
import { parseConfig } from '../../../../engine/config/load.ts';
import { EngineError } from '../../../../engine/base/errors.ts';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { ValueType, type Field, type Message } from '../../../../engine/message/types.ts';
import { makeManager } from '../../../../engine/service/manager-section.ts';
import { Pipeline } from '../../../../engine/pipeline/pipeline.ts';
import type { SandboxSpec } from '../../../../engine/sandbox/contract/types.ts';
import { FakeSandbox, Recorder, message } from '../../pipeline/fakes.ts';

export const text = (name: string, value: string): Field => ({ name, valueType: ValueType.STRING, values: [value] });

export function control(fields: Readonly<Record<string, string>>, more: Partial<Message> = {}): Message {
  const now = BigInt(Date.now()) * 1_000_000n;
  const list = Object.entries(fields).map(([name, value]) => text(name, value));
  return message('', 0, { type: 'svc.control.sandbox', timestamp: now, fields: list, ...more });
}

export interface LoadOptions {
  /** Parameters of the section besides. */
  readonly toml?: string;
  readonly type?: string;
  readonly message?: Partial<Message>;
}

export function loading(name: string, payload: string, { toml = '', type = 'SandboxFilter', message: more = {} }: LoadOptions): Message {
  const config = `[${name}]\ntype = "${type}"\nmessage_matcher = "Type == 'in'"\n${toml}\n`;
  return control({ action: 'load', config }, { payload, ...more });
}

export const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** A folder for the tests of a file, and managers in it. */
export function managerBench() {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluicebox-manager-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Scripts are fakes: `dies` ends at its first message, `broken` does not load. */
  async function setUp(parameters = 'max_filters = 3', service = '') {
    const text = `[svcd]\nbase_dir = ${JSON.stringify(folder)}\nhostname = "box7"\n${service}\n[mgr]\ntype = "SandboxManagerFilter"\n${parameters}\n`;
    const { config, problems } = parseConfig(text, join(folder, 'p.toml'));
    expect(problems).toEqual([]);
    const [section] = config.managers;
    if (section === undefined) throw new Error('there is no manager');
    const started: FakeSandbox[] = [];
    const start = async (spec: SandboxSpec): Promise<FakeSandbox> => {
      const script = readFileSync(spec.script, 'utf8');
      if (script === 'broken') throw new EngineError('plugin.load', 'broken.js:1 SyntaxError');
      if (script === 'no host') throw new EngineError('sandbox.host', 'the host does not start');
      const sandbox = new FakeSandbox(spec, { process: () => (script === 'dies' ? 'die' : []) });
      started.push(sandbox);
      return Promise.resolve(sandbox);
    };
    const log: string[] = [];
    const fatal: string[] = [];
    const pipeline = new Pipeline({ clock: 'wall', capacity: 8 });
    const manager = makeManager(
      section,
      config,
      {
        starter: { start, startInput: () => expect.fail('an input') },
        stdout: new PassThrough(),
        dataFolder: '/nowhere',
        tell: (event) => {
          if (event.kind === 'notice') log.push(`${event.notice.level}: ${event.notice.text}`);
          else if (event.kind === 'fatal') fatal.push(event.text);
        },
      },
      pipeline,
    );
    pipeline.router.addFilter(manager);
    await manager.restore();
    const recorder = new Recorder();
    pipeline.addOutput(recorder);
    const send = async (control: Message, signer = ''): Promise<void> => {
      const { delivered } = await pipeline.router.accept(batchOf([control]), signer);
      await delivered;
    };
    const load = (name: string, script = 'good', more: LoadOptions = {}, signer = ''): Promise<void> =>
      send(loading(name, script, more), signer);
    const unload = (name: string): Promise<void> => send(control({ action: 'unload', name }));
    const running = (): string[] => pipeline.router.filters.map((filter) => filter.name).filter((name) => name !== 'mgr');
    const ends = (): Message[] => recorder.seen.filter(({ type }) => /terminated$/.test(type ?? ''));
    return { pipeline, manager, send, load, unload, running, ends, started, log, fatal };
  }

  const at = (...path: string[]): string => join(folder, ...path);
  const files = async (): Promise<string[]> => (await readdir(at('sbxmgrs'))).sort();

  return { setUp, at, files, folder: () => folder };
}
