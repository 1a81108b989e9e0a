import { describe, expect, it } from 'vitest';
import { UNIVERSAL, zoneNamed } from '../../../../engine/cli/view/clock.ts';
import { ClockWriter } from '../../../../engine/cli/view/clock.ts';
import { wantsColours } from '../../../../engine/cli/view/colours.ts';
import { labelsOf } from '../../../../engine/cli/view/labels.ts';
import { LineWriter, type LineForm } from '../../../../engine/cli/view/lines.ts';
import { pagerCommand } from '../../../../engine/cli/view/pager.ts';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { parseTemplate } from '../../../../engine/message/summary/template.ts';
import { ValueType, type Field, type Message } from '../../../../engine/message/types.ts';

const FORM: LineForm = { hasColours: false, zone: UNIVERSAL, fold: false, fields: null, hide: [], labels: { width: 0 }, machine: 'here' };
const field = (name: string, value: string | number, unit = ''): Field =>
  typeof value === 'string'
    ? { name, valueType: ValueType.STRING, values: [value] }
    : { name, valueType: ValueType.DOUBLE, representation: unit, values: [value] };

function line(message: Partial<Message>, form: Partial<LineForm> = {}, template: string | null = null): string {
  const batch = batchOf([{ uuid: new Uint8Array(16), timestamp: 0n, hostname: 'here', logger: 'a.log', fields: [], ...message }]);
  const plan = { template: template === null ? null : parseTemplate(template), columns: [] };
  const lines = new LineWriter({ ...FORM, ...form });
  lines.expect({ batch, rows: Uint32Array.of(0) });
  return lines.line(batch, 0, { name: 'a.log', label: 'a.log', index: 0, plan }).slice('1970-01-01 00:00:00 '.length);
}

describe('LineWriter', () => {
  it.each<[what: string, message: Partial<Message>, form: Partial<LineForm>, template: string | null, line: string]>([
    ['fields that a summary tells once', { fields: [field('a', 'x'), field('b', 2)] }, {}, '{a}', 'x b=2\n'],
    ['the field of an alternative that was not taken', { fields: [field('a', 'x'), field('b', 'y')] }, {}, '{a|b}', 'x b=y\n'],
    ['those of a part that has not all of its values', { fields: [field('a', 'x'), field('c', 'z')] }, {}, '[{a} {b}|{c}]', 'z a=x\n'],
    ['no dash for nothing', { payload: 'hello', fields: [field('a', '-'), field('b', '')] }, {}, null, 'hello\n'],
    [
      'values as people write them',
      { payload: 'p', fields: [field('a', 'two words'), field('b', 1500, 'B'), field('c', 'x=1')] },
      {},
      null,
      'p a="two words" b=1.5 kB c="x=1"\n',
    ],
    [
      'headers of a record, not those of its file',
      { payload: 'p', pid: 7, hostname: 'web1', logger: 'org.Shop' },
      {},
      null,
      'p logger=org.Shop host=web1 pid=7\n',
    ],
    ['no header that is hidden', { payload: 'p', pid: 7, hostname: 'web1' }, { hide: ['host', 'Pid'] }, null, 'p\n'],
    ['all lines of a text', { payload: 'one\n\ttwo\r\nthree\n' }, {}, null, 'one\n        two\n    three\n'],
    ['how many lines there are', { payload: 'one\ntwo\nthree' }, { fold: true }, null, 'one (+2 lines)\n'],
    [
      'the whole text where the summary is not its first line',
      { payload: 'one\ntwo', fields: [field('a', 'x')] },
      {},
      '{a}',
      'x\n    one\n    two\n',
    ],
    ['a text of any length', { payload: 'x'.repeat(2000) }, {}, null, `${'x'.repeat(2000)}\n`],
    ['no forged line', { payload: 'a\u2028b\u202ec', fields: [field('k\ny', 'v')] }, {}, null, 'a b\\u202ec k\\ny=v\n'],
    [
      'what was asked for',
      { payload: 'p', severity: 3, pid: 7, fields: [field('a', 'x')] },
      { fields: ['a', 'pid', 'Payload', 'none'] },
      null,
      'ERROR  a=x pid=7 Payload=p\n',
    ],
  ])('shows %s', (_, message, form, template, expected) => {
    expect(line(message, form, template)).toBe(expected);
  });
});

it.each<[asked: string, isTerminal: boolean, env: Record<string, string>, wanted: boolean]>([
  ['auto', true, {}, true],
  ['auto', false, {}, false],
  ['auto', true, { NO_COLOR: '1' }, false],
  ['auto', true, { NO_COLOR: '' }, true],
  ['auto', true, { TERM: 'dumb' }, false],
  ['auto', false, { FORCE_COLOR: '1' }, true],
  ['auto', true, { FORCE_COLOR: '0' }, false],
  ['always', false, { NO_COLOR: '1' }, true],
  ['never', true, { FORCE_COLOR: '1' }, false],
])('colours: %s, terminal %s, %j: %s', (asked, isTerminal, env, wanted) => {
  expect(wantsColours(asked, isTerminal, env)).toBe(wanted);
});

it.each<[env: Record<string, string>, command: string | null]>([
  [{}, 'less'],
  [{ PAGER: 'most -s' }, 'most -s'],
  [{ PAGER: 'most', SLUICEBOX_PAGER: 'less -S' }, 'less -S'],
  [{ PAGER: 'cat' }, null],
  [{ PAGER: 'most', SLUICEBOX_PAGER: '' }, null],
])('pager: %j is %s', (env, command) => {
  expect(pagerCommand(env)).toBe(command);
});

it.each<[names: string[], labels: string[], width: number]>([
  [['a/b.log'], ['a/b.log'], 0],
  [['a/b.log', 'a/c.log.1'], ['b.log', 'c.log.1'], 7],
  [['a/x/app.log', 'b/x/app.log', 'app.log'], ['a/x/app.log', 'b/x/app.log', 'app.log'], 11],
  [['a.log', 'a.log'], ['a.log', 'a.log'], 5],
])('labels of %j', (names, labels, width) => {
  expect(labelsOf(names)).toEqual({ labels, width });
});

it.each<[zone: string, ns: bigint, written: string]>([
  ['UTC', 1_500_000_000n, '1970-01-01 00:00:01.500'],
  ['UTC', -1n, '1969-12-31 23:59:59.999'],
  ['Europe/Berlin', 1_774_747_800_000_000_000n, '2026-03-29 03:30:00.000'],
  ['Asia/Kolkata', 0n, '1970-01-01 05:30:00.000'],
  ['America/St_Johns', 0n, '1969-12-31 20:30:00.000'],
])('writes times in %s', (zone, ns, written) => {
  const clock = new ClockWriter(zoneNamed(zone));
  clock.expect(BigInt64Array.of(1n));
  expect(clock.write(ns)).toBe(written);
});
