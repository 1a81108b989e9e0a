import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operations, RecordQuery } from '../../../engine/api/types.ts';
import { startSandboxes } from '../../../engine/plugins/starter.ts';
import { operationCondition } from '../../../renderer/src/lib/operations.ts';
import { until } from '../../until.ts';
import { lookAtLookups } from '../../../engine/lookup/folder.ts';
import { Engine } from './engine-fixture.ts';

const LINES = Array.from({ length: 60 }, (_, i) => {
  const id = i % 10 === 9 ? '' : `,"request_id":"r-${i % 4} 'x'"`;
  const time = new Date(1_700_000_000_000 + i * 1000).toISOString();
  return `{"time":"${time}","level":"${i % 6 === 0 ? 'error' : 'info'}","msg":"step ${i}","pid":${100 + (i % 3)}${id}}\n`;
});

describe('the operations of a view', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = new Engine(undefined, startSandboxes());
    await engine.open(engine.file('steps.jsonl', LINES.join('')));
    await until(
      async () => (await engine.ask('engine.state', {})).sources.some(({ state, records }) => state === 'following' && records === 60),
      'the file',
    );
  });
  afterAll(() => engine.workspace.stop());

  async function gather(variable: string, query: RecordQuery = {}): Promise<Operations> {
    const { view } = await engine.ask('view.open', { query });
    const wish = { view, variable, order: 'count', down: true, text: '', limit: 100 } as const;
    let found = await engine.ask('view.operations', wish);
    while (!found.complete) found = await engine.ask('view.operations', wish);
    // They are known: another order needs no counting.
    const again = await engine.ask('view.operations', { ...wish, order: 'start', down: false });
    expect(again).toMatchObject({ complete: true, records: found.records });
    await engine.ask('view.close', { view });
    return found;
  }

  it('have their records, errors and times, and a condition that finds these records', async () => {
    const found = await gather('Fields[request_id]');
    expect(found).toMatchObject({ distinct: 4, missing: 6, records: 60, total: 60 });
    expect(found.operations.reduce((sum, { count }) => sum + count, 0)).toBe(54);
    expect(found.operations.reduce((sum, { errors }) => sum + errors, 0)).toBe(
      LINES.filter((line) => /error.*request_id/.test(line)).length,
    );
    for (const operation of found.operations) {
      const matcher = operationCondition([], { variable: 'Fields[request_id]', name: 'request_id' }, operation);
      const { total, rows } = await engine.rows({ matcher: matcher ?? '' });
      expect(total, operation.value).toBe(operation.count);
      expect([rows[0]?.time, rows.at(-1)?.time]).toEqual([operation.first, operation.last]);
    }
  });

  it('are those of the records that the filter shows, by a header, too', async () => {
    const found = await gather('Pid', { matcher: 'Severity <= 3' });
    expect(found.operations.every(({ count, errors }) => count === errors)).toBe(true);
    expect(found.total).toBe(10);
  });

  it('are those of the values that a lookup in the folder of the workspace knows', async () => {
    mkdirSync(join(engine.folder, 'lookups'));
    writeFileSync(join(engine.folder, 'lookups', 'jobs.csv'), "id,team\nr-1 'x',red\nr-2 'x',blue\nr-3 'x',red\n");
    const { total } = await engine.rows({ matcher: "Fields[request_id]@jobs.team == 'red'" });
    expect(total).toBe(LINES.filter((line) => /"r-[13] /.test(line)).length);
    await expect(engine.rows({ matcher: 'Fields[request_id] in @job' })).rejects.toThrow('did you mean jobs?');
  });

  it('are others, in a view that is open, when the list has changed; a broken list is told', async () => {
    const list = join(engine.folder, 'lookups', 'jobs.csv');
    const { view } = await engine.ask('view.open', { query: { matcher: 'Fields[request_id] in @jobs' } });
    const count = (id: string): number => LINES.filter((line) => line.includes(`"${id} `)).length;
    const shown = async (): Promise<number> => (await engine.ask('view.rows', { view, start: 0, count: 0, columns: [] })).total;
    await expect.poll(shown).toBe(count('r-1') + count('r-2') + count('r-3'));
    for (const text of ["id,team\nr-2 'x',blue\n", "id\nr-3 'x',3,4\n"]) {
      writeFileSync(list, text);
      for (let i = 0; i < 2; i++) lookAtLookups();
      await expect.poll(shown).toBe(count('r-2'));
    }
    const { notices } = engine.workspace;
    expect(notices.list().map(({ level, code, text }) => [level, code, text])).toEqual([
      ['info', 'lookup.read', 'Lookup jobs has changed, and was read again.'],
      [
        'warning',
        'lookup.unusable',
        `Lookup jobs has changed, and goes on with what it had: ${list}:2: the row has 3 cells, and the first one has 1`,
      ],
    ]);
    await engine.ask('view.close', { view });
  });

  it('are none of what no record has', async () => {
    expect(await gather('Fields[nothing]')).toMatchObject({ operations: [], distinct: 0, missing: 60 });
  });
});
