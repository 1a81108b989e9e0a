import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { RecordGraph } from '../../../engine/api/types.ts';
import { Engine } from './engine-fixture.ts';

const GRAPH: RecordGraph = {
  id: 1,
  title: 'status >= 500',
  measure: 'count',
  of: null,
  by: [],
  display: 'bars',
  unit: '',
  any: false,
  filters: [{ kind: 'matcher', text: 'Fields[status] >= 500', label: 'status >= 500', caseSensitive: false, out: false, enabled: true }],
};

describe('the graphs of records of a workspace', () => {
  const engines: Engine[] = [];
  const start = (folder?: string): Engine => {
    const engine = new Engine(folder);
    engines.push(engine);
    return engine;
  };
  afterEach(async () => {
    for (const engine of engines.splice(0)) await engine.workspace.stop();
  });

  it('are there again at the next start', async () => {
    const one = start();
    expect(await one.ask('recordGraph.list', {})).toEqual([]);
    await one.ask('recordGraph.set', { graphs: [GRAPH] });
    expect(await one.ask('recordGraph.list', {})).toEqual([GRAPH]);
    await one.workspace.stop();
    engines.length = 0;
    expect(await start(one.folder).ask('recordGraph.list', {})).toEqual([GRAPH]);
  });

  it('are put aside where they cannot be read, and refused where they are too many or wrong', async () => {
    const { folder } = start();
    writeFileSync(join(folder, 'graphs.json'), '{"version":1,"graphs":[{}]}');
    const engine = start(folder);
    expect(await engine.ask('recordGraph.list', {})).toEqual([]);
    expect(existsSync(join(folder, 'graphs.json.damaged'))).toBe(true);
    const many = Array.from({ length: 25 }, (_, id) => ({ ...GRAPH, id }));
    await expect(engine.ask('recordGraph.set', { graphs: many })).rejects.toMatchObject({ code: 'request.invalid' });
    await expect(engine.ask('recordGraph.set', { graphs: [{ ...GRAPH, title: ' ' }] })).rejects.toMatchObject({ code: 'request.invalid' });
  });

  it('open as they were kept before: counts by a variable, and a number with its bounds', async () => {
    const { folder } = start();
    const { measure: _, of: _of, by: _by, display: _display, ...same } = GRAPH;
    const old = [
      { ...same, measure: 'records', variable: 'Fields[status]' },
      { ...same, id: 2, measure: 'records', variable: null },
      { ...same, id: 3, measure: 'number', variable: 'Fields[took]' },
    ];
    writeFileSync(join(folder, 'graphs.json'), JSON.stringify({ version: 1, graphs: old }));
    expect(await start(folder).ask('recordGraph.list', {})).toEqual([
      { ...GRAPH, by: ['Fields[status]'] },
      { ...GRAPH, id: 2 },
      { ...GRAPH, id: 3, measure: 'range', of: 'Fields[took]', display: 'chart' },
    ]);
    expect(existsSync(join(folder, 'graphs.json.damaged'))).toBe(false);
  });

  it('are asked for by a view: a number in its records', async () => {
    const engine = start();
    const { view } = await engine.ask('view.open', { query: {} });
    const asked = { measures: ['average' as const], of: 'Fields[n]', by: [], over: { buckets: 10 }, limit: 1 };
    expect(await engine.ask('view.measure', { view, ...asked })).toMatchObject({
      all: { series: [new Float64Array(0)] },
      complete: true,
    });
    await expect(engine.ask('view.measure', { view: 99, ...asked })).rejects.toMatchObject({ code: 'view.unknown' });
  });
});
