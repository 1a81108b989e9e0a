import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FieldFacts, Overview, RecordQuery } from '../../../../engine/api/types.ts';
import { startSandboxes } from '../../../../engine/plugins/starter.ts';
import { until } from '../../../until.ts';
import { Engine } from '../../workspace/engine-fixture.ts';

const REQUESTS = Array.from(
  { length: 60 },
  (_, i) =>
    `192.0.2.${i % 7} - - [05/Mar/2021:13:${10 + (i % 40)}:00 +0000] "GET /p/${i} HTTP/1.1" ${i % 10 === 0 ? 503 : 200} ${i * i} "-" "curl/8.10.1"\n`,
);
const ORDERS = [{ n: 1, ok: true, mixed: 'a' }, { n: 2.5, mixed: 3 }, { n: 2.5 }].map((fields) => `${JSON.stringify(fields)}\n`);

describe('the overview of a view', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = new Engine(undefined, startSandboxes());
    await engine.open(engine.file('access.log', REQUESTS.join('')));
    await engine.open(engine.file('orders.json', ORDERS.join('').repeat(10)));
    await engine.open(engine.file('words.txt', 'alpha beta\ngamma delta\n'));
    const read = async (): Promise<boolean> => {
      const { sources } = await engine.ask('engine.state', {});
      return sources.every(({ state, records }) => state === 'following' && records > 0);
    };
    await until(read, 'all files');
  });
  afterAll(() => engine.workspace.stop());

  async function overview(query: RecordQuery = {}, more: { values?: number; field?: string } = {}): Promise<Overview> {
    const { view } = await engine.ask('view.open', { query });
    const ask = { view, values: more.values ?? 100, field: more.field };
    let found = await engine.ask('view.overview', ask);
    while (!found.complete) found = await engine.ask('view.overview', ask);
    await engine.ask('view.close', { view });
    return found;
  }
  const fieldOf = ({ fields }: Overview, name: string): FieldFacts | undefined => fields.find((field) => field.name === name);
  const counted = ({ values }: FieldFacts): [string, number, number][] => values.map(({ value, count, missed }) => [value, count, missed]);

  it('has each field with its type, coverage, values and course', async () => {
    const found = await overview({ sources: [1] });
    expect([found.records, found.total, found.counts.reduce((sum, one) => sum + one, 0)]).toEqual([60, 60, 60]);
    const address = fieldOf(found, 'remote_addr') as FieldFacts;
    expect(address).toMatchObject({ isHeader: false, types: [{ type: 'string', count: 60 }], representation: 'ipv4', records: 60 });
    expect(counted(address).slice(0, 2)).toEqual([
      ['192.0.2.0', 9, 0],
      ['192.0.2.1', 9, 0],
    ]);
    expect([address.distinct, address.isDistinctExact, address.numbers]).toEqual([7, true, null]);
    for (const { count, counts } of address.values) expect([counts.length, counts.reduce((sum, one) => sum + one, 0)]).toEqual([48, count]);
    expect(counted(fieldOf(found, 'status') as FieldFacts)).toEqual([
      ['200', 54, 0],
      ['503', 6, 0],
    ]);
    expect(fieldOf(found, 'Type')).toMatchObject({ isHeader: true, distinct: 1 });
  });

  it('has the distribution of numbers', async () => {
    const { numbers } = fieldOf(await overview({ sources: [1] }), 'body_bytes_sent') as FieldFacts;
    expect(numbers).toMatchObject({ count: 60, minimum: 0, maximum: 59 * 59, p50: 29 * 29, p95: 56 * 56, p99: 58 * 58, exact: true });
    expect(numbers?.distribution.counts.reduce((sum, one) => sum + one, 0)).toBe(60);
    expect(numbers?.averages).toHaveLength(48);
  });

  it('tells fields of several types and fields that not all records have', async () => {
    const found = await overview({ sources: [2] });
    expect(fieldOf(found, 'mixed')).toMatchObject({ records: 20, distinct: 2, numbers: { count: 10 } });
    expect(fieldOf(found, 'mixed')?.types).toHaveLength(2);
    expect(fieldOf(found, 'ok')).toMatchObject({ records: 10, types: [{ type: 'bool', count: 10 }] });
    const [version] = found.loggers[0]?.types[0]?.versions ?? [];
    expect(version?.fields.find(({ name }) => name === 'mixed')).toMatchObject({ type: 'mismatch', optional: true, count: 20 });
  });

  it('is that of the records that the filter shows, its schema, too', async () => {
    const found = await overview({ sources: [1], matcher: 'Fields[status] == 503' });
    expect([found.records, fieldOf(found, 'status')?.distinct]).toEqual([6, 1]);
    expect(found.loggers.map(({ name, count }) => [name, count])).toEqual([['access.log', 6]]);
    expect((await overview({ text: 'nobody' })).fields).toEqual([]);
  });

  it('tells headers of a log without fields, and one field alone', async () => {
    expect((await overview({ sources: [3] })).fields.map(({ name }) => name)).toContain('Logger');
    const alone = await overview({}, { values: 2, field: 'remote_addr' });
    expect(alone.fields.map(({ name, values }) => [name, values.length])).toEqual([['remote_addr', 2]]);
  });
});
