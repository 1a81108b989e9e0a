import { describe, expect, it } from 'vitest';
import { compileMatcher } from '../../../engine/matcher/matcher.ts';
import { parseRules } from '../../../engine/rules/folder.ts';
import { entriesOf, type SourceEntry } from '../../../engine/rules/logsources.ts';
import type { DetectionRule } from '../../../engine/rules/model.ts';
import { needsField, Program } from '../../../engine/rules/program.ts';
import { BatchViews } from '../../../engine/rules/views.ts';
import { batchOf, ruleOf, type Record } from './records.ts';

const rulesOf = (...searches: readonly string[]): DetectionRule[] =>
  searches.flatMap((search) => parseRules(ruleOf(search), search).rules.filter((rule) => rule.kind === 'detection'));
const [AUDIT = null] = entriesOf({ product: 'linux', category: 'process_creation' });
const [WINDOWS = null] = entriesOf({ product: 'windows' });

interface Run {
  readonly entry?: SourceEntry | null;
  readonly where?: string;
  readonly rows?: readonly number[];
}

/** The rows that one rule hits. */
function rowsOf(search: string, records: readonly Record[], { entry = WINDOWS, where, rows }: Run = {}): number[] {
  const found: number[] = [];
  const narrowing = where === undefined ? null : compileMatcher(where);
  const program = new Program(
    entry,
    rulesOf(search).map((rule) => ({ rule, where: narrowing })),
  );
  // A batch says nothing about the next one, but for events that go on.
  const again = entry?.together === undefined ? [batchOf([{ fields: { other: 1 } }]), batchOf(records)] : [];
  for (const batch of [batchOf(records), ...again]) {
    found.length = 0;
    program.run({ batch, views: new BatchViews(batch), rows: rows === undefined ? null : Uint32Array.from(rows) }, (_, row) =>
      found.push(row),
    );
  }
  return found;
}

const users = ['root', 'guest', 'Root', 'rooted'].map((user) => ({ fields: { user } }));
const ROOT = 's: {user: root}\ncondition: s';

describe('a program', () => {
  it.each<[what: string, search: string, run: Run, expected: readonly number[]]>([
    ['finds a text', ROOT, {}, [0, 2]],
    ['looks at some rows only', ROOT, { rows: [1, 2] }, [2]],
    ['narrows by a matcher', ROOT, { where: "Fields[user] == 'root'" }, [0]],
    ['narrows some rows', ROOT, { where: "Fields[user] == 'root'", rows: [1, 2, 3] }, []],
    ['says what is not there of a source that is known', 's: {user: root}\ncondition: not s', {}, [1, 3]],
    ['says no such thing of any other log', 's: {user: root}\ncondition: not s', { entry: null }, []],
    ['tests values without a text', "s: {user|re: '^.{5}$'}\ncondition: s", {}, [1]],
    ['needs one of several texts', 's: {user: [guest, rooted]}\ncondition: s', {}, [1, 3]],
    ['has the same test in both parts', 's: {user: guest}\nt: {user: guest}\ncondition: s and not t or t', {}, [1]],
  ])('%s', (_, search, run, expected) => expect(rowsOf(search, users, run)).toEqual(expected));

  const event = (id: number, fields: Record['fields']): Record => ({ fields: { event: id, ...fields } });
  it.each<[what: string, records: readonly Record[], rows: readonly number[] | undefined, expected: readonly number[]]>([
    ['neighbours', [event(1, { exe: '/bin/nc' }), event(1, { cwd: '/tmp' })], undefined, [0]],
    ['of two events', [event(1, { exe: '/bin/nc' }), event(2, { cwd: '/tmp' })], undefined, []],
    ['not all of them asked for', [event(1, { exe: '/bin/nc' }), event(1, {}), event(1, { cwd: '/tmp' })], [0, 2], []],
  ])('looks at records of one event together: %s', (_, records, rows, expected) => {
    const search = 's: {Image: /bin/nc, CurrentDirectory: /tmp}\ncondition: s';
    expect(rowsOf(search, records, { entry: AUDIT, ...(rows === undefined ? {} : { rows }) })).toEqual(expected);
  });

  const [exe, cwd] = [{ exe: '/bin/nc' }, { cwd: '/tmp' }];
  it.each<[what: string, batches: readonly (readonly Record[])[], expected: readonly string[]]>([
    ['in two batches', [[event(1, exe)], [event(1, cwd), event(2, exe)]], ['1:0']],
    ['in three', [[event(1, exe)], [event(1, {})], [event(1, cwd)]], ['2:0']],
    ['with others between', [[event(1, exe)], [event(9, exe)], [event(1, cwd)], [event(9, cwd)]], ['2:0', '3:0']],
    [
      'told once',
      [
        [event(1, exe), event(1, cwd)],
        [event(1, {}), event(1, cwd)],
      ],
      ['0:0'],
    ],
    ['that had ended before', [[event(1, exe), event(2, {})], [event(1, cwd)]], []],
    ['too many ago', [[event(1, exe)], ...Array.from({ length: 8 }, (_, i) => [event(i + 2, {})]), [event(1, cwd)]], []],
    ['too long', [Array.from({ length: 65 }, () => event(1, exe)), [event(1, cwd)]], []],
  ])('joins an event that is torn at the end of a batch: %s', (_, batches, expected) => {
    const program = new Program(
      AUDIT,
      rulesOf('s: {Image: /bin/nc, CurrentDirectory: /tmp}\ncondition: s').map((rule) => ({ rule, where: null })),
    );
    const hits: string[] = [];
    for (const [i, records] of batches.entries()) {
      const batch = batchOf(records);
      program.run({ batch, views: new BatchViews(batch), rows: null }, (_rule, row) => hits.push(`${i}:${row}`));
    }
    expect(hits).toEqual(expected);
  });
});

it.each([
  ['s: {a: x}\ncondition: s', true],
  ['s: [x]\ncondition: s', false],
  ["s: {a: '*'}\ncondition: s", false],
  ['s: {a: x}\ncondition: not s', false],
  ['s: {a: x}\nt: [y]\ncondition: s and t', true],
  ['s: {a: x}\nt: [y]\ncondition: s or t', false],
])('%j needs the text of a field: %s', (search, expected) =>
  expect(rulesOf(search).map(({ condition }) => needsField(condition))).toEqual([expected]),
);
