import { expect, it } from 'vitest';
import { countedRecords, countSection, ruleWords, whyUncounted, type Counted } from '../../../../renderer/src/lib/count-alert.ts';
import { byMatcher, NO_FILTER, withTerm, type FilterTerm } from '../../../../renderer/src/lib/filter/filter.ts';

const TEST = { number: 10, seconds: 300, below: false };
const text = (one: string): FilterTerm => ({ kind: 'text', text: one, label: one, caseSensitive: false, out: false });
const status = byMatcher('status: 5xx', 'Fields[status] >= 500');
const host = byMatcher('host: a', "Hostname == 'a'");
const counted = (any: boolean, ...terms: FilterTerm[]): Counted => ({ what: 'these', terms, any });

it('offers what someone points to, what the filter shows, what is searched, and all', () => {
  const what = (...[pointed, filter, search]: Parameters<typeof countedRecords>): string[] =>
    countedRecords(pointed, filter, search).map((one) => one.what);
  expect(what(null, NO_FILTER, '')).toEqual(['all records']);
  const filter = withTerm(withTerm(NO_FILTER, status), { ...host, out: true });
  expect(what(text('x'), filter, 'boom')).toEqual(['x', 'status: 5xx, not host: a', '“boom”', 'all records']);
});

it.each<[string, Counted, string, string | undefined]>([
  ['all', counted(false), 'Type !~ /^svc\\./', undefined],
  ['all of two conditions', counted(false, status, host), "Type !~ /^svc\\./ && (Fields[status] >= 500) && (Hostname == 'a')", undefined],
  ['one of two', counted(true, status, host), "Type !~ /^svc\\./ && ((Fields[status] >= 500) || (Hostname == 'a'))", undefined],
  ['a text', counted(false, text('boom'), host), "Type !~ /^svc\\./ && (Hostname == 'a')", 'boom'],
  ['an expression', counted(false, { ...text('a/b'), kind: 'regex' }), 'Type !~ /^svc\\./ && (Payload =~ /(?i)a\\/b/)', undefined],
])('counts %s', (_what, records, matcher, wanted) => {
  const section = countSection(records, TEST, null, ['alert']);
  expect(section).toMatchObject({ name: 'alert_2', script: 'count_alert', matcher, ticker: 60 });
  expect(typeof section === 'string' ? section : section.config).toEqual({
    number: 10,
    window: 300,
    title: 'these',
    alert_throttle: 300,
    ...(wanted === undefined ? {} : { text: wanted }),
  });
});

it('says what it cannot count', () => {
  expect(countSection(counted(false, { ...status, out: true }), TEST, null, [])).toContain('cannot count what a filter hides');
  expect(countSection(counted(false, text('a'), text('b')), TEST, null, [])).toContain('one text');
  expect(countSection(counted(true, text('a'), status), TEST, null, [])).toContain('one text');
  expect(whyUncounted(withTerm(NO_FILTER, { ...status, out: true }))).toContain('cannot count what a filter hides');
  expect(whyUncounted(withTerm(withTerm(NO_FILTER, status), text('a')))).toBeNull();
});

it('tells the condition in words', () => {
  expect(ruleWords({ title: 'boom', number: 1000, window: 60, below: true })).toBe('boom: fewer than 1,000 within 1 min');
});
