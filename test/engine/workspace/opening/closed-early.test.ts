import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Engine } from '../engine-fixture.ts';
import { FakeSandboxes } from '../fake-sandboxes.ts';

const LINE = '192.0.2.7 - - [20/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 12 "-" "curl"\n';

let engine: Engine;
let sandboxes: FakeSandboxes;

beforeEach(() => {
  sandboxes = new FakeSandboxes();
  engine = new Engine(undefined, sandboxes);
});
afterEach(() => engine.workspace.stop());

/** Opens a file and closes it, and waits until both have come to their end. @param before what happens in between */
async function openAndClose(before: () => Promise<unknown>): Promise<void> {
  const id = await engine.open(engine.file('access.log', LINE.repeat(7)));
  const source = engine.workspace.source(id);
  await before();
  await engine.ask('source.close', { id });
  await source.opened;
  // `close` comes after all that is under way.
  await source.close();
  expect(source.info().state).toBe('closed');
}

it('a source that is closed before the workspace file was read does not open', async () => {
  await openAndClose(() => Promise.resolve());
  expect(engine.workspace.filters.infos()).toEqual([]);
  expect(engine.workspace.store.lastId).toBeNull();
  expect(sandboxes.started.filter(({ spec }) => spec.kind === 'filter')).toEqual([]);
});

it('a source that is closed while its decoder is being found leaves no filters behind', async () => {
  const { called, goOn } = sandboxes.holdUpDecoders('process');
  await openAndClose(async () => {
    await called;
    setImmediate(goOn);
  });
  expect(engine.workspace.filters.infos()).toEqual([]);
});

it('a source that is opened again before it has come to its end stays in the workspace file', async () => {
  const { called, goOn } = sandboxes.holdUpDecoders('process');
  const path = engine.file('access.log', LINE.repeat(7));
  const id = await engine.open(path);
  await called;
  const closed = engine.ask('source.close', { id });
  const again = await engine.open(path);
  goOn();
  await closed;
  await engine.settled(again);
  const { folder } = engine;
  await engine.workspace.stop();
  expect(readFileSync(join(folder, 'workspace.toml'), 'utf8')).toContain('["file:');
});
