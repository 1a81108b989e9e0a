import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../engine/config/load.ts';
import { bundledNames } from '../../../engine/plugins/catalog.ts';
import { NotDeliveredError } from '../../../engine/outputs/delivery.ts';
import type { InputNotice } from '../../../engine/inputs/types.ts';
import type { Sandbox, SandboxSpec } from '../../../engine/sandbox/contract/types.ts';
import { SectionFactory } from '../../../engine/service/section-factory.ts';

const FILTER = '[f]\ntype = "SandboxFilter"\nplugin = "http_status"\nmessage_matcher = "Severity == 3"\n';
const FILE = '[in]\ntype = "FileInput"\npaths = ["/nowhere/a.log"]\n';

/** The factory of a configuration, and what its host is told. */
function setUp(text: string) {
  const bundled = { filter: bundledNames('filter'), decoder: bundledNames('decoder') };
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
