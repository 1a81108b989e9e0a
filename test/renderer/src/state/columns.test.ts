import { SvelteMap } from 'svelte/reactivity';
import { expect, test } from 'vitest';
import type { SourceInfo } from '../../../../engine/api/types.ts';
import { Columns } from '../../../../renderer/src/state/columns.svelte.ts';
import type { Engine } from '../../../../renderer/src/state/engine.svelte.ts';
import type { Prefs } from '../../../../renderer/src/state/prefs.svelte.ts';

const source = (id: number, name: string, columns: string[], lengths: Record<string, number> = {}): SourceInfo =>
  ({ id, columns, records: 10, tabular: false, lengths, decoder: { name } }) as unknown as SourceInfo;

const OPTIONS = { shown: () => [], named: () => [], severities: () => true, list: () => null };

function columnsOf(sources: readonly SourceInfo[], only: readonly number[] = []): Columns {
  const prefs = { columns: {}, tables: {}, table: { widths: {}, hidden: [] }, stackBy: 'auto' } as unknown as Prefs;
  return new Columns({ ...OPTIONS, prefs, engine: { sources }, shown: () => only });
}

test('the columns are those of the form that the shown records share; several forms have their summaries', () => {
  const access = source(1, 'nginx_access', ['status', 'request', 'remote_addr']);
  const other = source(4, 'apache_access', ['status', 'request', 'remote_addr']);
  const rotated = source(5, 'nginx_access', ['status', 'request']);
  const json = source(2, 'json_lines', ['dur_ms', 'status', 'user']);
  const program = source(3, 'program_log', ['thread']);
  const [plain, raw] = [source(6, 'nginx_error', []), { ...source(7, '', []), decoder: null }];
  const machine = { ...source(8, 'linux_loadavg', []), kind: 'workstation' as const };
  const all = [access, other, rotated, json, program, plain, raw, machine];
  const cases: [shown: SourceInfo[], names: string[], more: string[]][] = [
    [[access], ['status', 'request', 'remote_addr'], []],
    [[access, other], ['status', 'request', 'remote_addr'], []],
    [[access, rotated], ['status', 'request'], []],
    [[other, rotated], [], ['summary']],
    [[access, json], [], ['summary']],
    [[plain, raw], [], ['summary']],
    [[json], ['dur_ms', 'status', 'user'], []],
    [[raw], [], []],
    [[machine], [], ['summary']],
  ];
  for (const [shown, names, more] of cases) {
    const columns = columnsOf(
      all,
      shown.map(({ id }) => id),
    );
    expect(columns.names).toEqual(names);
    expect(columns.more).toEqual(more);
  }
});

test('the histogram is stacked by the status in the columns, or by the types of several forms without severities', () => {
  const access = source(1, 'nginx_access', ['status', 'request', 'remote_addr']);
  const program = source(3, 'program_log', ['thread']);
  expect(columnsOf([access]).stackBy).toBe('Fields[status]');
  expect(columnsOf([access, program]).stackBy).toBeNull();
});

test('a field that the filter names has a column, which stays in a narrow window; columns that someone chose stay as they are', () => {
  const access = source(1, 'nginx_access', ['status', 'request']);
  const named = (prefs: object, ...sources: SourceInfo[]): Columns =>
    new Columns({
      ...OPTIONS,
      prefs: { columns: {}, tables: {}, table: { widths: {}, hidden: [] }, stackBy: 'auto', ...prefs } as unknown as Prefs,
      engine: { sources },
      named: () => ['status', 'upstream', 'Hostname'],
    });
  const { layout } = named({}, access);
  expect(layout.fields.map(({ name }) => name)).toEqual(['status', 'request', 'upstream', 'Hostname']);
  expect(layout.kept).toEqual(['Fields[status]', 'Fields[upstream]', 'Hostname']);
  expect(named({}, access, source(2, 'redis', ['role'])).names).toEqual(['status', 'upstream', 'Hostname']);
  const chosen = { columns: { 'nginx_access status request': [{ name: 'request', width: 100 }] } };
  expect(named(chosen, access).names).toEqual(['request']);
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
  const engine = {
    get sources() {
      return told.get('sources');
    },
  } as unknown as Engine;
  const prefs = { columns: {}, tables: {}, table: { widths: {}, hidden: [] }, stackBy: 'auto' } as unknown as Prefs;
  const columns = new Columns({ ...OPTIONS, prefs, engine, list: () => told.get('list') });
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
