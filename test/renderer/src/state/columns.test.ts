import { SvelteMap } from 'svelte/reactivity';
import { expect, test } from 'vitest';
import type { SourceInfo } from '../../../../engine/api/types.ts';
import { Columns } from '../../../../renderer/src/state/columns.svelte.ts';
import type { Engine } from '../../../../renderer/src/state/engine.svelte.ts';
import type { Prefs } from '../../../../renderer/src/state/prefs.svelte.ts';

const source = (id: number, name: string, columns: string[], lengths: Record<string, number> = {}): SourceInfo =>
  ({ id, columns, records: 10, tabular: false, lengths, decoder: { name } }) as unknown as SourceInfo;

function columnsOf(sources: readonly SourceInfo[], only: readonly number[] = []): Columns {
  const prefs = { columns: {}, tables: {}, table: { widths: {}, hidden: [] }, stackBy: 'auto' } as unknown as Prefs;
  return new Columns(
    prefs,
    { sources } as unknown as Engine,
    () => only,
    () => true,
    () => null,
  );
}

test('sources of several kinds have the columns that all of them have, and a histogram by the status in them', () => {
  const access = source(1, 'nginx_access', ['status', 'request', 'remote_addr']);
  const json = source(2, 'json_lines', ['dur_ms', 'status', 'user']);
  const program = source(3, 'program_log', ['thread']);
  expect(columnsOf([access]).names).toEqual(['status', 'request', 'remote_addr']);
  expect(columnsOf([access, json]).names).toEqual(['status']);
  expect(columnsOf([access, json]).stackBy).toBe('Fields[status]');
  expect(columnsOf([access, json, program]).names).toEqual([]);
  expect(columnsOf([access, json, program]).stackBy).toBeNull();
  expect(columnsOf([access, json, program], [2]).names).toEqual(['dur_ms', 'status', 'user']);
});

test('a field may be called as anything: what objects inherit, or with a line feed in it', () => {
  const columns = columnsOf([source(1, 'json_lines', ['constructor', 'a\nb'], { constructor: 20, 'a\nb': 5 })]);
  expect(columns.names).toEqual(['constructor', 'a\nb']);
  expect(columns.lengths).toEqual({ constructor: 20, 'a\nb': 5 });
  expect(columns.layout.fields.map(({ width }) => Number.isFinite(width))).toEqual([true, true]);
});

test('columns keep their widths while the same rows are shown, but for the first records', () => {
  const told = new SvelteMap<string, unknown>([['list', 1]]);
  const tell = (records: number, length: number): void =>
    void told.set('sources', [{ ...source(1, 'json_lines', ['user'], { user: length }), records }]);
  tell(10, 8);
  const columns = new Columns(
    { columns: {}, tables: {}, table: { widths: {}, hidden: [] }, stackBy: 'auto' } as unknown as Prefs,
    {
      get sources() {
        return told.get('sources');
      },
    } as unknown as Engine,
    () => [],
    () => true,
    () => told.get('list'),
  );
  const steps: [records: number, length: number, list: number, expected: number][] = [
    [10, 8, 1, 8],
    [300, 12, 1, 12],
    [5000, 20, 1, 12],
    [5000, 20, 2, 20],
    [9000, 25, 2, 20],
  ];
  for (const [records, length, list, expected] of steps) {
    tell(records, length);
    told.set('list', list);
    expect(columns.lengths).toEqual({ user: expected });
  }
});
