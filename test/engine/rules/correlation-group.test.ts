import { describe, expect, it } from 'vitest';
import { Group, MAX_GROUP_EVENTS } from '../../../engine/rules/correlation-group.ts';
import type { CorrelationRule, CorrelationType } from '../../../engine/rules/model.ts';

const HEAD = { kind: 'correlation', title: 'Many', id: null, name: null, level: 'high', tags: [], file: 'x.yml', line: 1 } as const;
const REST = { groupBy: [], bounds: {}, fields: ['v'], aliases: new Map<string, ReadonlyMap<string, string>>(), generate: false };
const group = (type: CorrelationType): Group => {
  const correlation: CorrelationRule = { ...HEAD, ...REST, type, rules: ['a', 'b', 'c'], spanMs: 10 };
  return new Group(correlation);
};

/** @param events each with its time, the place of its rule and its value */
const numbers = (of: Group, events: string): (number | null)[] =>
  events.split(' ').map((event) => {
    const [time, rule, value = ''] = event.split('/');
    return of.add({ timeMs: Number(time), rule: Number(rule), value });
  });

describe('the number of a group', () => {
  it.each<[type: CorrelationType, what: string, events: string, expected: readonly (number | null)[]]>([
    ['event_count', 'leaves out what is as old as the time', '0/0 9/0 10/0 40/0', [1, 2, 2, 1]],
    ['value_count', 'forgets values with their last event', '0/0/x 1/0/y 9/0/x 10/0/x 12/0/x', [1, 2, 2, 2, 1]],
    ['temporal', 'is that of different rules', '0/0 1/0 2/2 12/1', [1, 1, 2, 1]],
    ['value_sum', 'takes what is no number for nothing', '0/0/2.5 1/0/x 2/0/-1 11/0/4', [2.5, 2.5, 1.5, 3]],
    ['value_sum', 'has nothing of what is endless', '0/0/-Infinity 1/0/1e999 2/0/5 20/0/6', [0, 0, 5, 6]],
    ['value_avg', 'is that of the events within the time', '0/0/4 1/0/8 10/0/10', [4, 6, 9]],
    ['value_percentile', 'is the share of a value, from two events on', '0/0/x 1/0/x 2/0/y 3/0/x', [null, 100, 100 / 3, 75]],
  ])('%s %s', (type, _, events, expected) => expect(numbers(group(type), events)).toEqual(expected));

  it('is bounded, and right for long', () => {
    const many = group('event_count');
    for (let i = 0; i < MAX_GROUP_EVENTS + 5; i++) many.add({ timeMs: 0, value: '', rule: 0 });
    expect(many.size).toBe(MAX_GROUP_EVENTS);
    const moving = group('value_sum');
    for (let timeMs = 0; timeMs < 5000; timeMs++) expect(moving.add({ timeMs, value: '2', rule: 0 })).toBe(Math.min(timeMs + 1, 10) * 2);
    expect(moving.size).toBe(10);
  });
});

describe('an ordered correlation', () => {
  it.each([
    ['all in their order', '0/0 1/1 2/2', 3],
    ['another order', '0/1 1/0 2/2', null],
    ['one left out', '0/0 1/2', null],
    ['others in between', '0/0 1/1 2/0 3/2', 3],
    ['a last one that is late', '0/0 1/1 11/2', null],
    ['a later start', '0/0 1/1 8/0 9/1 15/2', 3],
    ['a later start without its second', '0/0 1/1 8/0 15/2', null],
  ])('%s', (_, events, last) => {
    const found = numbers(group('temporal_ordered'), events);
    expect(found.at(-1)).toBe(last);
    expect(found.slice(0, -1).every((each) => each === null)).toBe(true);
  });
});
