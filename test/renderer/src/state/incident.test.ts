import { describe, expect, it, vi } from 'vitest';
import type { IncidentForm, IncidentText } from '../../../../engine/api/types.ts';
import type { App } from '../../../../renderer/src/state/app.svelte.ts';
import { IncidentPage, type ExportWish } from '../../../../renderer/src/state/incident.svelte.ts';

const TEXT: IncidentText = { title: 'Shop is down', summary: '', from: null, to: null, difference: null };
const WISH: ExportWish = { form: 'html', anonymise: true, words: ['acme'], around: 5, ask: false };

/** A page, and the requests that it makes of an engine that answers so; an answer that is absent is a failure. */
function pageOf(answers: Readonly<Record<string, unknown>>) {
  const request = vi.fn((method: string, _params: object) =>
    method in answers ? Promise.resolve(answers[method]) : Promise.reject(new Error(method)),
  );
  const graph = { columns: [{ name: 'all', values: [1, NaN] }], time: 1000, rowMs: 60 };
  const drawingOf = (id: number, shown: object | null): object => ({
    of: { id, title: `graph ${id}`, by: [], filters: [], any: false, measure: 'count', of: null, display: 'bars' },
    graph: shown,
    answer: null,
    heat: null,
  });
  const app = {
    client: { request },
    attempt: <T>(work: Promise<T>): Promise<T | null> => work.catch(() => null),
    show: vi.fn(),
    columns: { names: Array.from({ length: 15 }, (_, i) => `c${i}`) },
    prefs: { zone: 'utc' },
    // One that is kept, one without an answer yet, and one that is only looked at.
    recordGraphs: { drawings: [drawingOf(1, graph), drawingOf(2, null), drawingOf(-1, graph)] },
    workspaces: { windowPart: () => ({ window: 'part' }) },
  };
  return { page: new IncidentPage(app as unknown as App), app, request };
}

describe('the words of an incident', () => {
  it('are those of the engine, which keeps the changed ones', async () => {
    const { page, request } = pageOf({ 'incident.get': TEXT, 'incident.set': {} });
    await page.load();
    await page.change({ summary: 'new' });
    expect(page.text).toEqual({ ...TEXT, summary: 'new' });
    expect(request).toHaveBeenLastCalledWith('incident.set', { incident: page.text });
  });

  it('are as before when they could not be kept', async () => {
    const { page } = pageOf({ 'incident.get': TEXT });
    await page.load();
    const changed = page.change({ title: 'lost' });
    expect(page.text.title).toBe('lost');
    await changed;
    expect(page.text).toEqual(TEXT);
  });
});

describe('the export of an incident', () => {
  it.each<[string, IncidentForm, string, object]>([
    ['Shop is down: 50 % / EU', 'html', 'shell.chooseExport', { name: 'Shop-is-down-50-EU.html', format: 'html' }],
    ['../../Größe v1.2.', 'markdown', 'shell.chooseExport', { name: 'Größe-v1.2.md', format: 'markdown' }],
    ['x'.repeat(200), 'bundle', 'shell.chooseWorkspace', { save: 'x'.repeat(80) }],
    ['???', 'html', 'shell.chooseExport', { name: 'incident.html', format: 'html' }],
  ])('asks for a file whose name is that of the title: %s', async (title, form, method, asked) => {
    const { page, request } = pageOf({ 'incident.get': { ...TEXT, title }, [method]: { path: '/out' }, 'incident.export': { id: 1 } });
    await page.load();
    await page.export({ ...WISH, anonymise: false, form });
    expect(request.mock.calls.slice(1).map(([name]) => name)).toEqual([method, 'incident.export']);
    expect(request.mock.calls[1]?.[1]).toEqual(asked);
  });

  it('tells nothing of the title by the name of a file that is to be anonymised', async () => {
    const { page, request } = pageOf({ 'incident.get': TEXT, 'shell.chooseExport': { path: '/out' }, 'incident.export': { id: 1 } });
    await page.load();
    await page.export(WISH);
    expect(request.mock.calls[1]?.[1]).toEqual({ name: 'incident.html', format: 'html' });
  });

  it('has the wishes, the first twelve columns and the graphs that are kept', async () => {
    const { page, app, request } = pageOf({ 'shell.chooseExport': { path: '/out.html' }, 'incident.export': { id: 1 } });
    page.openExport();
    expect([page.exporting, app.show.mock.calls]).toEqual([true, [['incident']]]);
    await page.export(WISH);
    expect(page.exporting).toBe(false);
    const charts = [
      expect.objectContaining({ title: 'graph 1', form: 'bars', series: [{ name: 'all', values: [1, null] }] }),
      expect.objectContaining({ title: 'graph 2', form: 'none', about: 'all records; it had no numbers when this was written' }),
    ];
    const columns = app.columns.names.slice(0, 12);
    expect(request.mock.lastCall).toEqual([
      'incident.export',
      { ...WISH, path: '/out.html', columns, charts, zone: 'utc', window: { window: 'part' } },
    ]);
  });

  it('goes on asking when no file was chosen', async () => {
    const { page, request } = pageOf({ 'shell.chooseExport': null });
    page.openExport();
    await page.export(WISH);
    expect([page.exporting, request.mock.calls.length]).toEqual([true, 1]);
  });
});
