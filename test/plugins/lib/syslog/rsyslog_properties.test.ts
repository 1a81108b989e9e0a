import { describe, expect, it } from 'vitest';
import type { FieldType } from '../../../../plugins/lib/format/log_fields.ts';
import {
  DATE_OPTIONS,
  hostnameHeader,
  ignored,
  message,
  priority,
  propertyField,
  SEVERITY_PROPERTIES,
  severityHeader,
  tag,
  timeGenerated,
  timestamp,
} from '../../../../plugins/lib/syslog/rsyslog_properties.ts';
import { upToSpace } from '../../../../plugins/base/scan.ts';
import { WallClock } from '../../../../plugins/modules/time_zone.ts';
import { written } from '../../support/field_types.ts';

const NOW = 1_614_952_800e9;

describe('properties', () => {
  it.each<[name: string, value: string, calls: unknown[] | null]>([
    ['hostname', 'box1', [['x', 'box1']]],
    ['hostname', '', [['x', '']]],
    ['fromhost-ip', '::1', [['x', '::1']]],
    ['fromhost-ip', 'box1', null],
    ['app-name', 'a'.repeat(48), [['x', 'a'.repeat(48)]]],
    ['app-name', 'a'.repeat(49), null],
    ['msgid', '-', [['x', '-']]],
    ['$hour', '23', [['x', '23']]],
    ['$hour', '24', null],
    ['$hour-utc', '07', [['x', '07']]],
    ['$now', '2021-03-05', [['x', '2021-03-05']]],
    ['$now-utc', '2021-13-05', null],
    ['structured-data', '[a@1 b="c d"]', [['x', '[a@1 b="c d"]']]],
    ['$!name', 'any', [['x', 'any']]],
    ['$.name', 'a b', null],
    ['syslogseverity', '3', [['x', 3]]],
    ['syslogseverity-text', 'ERR', [['x', 3]]],
    ['syslogfacility', '23', [['x', 23]]],
    ['syslogfacility', '1234', null],
    ['syslogfacility-text', 'authpriv', [['x', 10]]],
    ['pri-text', 'auth.crit<34>', [['x', 4]]],
    ['pri-text', 'auth.crit', [['x', 4]]],
    ['pri-text', 'auth', null],
  ])('%s takes %j', (name, value, calls) => expect(written(propertyField(name) as FieldType, value)).toEqual(calls));

  it.each(['', 'msg', 'toString', 'hostname-utc', '$nothing', '__proto__'])('%j is none', (name) =>
    expect(propertyField(name)).toBeUndefined(),
  );
});

describe('headers', () => {
  const clock = new WallClock('+01:00');
  const hostname = propertyField('hostname') as FieldType;

  it.each<[name: string, type: FieldType, value: string, calls: unknown[] | null]>([
    ['ignored', ignored(hostname), 'box1', []],
    ['hostname', hostnameHeader(hostname), 'box1', [['hostname', 'box1']]],
    ['severity', severityHeader('syslogseverity-text'), 'warn', [['severity', 4]]],
    [
      'priority',
      priority(),
      '34',
      [
        ['severity', 2],
        ['syslogfacility', 4],
      ],
    ],
    [
      'tag',
      tag(true),
      'su[230]:',
      [
        ['programname', 'su'],
        ['pid', 230],
      ],
    ],
    ['tag', tag(false), 'su[230]', [['pid', 230]]],
    ['tag', tag(true), 'su', [['programname', 'su']]],
    ['tag', tag(true), 'su[2147483648]:', [['programname', 'su']]],
    ['tag', tag(true), 'su[x]:', null],
    ['message', message(upToSpace), 'words', [['payloadSlice', 'words']]],
  ])('%s %j', (_, type, value, calls) => expect(written(type, value)).toEqual(calls));

  it.each<[option: string, value: string]>([
    ['date-mysql', '20210305140759'],
    ['date-pgsql', '2021-03-05 14:07:59'],
    ['date-rfc3339', '2021-03-05T13:07:59Z'],
    ['date-rfc3164', 'Mar  5 14:07:59'],
    ['', 'Mar  5 14:07:59'],
    ['date-unixtimestamp', '1614949679'],
  ])('%j reads %j', (option, value) => {
    const calls = [timestamp, timeGenerated].map(
      (make) =>
        written(
          make(option, () => NOW, clock),
          value,
        )?.[0] as unknown[],
    );
    expect(calls.map(([, ns]) => Number(ns))).toEqual([1614949679e9, 1614949679e9]);
    expect(calls[1]?.[0]).toBe('x');
  });

  it('has types for all that say a severity, and readers for all options', () => {
    expect(SEVERITY_PROPERTIES.map((name) => written(severityHeader(name), name.endsWith('text') ? 'err' : '3'))).toEqual(
      SEVERITY_PROPERTIES.map(() => [['severity', 3]]),
    );
    expect(new Set(DATE_OPTIONS).size).toBe(6);
  });
});
