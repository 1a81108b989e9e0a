import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WorkspaceFile } from '../../../../engine/workspace/file/workspace-file.ts';
import type { FilterSection } from '../../../../engine/api/types.ts';
import { Engine } from '../engine-fixture.ts';

let engine: Engine;

beforeEach(() => {
  engine = new Engine();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await engine.workspace.stop();
});

/** Long enough for who looks at the file to see that it is another. */
const SEEN_MS = 1500;

it('a filter that is changed from the window keeps its state also when the file is read again just then', async () => {
  const id = await engine.open(
    engine.file('access.log', '192.0.2.7 - - [20/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 12 "-" "curl"\n'),
  );
  await engine.settled(id);
  const filters = vi.spyOn(engine.workspace.filters, 'setTemplates');
  const setFilter = Object.getOwnPropertyDescriptor(WorkspaceFile.prototype, 'setFilter')?.value as WorkspaceFile['setFilter'];
  vi.spyOn(WorkspaceFile.prototype, 'setFilter').mockImplementation(async function (this: WorkspaceFile, ...change) {
    const done = await setFilter.apply(this, change);
    await delay(SEEN_MS);
    return done;
  });
  const [status] = await engine.ask('filter.sections', {});
  const changed: FilterSection = { ...(status as FilterSection), matcher: 'Fields[status] >= 200' };
  await engine.ask('filter.set', { filter: changed, was: changed.name, keepState: true });
  const takenOver = filters.mock.calls.filter(([templates]) => templates.some(({ matcher }) => matcher === changed.matcher));
  expect(takenOver[0]?.[1](engine.workspace.source(id))).toEqual({ keepState: true });
});
