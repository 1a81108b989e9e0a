import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandboxes } from '../../../../engine/plugins/starter.ts';
import type { Notice, RulesState } from '../../../../engine/api/types.ts';
import { until } from '../../../until.ts';
import { Engine } from '../engine-fixture.ts';

const LINES = Array.from({ length: 300 }, (_, i) => {
  const time = new Date(1_700_000_000_000 + i * 1000).toISOString();
  return `{"time":"${time}","msg":"step ${i}","tool":"${i % 100 === 7 ? 'nikto' : i % 50 === 0 ? 'curl' : 'firefox'}"}\n`;
});

const rule = (title: string, tool: string, level = 'high'): string =>
  `title: ${title}\nlevel: ${level}\nlogsource:\n  product: any\ndetection:\n  a:\n    tool: ${tool}\n  condition: a\n`;

describe('the rules of a workspace', () => {
  let engine: Engine;
  let folder: string;
  let source: number;
  const ready = async (want: (state: RulesState) => boolean): Promise<RulesState> => {
    let state = await engine.ask('rules.get', {});
    await until(async () => {
      state = await engine.ask('rules.get', {});
      return state.state === 'ready' && want(state);
    }, 'the rules');
    return state;
  };
  const alerts = (): Notice[] => engine.events.filter(({ name }) => name === 'notice').map(({ data }) => data as Notice);

  beforeAll(async () => {
    engine = new Engine(undefined, startSandboxes());
    folder = join(engine.folder, 'chosen');
    mkdirSync(folder);
    writeFileSync(join(folder, 'scanners.yml'), rule('A scanner', 'nikto'));
    writeFileSync(
      join(folder, 'broken.yml'),
      'title: Broken\nlogsource:\n  product: any\ndetection:\n  a:\n    tool|odd: x\n  condition: a\n',
    );
    source = await engine.open(engine.file('tools.jsonl', LINES.join('')));
    await until(
      async () => (await engine.source(source))?.records === LINES.length && (await engine.source(source))?.state === 'following',
      'the file',
    );
  });
  afterAll(() => engine.workspace.stop());

  it('are those of a folder that someone chose, which is looked at first', async () => {
    await expect(engine.ask('rules.look', { path: folder })).rejects.toMatchObject({ code: 'file.ungranted' });
    await engine.grant(folder, 'rules');
    expect(await engine.ask('rules.look', { path: folder })).toMatchObject({
      loaded: 1,
      refused: 1,
      faults: [{ file: join(folder, 'broken.yml'), line: 6, rule: 'Broken', text: expect.stringContaining('odd') as string }],
    });
    expect(await engine.ask('rules.get', {})).toMatchObject({ state: 'none', folders: [], rules: [] });
  });

  it('are run on the records that are there: their hits are fields of these, and one alert', async () => {
    await engine.ask('rules.add', { path: folder });
    const state = await ready(({ hits }) => hits === 3);
    expect(state).toMatchObject({ searched: 300, of: 300, folders: [{ kind: 'chosen', path: folder }], loaded: 1, refused: 1 });
    expect(state.rules).toMatchObject([
      { title: 'A scanner', level: 'high', on: true, hits: 3, marked: 3, first: 1_700_000_007_000, last: 1_700_000_207_000 },
    ]);
    await until(() => alerts().some(({ code }) => code === 'alert'), 'the alert');
    expect(alerts().filter(({ code }) => code === 'alert')).toMatchObject([
      { level: 'error', text: '1 rule has hits: A scanner (high)', about: { rule: 'A scanner' } },
    ]);
    const { total, rows } = await engine.rows({ matcher: 'Fields[sigma_level] == "high"' }, ['sigma_rule']);
    expect(total).toBe(3);
    expect(rows[0]).toMatchObject({ rules: { level: 'high', titles: ['A scanner'] }, values: ['A scanner'] });
    expect((await engine.rows({ text: 'A scanner' })).total).toBe(0);
    const { view } = await engine.ask('view.open', { query: {} });
    await until(() => Promise.resolve(engine.workspace.views.get(view).complete), 'the view');
    expect(await engine.ask('view.nearest', { view, kind: 'rule', row: 7, forward: true })).toEqual({ row: 107, wrapped: false });
    const by = await engine.ask('view.histogram', { view, buckets: 3, by: 'sigma_level' });
    expect(by.groups).toMatchObject([{ name: 'high' }, { kind: 'none' }]);
  });

  it('are run on records that come, and views that select by hits have them', async () => {
    const { view } = await engine.ask('view.open', { query: { matcher: 'Fields[sigma_rule] == "A scanner"' } });
    appendFileSync(join(engine.folder, 'tools.jsonl'), LINES.join(''));
    await ready(({ hits }) => hits === 6);
    await until(() => Promise.resolve(engine.workspace.views.get(view).total === 6), 'the view');
    await until(() => alerts().some(({ text }) => text === 'A scanner (high): 3 new records'), 'the alert');
    await engine.ask('view.close', { view });
  });

  it('are read again when a file changes; a rule that is broken then stays as it was, and that is told', async () => {
    writeFileSync(join(folder, 'scanners.yml'), `${rule('A scanner', 'nikto')}---\n${rule('A client', 'curl', 'low')}`);
    await ready(({ hits }) => hits === 18);
    writeFileSync(join(folder, 'scanners.yml'), `${rule('A scanner', 'nikto')}---\n${rule('A client', 'curl', 'odd')}`);
    const state = await ready(({ refused }) => refused === 2);
    expect(state.rules.map(({ title }) => title)).toEqual(['A scanner', 'A client']);
    expect(alerts().find(({ code }) => code === 'rules')?.text).toBe(
      `${join(folder, 'scanners.yml')}:11: A client: there is no level odd. The rule is run as it was before.`,
    );
    expect((await ready(({ hits }) => hits === 18)).hits).toBe(18);
  });

  it('are switched off one by one, and taken away', async () => {
    await engine.ask('rules.set', { key: 'A scanner', on: false });
    expect((await ready(({ hits }) => hits === 12)).rules).toMatchObject([
      { on: false, hits: 0 },
      { on: true, hits: 12 },
    ]);
    await engine.ask('rules.remove', { path: folder });
    expect(await engine.ask('rules.get', {})).toMatchObject({ state: 'none', rules: [], hits: 0 });
    expect((await engine.rows({ matcher: 'Fields[sigma_rule] != NIL' })).total).toBe(0);
  });

  it('are those of the folder rules beside the workspace file, too, and of removed records they know nothing', async () => {
    mkdirSync(join(engine.folder, 'rules'));
    writeFileSync(join(engine.folder, 'rules', 'own.yml'), rule('My rule', 'curl'));
    expect((await ready(({ hits }) => hits === 12)).folders).toEqual([{ kind: 'own', path: join(engine.folder, 'rules') }]);
    await engine.ask('source.close', { id: source });
    expect(await ready(({ hits }) => hits === 0)).toMatchObject({ searched: 0, of: 0 });
  });
});
