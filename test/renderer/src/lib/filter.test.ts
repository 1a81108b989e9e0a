import { describe, expect, it } from 'vitest';
import {
  NO_FILTER,
  isEmpty,
  switchSource,
  toQuery,
  toggleCondition,
  withCondition,
  withoutCondition,
} from '../../../../renderer/src/lib/filter.ts';

describe('toQuery', () => {
  it.each([
    [{}, {}],
    [{ text: 'a b' }, { text: 'a b' }],
    [{ regex: true, exclude: true }, {}],
    [
      { text: '^a', regex: true, caseSensitive: true, exclude: true },
      { text: '^a', regex: true, caseSensitive: true, exclude: true },
    ],
    [{ sources: [3, 1] }, { sources: [3, 1] }],
    [
      { from: 0, to: 5 },
      { from: 0, to: 5 },
    ],
    [{ matcher: '  ' }, {}],
    [{ matcher: "Type == 'a' || TRUE" }, { matcher: "Type == 'a' || TRUE" }],
  ])('%o → %o', (part, query) => expect(toQuery({ ...NO_FILTER, ...part })).toEqual(query));

  it('joins the matcher and the conditions that are on', () => {
    let filter = { ...NO_FILTER, matcher: 'Pid == 1 || Pid == 2' };
    filter = withCondition(filter, 'status = 404', 'Fields[status] == 404');
    filter = withCondition(filter, 'Type = x', "Type == 'x'");
    expect(toQuery(filter).matcher).toBe("(Pid == 1 || Pid == 2) && Fields[status] == 404 && Type == 'x'");
    filter = toggleCondition(filter, filter.conditions[0]?.id ?? 0);
    expect(toQuery(filter).matcher).toBe("(Pid == 1 || Pid == 2) && Type == 'x'");
  });
});

describe('conditions', () => {
  const one = withCondition(NO_FILTER, 'a', 'Pid == 1');

  it('are not put in twice, but switched on', () => {
    const off = toggleCondition(one, 1);
    expect(isEmpty(off)).toBe(true);
    expect(withCondition(off, 'a', 'Pid == 1').conditions).toEqual(one.conditions);
  });

  it('go away, and their numbers are not mixed up', () => {
    const two = withCondition(one, 'b', 'Pid == 2');
    expect(two.conditions.map(({ id }) => id)).toEqual([1, 2]);
    expect(withoutCondition(two, 1).conditions.map(({ label }) => label)).toEqual(['b']);
  });
});

describe('the switch of a source', () => {
  it.each([
    { shown: [], id: 2, next: [1, 3] },
    { shown: [1, 3], id: 2, next: [] },
    { shown: [1, 3], id: 3, next: [1] },
    { shown: [1], id: 1, next: [1] },
    { shown: [1], id: 3, next: [1, 3] },
  ])('turns $shown into $next by $id', ({ shown, id, next }) => {
    expect(switchSource(shown, id, [1, 2, 3])).toEqual(next);
  });
});
