import { afterEach, describe, expect, it, vi } from 'vitest';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { fieldName, valueReader } from '../../../engine/store/values.ts';
import { until } from '../../until.ts';
import { closeAll, setUp, lines } from './value-fixtures.ts';

afterEach(async () => {
  vi.restoreAllMocks();
  await closeAll();
});

describe('valueReader', () => {
  const uuid = new Uint8Array(16);
  const batch = batchOf([
    { uuid, timestamp: 1n, type: 'a', pid: 7, fields: [{ name: 'x', valueType: 0, values: ['one', 'two'] }] },
    {
      uuid,
      timestamp: 2n,
      type: 'b',
      fields: [
        { name: 'x', valueType: 3, values: [1.5] },
        { name: 'ok', valueType: 4, values: [true] },
      ],
    },
    {
      uuid,
      timestamp: 3n,
      type: 'b',
      fields: [
        { name: 'x', valueType: 2, values: [9n] },
        { name: 'raw', valueType: 1, values: [Uint8Array.of(255)] },
      ],
    },
  ]);
  it.each([
    ['Fields[x]', ['one', '1.5', '9']],
    ['x', ['one', '1.5', '9']],
    ['ok', [null, 'true', null]],
    ['raw', [null, null, 'ff']],
    ['none', [null, null, null]],
    ['Type', ['a', 'b', 'b']],
    ['Pid', ['7', null, null]],
  ])('%s', (variable, expected) => {
    const read = valueReader(batch, variable);
    expect([0, 1, 2].map(read)).toEqual(expected);
  });

  it('knows names of fields', () => {
    expect(['Fields[a b]', 'Fields[a][0][1]', 'a'].map(fieldName)).toEqual(['a b', 'a', 'a']);
  });
});

describe('RecordView', () => {
  it('finds the row of a record, among one source and several, and not where the filter hides it', async () => {
    const { append, view } = setUp();
    await append(lines(300));
    const all = view();
    const some = view({ matcher: 'Severity == 3' });
    await until(() => all.complete && some.complete);
    expect(await all.locate(123)).toBe(123);
    expect(await some.locate(11)).toBe(1);
    expect(await some.locate(12)).toBeNull();
    expect(await all.locate(300)).toBeNull();
    await append(lines(300), 2);
    await until(() => all.complete);
    for (const id of [0, 17, 299, 300, 450, 599]) {
      const row = await all.locate(id);
      const [found] = await all.page(row ?? -1, 1);
      expect((found?.segment.firstId ?? 0) + (found?.row ?? 0)).toBe(id);
    }
  });

  it('keeps its revision while rows come at the end, and raises it when they come between', async () => {
    const { append, view } = setUp();
    await append(lines(100));
    const all = view();
    await until(() => all.complete);
    const { revision } = all;
    await append(lines(100, 50));
    await append(lines(100, 900));
    await until(() => all.total === 300);
    expect(all.revision).toBe(revision);
    await append(lines(10, 2000), 2);
    await until(() => all.total === 310);
    const mixed = all.revision;
    expect(mixed).toBeGreaterThan(revision);
    await append(lines(10, 3000), 1);
    await until(() => all.total === 320);
    expect(all.revision).toBe(mixed);
    await append(lines(10, 2500), 2);
    await until(() => all.total === 330);
    expect(all.revision).toBeGreaterThan(mixed);
    all.setQuery({});
    expect(all.revision).toBeGreaterThan(mixed + 1);
  });
});
