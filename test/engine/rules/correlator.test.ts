import { describe, expect, it } from 'vitest';
import { hitsOf, ruleOf, type Record } from './records.ts';

const LOGIN = ruleOf('sel:\n    event: failed\ncondition: sel', 'product: any', 'id: login\nname: login\n');
const correlation = (body: string, more = ''): string =>
  `${LOGIN}---\ntitle: Many\nlevel: high\n${more}correlation:\n${body.replaceAll(/^/gm, '    ')}\n`;
const login = (time: number, user: string, more: Record['fields'] = {}): Record => ({ time, fields: { event: 'failed', user, ...more } });

describe('a correlation', () => {
  const counting = correlation('type: event_count\nrules: [login]\ngroup-by: [user]\ntimespan: 60s\ncondition:\n    gte: 3');
  it.each([
    ['within the time', counting, [login(0, 'a'), login(1, 'b'), login(20, 'a'), login(59, 'a')], ['3 Many']],
    ['too slowly', counting, [login(0, 'a'), login(30, 'a'), login(61, 'a')], []],
    ['and begins anew', counting, [0, 1, 2, 3, 4, 5].map((time) => login(time, 'a')), ['2 Many', '5 Many']],
    ['without a value of the group', counting, [0, 1, 2].map((time) => ({ time, fields: { event: 'failed' } })), []],
    [
      'of values',
      correlation('type: value_count\nrules: [login]\ngroup-by: [host]\ntimespan: 1m\ncondition:\n    field: user\n    gt: 1'),
      [login(0, 'a', { host: 'h' }), login(1, 'a', { host: 'h' }), login(2, 'b', { host: 'h' })],
      ['2 Many'],
    ],
    [
      'of a sum',
      correlation('type: value_sum\nrules: [login]\ntimespan: 1m\ncondition:\n    field: bytes\n    gt: 10'),
      [login(0, 'a', { bytes: 6 }), login(1, 'b', { bytes: 6 })],
      ['1 Many'],
    ],
    [
      'of an average',
      correlation('type: value_avg\nrules: [login]\ntimespan: 1m\ncondition:\n    field: bytes\n    gt: 10'),
      [login(0, 'a', { bytes: 4 }), login(1, 'b', { bytes: 18 })],
      ['1 Many'],
    ],
    [
      'of what is rare',
      correlation('type: value_percentile\nrules: [login]\ntimespan: 1m\ncondition:\n    field: user\n    lte: 20'),
      [...Array.from({ length: 5 }, (_, i) => login(i, 'a')), login(6, 'b'), login(7, 'a')],
      ['5 Many'],
    ],
    [
      'whose rules tell, too',
      correlation('type: event_count\nrules: [login]\ntimespan: 1m\ncondition:\n    gte: 2\ngenerate: true'),
      [login(0, 'a'), login(1, 'a')],
      ['0 A rule', '1 A rule', '1 Many'],
    ],
  ])('counts %s', (_, rules, records, expected) => {
    expect(hitsOf(rules, records)).toEqual(expected);
  });

  const chained = `${LOGIN}---
title: Good
id: good
name: good
logsource: { product: any }
detection: { sel: { event: done }, condition: sel }
---
title: Several
name: several
correlation: { type: event_count, rules: [login], group-by: [user], timespan: 60s, condition: { gte: 2 } }
---
title: Guessed
correlation:
    type: temporal_ordered
    rules: [several, good]
    group-by: [who]
    timespan: 5m
    aliases: { who: { several: user, good: account } }
`;
  const done = (time: number, account: string): Record => ({ time, fields: { event: 'done', account } });

  it('follows others, in their order, with fields of other names', () => {
    expect(hitsOf(chained, [login(0, 'a'), login(1, 'a'), done(2, 'b'), done(3, 'a')])).toEqual(['3 Guessed']);
    expect(hitsOf(chained, [done(0, 'a'), login(1, 'a'), login(2, 'a')])).toEqual([]);
    expect(hitsOf(chained, [login(0, 'a'), login(1, 'a'), done(400, 'a')])).toEqual([]);
    expect(hitsOf(chained.replace('temporal_ordered', 'temporal'), [done(0, 'a'), login(1, 'a'), login(2, 'a')])).toEqual(['2 Guessed']);
  });
});
