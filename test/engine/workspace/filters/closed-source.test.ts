import { afterEach, beforeEach, expect, it } from 'vitest';
import { Engine } from '../engine-fixture.ts';
import { FakeSandboxes } from '../fake-sandboxes.ts';
import { until } from '../../../until.ts';

const LINE = '192.0.2.7 - - [20/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 12 "-" "curl"\n';

let engine: Engine;
let sandboxes: FakeSandboxes;
let id: number;

beforeEach(async () => {
  sandboxes = new FakeSandboxes();
  engine = new Engine(undefined, sandboxes);
  id = await engine.open(engine.file('access.log', LINE.repeat(7)));
  await engine.settled(id);
  await until(async () => (await engine.ask('graph.list', {})).length > 0, 'what the filter counts');
});
afterEach(() => engine.workspace.stop());

/** Replaces a filter, and does something while the one before it is being stopped. */
async function whileReplaced(work: () => Promise<unknown>): Promise<void> {
  const running = sandboxes.started.find(({ spec }) => spec.name === 'http_status');
  if (running === undefined) throw new Error('the filter does not run');
  const [stopping, stopped] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  running.stop = () => {
    stopping.resolve();
    return stopped.promise;
  };
  const replaced = engine.ask('plugin.reload', { id: `filter/${id}/http_status`, keepState: false });
  await stopping.promise;
  await work();
  stopped.resolve();
  await replaced;
}

const filters = (): string[] => engine.workspace.filters.infos().map((info) => info.id);

it('a filter that is being replaced when its source is closed is gone with it', async () => {
  await whileReplaced(() => engine.ask('source.close', { id }));
  expect(filters()).toEqual([]);
});

it('a filter that is being replaced when its source is decoded anew is there once', async () => {
  await whileReplaced(async () => {
    const started = sandboxes.started.length;
    await engine.ask('plugin.start', { id: `decoder/${id}` });
    const hasStarted = (): boolean => sandboxes.started.slice(started).some(({ spec }) => spec.name === 'http_status');
    const anew = async (): Promise<boolean> => {
      await engine.ask('filter.wake', {});
      return hasStarted();
    };
    await until(anew, 'the filter that sees the source from its beginning');
  });
  expect(filters().filter((filter) => filter.endsWith('/http_status'))).toHaveLength(1);
});
