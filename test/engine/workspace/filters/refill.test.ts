import { appendFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import type { PluginInfo } from '../../../../engine/api/types.ts';
import { startSandboxes } from '../../../../engine/plugins/starter.ts';
import { Engine } from '../engine-fixture.ts';
import { until } from '../../../until.ts';

const LINE = '192.0.2.7 - - [20/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 12 "-" "curl/8"\n';
const COUNTER = `globalThis.n = 0;
function process_message() { n++; return 0; }
function timer_event() { inject_payload('tsv', 'count', 'Type\\tWeight\\nall\\t' + n + '\\n'); }
`;

/** More than a filter reads while the flow is held. */
const RECORDS = 60_000;

const engine = new Engine(undefined, startSandboxes({ hosts: 2 }));
afterAll(() => engine.workspace.stop());

interface Late {
  readonly log: string;
  readonly late: () => PluginInfo | undefined;
  readonly count: () => Promise<number | undefined>;
}

/** Opens a file, and adds a filter that counts its records when they are all read. */
async function addLate(name: string, text: string): Promise<Late> {
  const log = engine.file(`${name}.log`, text);
  const source = await engine.open(log);
  await until(async () => (await engine.source(source))?.state === 'following', 'the end of the file');
  const script = { name: `${name}.js`, path: null, text: COUNTER, apply: false, keepState: true };
  const { path } = await engine.ask('script.save', script);
  const limits = { memory: 8_388_608, instructions: 1_000_000, output: 64_512 };
  const inputs = (await engine.ask('filter.inputs', {})).filter((input) => input.source === source).map(({ input }) => input);
  const filter = { name, script: path, bundled: false, matcher: 'Type !~ /^svc/', ticker: 60, config: {}, inputs, limits };
  await engine.ask('filter.set', { filter, keepState: true });
  return {
    log,
    late: () => engine.workspace.filters.infos().find(({ section }) => section === name),
    count: async () => (await engine.ask('items.list', {})).find(({ plugin }) => plugin === name)?.items[0]?.weight,
  };
}

it('a filter that comes late sees every record of a file once, also those that come meanwhile', async () => {
  const { late, count, log } = await addLate('late', LINE.repeat(RECORDS) + 'no log line\n'.repeat(3));
  let written = RECORDS;
  const growing = setInterval(() => {
    appendFileSync(log, LINE.repeat(100));
    written += 100;
  }, 10);
  try {
    expect(late()?.progress).not.toBeNull();
    await expect.poll(() => late()?.progress, { interval: 20 }).toBeNull();
  } finally {
    clearInterval(growing);
  }
  await expect.poll(count).toBe(written);
});

it('a filter that is stopped while it reads what is stored begins anew when it is started', async () => {
  const { late, count } = await addLate('halfway', LINE.repeat(RECORDS));
  const id = late()?.id ?? '';
  expect(late()?.progress).not.toBeNull();
  await engine.ask('plugin.stop', { id });
  expect(late()).toMatchObject({ state: 'stopped', progress: null });
  await engine.ask('plugin.start', { id });
  await expect.poll(count).toBe(RECORDS);
});

it('a filter that reads what is stored goes on when a change of it is taken back at once', async () => {
  const { late, count } = await addLate('changed', LINE.repeat(RECORDS));
  const { filters } = engine.workspace;
  const before = filters.templates;
  expect(late()?.progress).not.toBeNull();
  const keep = () => ({ keepState: true });
  const changed = filters.setTemplates(
    before.map((template) => (template.name === 'changed' ? { ...template, ticker: 30 } : template)),
    keep,
  );
  await Promise.all([changed, filters.setTemplates(before, keep)]);
  await expect.poll(count).toBe(RECORDS);
  expect(late()?.progress).toBeNull();
});
