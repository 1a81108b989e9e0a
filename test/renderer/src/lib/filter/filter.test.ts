import { describe, expect, it } from 'vitest';
import {
  activeTerms,
  byMatcher,
  changeTerm,
  isEmpty,
  isFilter,
  NO_DRAFT,
  NO_FILTER,
  onlyTerm,
  pullTerm,
  pushDraft,
  switchSource,
  toQuery,
  withoutTerm,
  withTerm,
  type FilterTerm,
} from '../../../../../renderer/src/lib/filter/filter.ts';

const text = (typed: string, part: Partial<FilterTerm> = {}): FilterTerm => ({
  kind: 'text',
  text: typed,
  label: typed,
  caseSensitive: false,
  out: false,
  ...part,
});
const status = byMatcher('status = 404', 'Fields[status] == 404');

describe('toQuery', () => {
  it.each([
    [{}, {}],
    [{ sources: [3, 1] }, { sources: [3, 1] }],
    [
      { from: 0, to: 5 },
      { from: 0, to: 5 },
    ],
    [{ any: true }, {}],
    [{ draft: { ...NO_DRAFT, typed: 'status >=', term: null } }, {}],
    [{ draft: { ...NO_DRAFT, typed: 'a b', term: text('a b') } }, { filters: [{ text: 'a b' }] }],
  ])('%o → %o', (part, query) => expect(toQuery({ ...NO_FILTER, ...part })).toEqual(query));

  it('has the filters of the stack that are on, and then that of the box', () => {
    let filter = withTerm(NO_FILTER, status);
    filter = withTerm(filter, text('^a', { kind: 'regex', caseSensitive: true, out: true }));
    filter = { ...filter, draft: { ...NO_DRAFT, typed: 'b', term: text('b') } };
    expect(toQuery(filter)).toEqual({
      filters: [{ matcher: 'Fields[status] == 404' }, { text: '^a', regex: true, caseSensitive: true, out: true }, { text: 'b' }],
    });
    expect(toQuery({ ...filter, any: true }).any).toBe(true);
    filter = changeTerm(filter, 1, { enabled: false });
    expect(toQuery(filter).filters).toHaveLength(2);
    expect(toQuery({ ...filter, any: true }).any, 'one filter is not a choice').toBeUndefined();
    expect(activeTerms(filter).map(({ label }) => label)).toEqual(['^a', 'b']);
  });
});

describe('the stack', () => {
  const one = withTerm(NO_FILTER, status);

  it('has a filter once, switches it on and turns it', () => {
    const off = changeTerm(one, 1, { enabled: false });
    expect(isEmpty(off)).toBe(true);
    expect(withTerm(off, status).stack).toEqual(one.stack);
    expect(withTerm(one, { ...status, out: true }).stack).toEqual([{ ...status, out: true, enabled: true, id: 1 }]);
    expect(withTerm(one, text('Fields[status] == 404')).stack).toHaveLength(2);
  });

  it('loses filters, and their numbers are not mixed up', () => {
    const two = withTerm(one, text('b'));
    expect(two.stack.map(({ id }) => id)).toEqual([1, 2]);
    expect(withoutTerm(two, 1).stack.map(({ label }) => label)).toEqual(['b']);
    expect(onlyTerm(two, 2).stack.map(({ enabled }) => enabled)).toEqual([false, true]);
  });

  it('takes what stands in the box, and gives it back', () => {
    const draft = {
      ...NO_DRAFT,
      typed: 'A b',
      caseSensitive: true,
      out: true,
      plain: true,
      term: text('A b', { caseSensitive: true, out: true }),
    };
    const pushed = pushDraft({ ...one, draft });
    expect(pushed.draft).toEqual({ ...NO_DRAFT, caseSensitive: true });
    expect(pushed.stack.map(({ label, out }) => [label, out])).toEqual([
      ['status = 404', false],
      ['A b', true],
    ]);
    expect(pullTerm(pushed, 2)).toEqual({ ...one, draft });
    expect(pullTerm(pushed, 1).draft).toMatchObject({ typed: 'status = 404', plain: false, term: status });
    expect(pullTerm(pushed, 9)).toBe(pushed);
    expect(pushDraft(one)).toBe(one);
  });

  it('is what was saved, or is not read', () => {
    const saved: unknown = JSON.parse(JSON.stringify(pullTerm(withTerm(one, text('b')), 1)));
    expect(isFilter(saved)).toBe(true);
    expect(isFilter({ ...(saved as object), stack: [{ ...status, kind: 'script', enabled: true, id: 1 }] })).toBe(false);
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
