import { afterEach, beforeEach, expect, it } from 'vitest';
import { Engine } from '../engine-fixture.ts';
import { FakeSandboxes } from '../fake-sandboxes.ts';
import { until } from '../../../until.ts';

const LINE = '192.0.2.7 - - [20/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 12 "-" "curl"';

let engine: Engine;
let sandboxes: FakeSandboxes;

beforeEach(() => {
  sandboxes = new FakeSandboxes();
  engine = new Engine(undefined, sandboxes);
});
afterEach(() => engine.workspace.stop());

it('a command that someone wants to see raw stays so when its decoder is found at that moment', async () => {
  const { called, goOn } = sandboxes.holdUpDecoders('process');
  const { id } = await engine.ask('source.run', { command: `echo '${LINE}'; sleep 1003` });
  const decoder = await called;
  const before = engine.workspace.source(id).decoder;
  await engine.ask('source.decoder', { id, decoder: null });
  goOn();
  await until(async () => (await engine.source(id))?.records === 1, 'its record');
  expect([before, engine.workspace.source(id).decoder]).toEqual([null, null]);
  expect((await engine.rows()).rows.map(({ text }) => text)).toEqual([LINE]);
  expect(decoder.state).toBe('stopped');
});

it('stays raw, too, when that decoder was found and is asked for its figures', async () => {
  const { called, goOn } = sandboxes.holdUpDecoders('report');
  const { id } = await engine.ask('source.run', { command: `echo '${LINE}'; sleep 1003` });
  const decoder = await called;
  await engine.ask('source.decoder', { id, decoder: null });
  goOn();
  await until(async () => (await engine.source(id))?.records === 1, 'its record');
  expect(engine.workspace.source(id).decoder).toBeNull();
  expect((await engine.rows()).rows.map(({ text }) => text)).toEqual([LINE]);
  await until(() => decoder.state === 'stopped', 'the end of the decoder that nobody wants');
});

it('a file whose times are shifted while its decoder is being found is decoded by that', async () => {
  const { called, goOn } = sandboxes.holdUpDecoders('process');
  const id = await engine.open(engine.file('access.log', `${LINE}\n`.repeat(7)));
  await called;
  await engine.ask('source.shift', { id, seconds: 90 });
  goOn();
  await engine.settled(id);
  // It comes after all that is under way.
  await engine.workspace.source(id).pause();
  expect(await engine.source(id)).toMatchObject({ decoder: { name: 'nginx_access' }, timeOffset: 90, records: 7 });
});

it('a file whose times are shifted is decoded by the decoder that was just chosen', async () => {
  const id = await engine.open(engine.file('access.log', `${LINE}\n`.repeat(7)));
  await engine.settled(id);
  await engine.ask('source.decoder', { id, decoder: 'program_log' });
  await engine.ask('source.shift', { id, seconds: 90 });
  await engine.workspace.source(id).pause();
  expect(engine.workspace.source(id).decoder?.name).toBe('program_log');
});
