import { appendFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { startSandboxes } from '../../../../engine/plugins/starter.ts';
import { Engine } from '../engine-fixture.ts';
import { until } from '../../../until.ts';

const LINE = '192.0.2.7 - - [20/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 12 "-" "curl/8"\n';
const COUNTER = `globalThis.n = 0;
function process_message() { n++; return 0; }
function timer_event() { inject_payload('tsv', 'count', 'Type\\tWeight\\nall\\t' + n + '\\n'); }
`;

const engine = new Engine(undefined, startSandboxes({ hosts: 2 }));
afterAll(() => engine.workspace.stop());

it('a filter that comes late sees every record of a file once, also those that come meanwhile', async () => {
  const log = engine.file('access.log', LINE.repeat(60_000) + 'no log line\n'.repeat(3));
  const id = await engine.open(log);
  await until(async () => (await engine.source(id))?.state === 'following', 'the end of the file');
  const { path } = await engine.ask('script.save', { name: 'counter.js', path: null, text: COUNTER, apply: false, keepState: true });
  let written = 60_000;
  const growing = setInterval(() => {
    appendFileSync(log, LINE.repeat(100));
    written += 100;
  }, 10);
  try {
    const limits = { memory: 8_388_608, instructions: 1_000_000, output: 64_512 };
    const filter = { name: 'late', script: path, bundled: false, matcher: 'Type !~ /^svc/', ticker: 60, config: {}, inputs: null, limits };
    await engine.ask('filter.set', { filter, keepState: true });
    const late = () => engine.workspace.filters.infos().find(({ section }) => section === 'late');
    expect(late()?.progress).not.toBeNull();
    await expect.poll(() => late()?.progress, { interval: 20 }).toBeNull();
  } finally {
    clearInterval(growing);
  }
  const count = async (): Promise<number | undefined> =>
    (await engine.ask('items.list', {})).find(({ plugin }) => plugin === 'late')?.items[0]?.weight;
  await expect.poll(count).toBe(written);
});
