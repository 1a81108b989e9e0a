import { describe, expect, it } from 'vitest';
import type { Logs } from '../../../../renderer/src/state/logs.svelte.ts';
import type { Marks } from '../../../../renderer/src/state/marks.svelte.ts';
import { Panes } from '../../../../renderer/src/state/panes.svelte.ts';
import type { Prefs } from '../../../../renderer/src/state/prefs.svelte.ts';

function setUp(width: number, record: object | null = null) {
  const prefs = { view: 'logs', sources: { size: 248, open: true }, inspector: { size: 320, open: true } } as Prefs;
  const parts = { logs: { detail: { record, problem: null } } as Logs, marks: { open: false } as Marks, builder: { inPane: false } };
  const panes = new Panes({ prefs, engine: { sources: [{}] } as never, ...parts });
  panes.width = width;
  return { panes, prefs };
}

describe('the inspector', () => {
  it.each([
    ['stays closed in a narrow window while it has nothing to show', 840, null, 0],
    ['is there for a record', 840, {}, 240],
    ['is there in a window with room', 1380, null, 320],
  ])('%s', (_, width, record, size) => {
    expect(setUp(width, record).panes.sizes.inspector).toBe(size);
  });

  it('can be opened and closed where it has nothing to show', () => {
    const { panes, prefs } = setUp(840);
    panes.toggleInspector();
    expect([panes.inspects, panes.sizes.inspector, prefs.inspector.open]).toEqual([true, 240, true]);
    panes.toggleInspector();
    expect([panes.inspects, panes.sizes.inspector, prefs.inspector.open]).toEqual([false, 0, false]);
  });

  it('is closed and opened by one step each in a window with room', () => {
    const { panes } = setUp(1380);
    panes.toggleInspector();
    expect(panes.sizes.inspector).toBe(0);
    panes.toggleInspector();
    expect(panes.sizes.inspector).toBe(320);
  });
});

it('lies below the records where there is room, and takes no width then', () => {
  const { panes, prefs } = setUp(1380, {});
  panes.height = 800;
  prefs.belowSize = 240;
  panes.moveInspector();
  expect([prefs.inspectorBelow, panes.sizes]).toEqual([true, { sources: 248, inspector: 0, below: 240 }]);
  panes.height = 300;
  expect(panes.sizes).toEqual({ sources: 248, inspector: 320, below: 0 });
  panes.moveInspector();
  expect(panes.sizes.inspector).toBe(320);
});
