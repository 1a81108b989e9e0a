import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { Refusal } from '../../../../engine/cli/mcp/granted-logs.ts';
import { queryOf, selected } from '../../../../engine/cli/mcp/selection.ts';

const NOW = Date.UTC(2026, 10, 22, 12, 40);
type Given = Parameters<typeof queryOf>[0];

beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => void vi.useRealTimers());

describe('arguments that select records', () => {
  it.each<[string, Given, object]>([
    ['nothing', {}, {}],
    ['files, which are the sources', { files: ['f9'] }, {}],
    ['a text', { text: 'a.b' }, { filters: [{ text: 'a.b' }] }],
    [
      'a regular expression',
      { text: 'a.b', regex: true, caseSensitive: true },
      { filters: [{ text: 'a.b', regex: true, caseSensitive: true }] },
    ],
    ['times in UTC', { from: '2026-11-22 11:00', to: '2026-11-22T12:00:00Z' }, { from: NOW - 100 * 60_000, to: NOW - 40 * 60_000 }],
    ['a time of another zone', { from: '2026-11-22T12:40:00+01:00' }, { from: NOW - 3_600_000 }],
    ['spans back from now', { from: '1h', to: '-5min' }, { from: NOW - 3_600_000, to: NOW - 300_000 }],
    ['a time before 1970', { to: '1969-12-31 23:59' }, { to: -60_000 }],
    ['an expression in full', { where: 'Fields[status] >= 500' }, { matcher: 'Fields[status] >= 500' }],
    ['the short form of one', { where: 'type:x pid:3' }, { matcher: "Type == 'x' && Pid == 3" }],
  ])('are those of %s', (_name, given, query) => {
    expect(queryOf(given, [3, 4])).toEqual({ sources: [3, 4], ...query });
  });

  it.each<[string, Given, RegExp]>([
    ['a time that is none', { from: 'soon' }, /^from: .*soon.*; it takes times such as/],
    ['a day that is none', { to: '2026-02-31' }, /^to: /],
    ['an expression that does not end', { where: '(status >= 500' }, /^where: column \d+: .*\n\(status >= 500\n +\^$/],
    ['a network that is none', { where: 'ip:10.0.0.0/99' }, /^where: column \d+: /],
  ])('are refused with a reason: %s', (_name, given, reason) => {
    expect(() => queryOf(given, [])).toThrow(Refusal);
    expect(() => queryOf(given, [])).toThrow(reason);
  });

  it.each<[string, object]>([
    ['no files at all', { files: [] }],
    ['an empty text', { text: '' }],
    ['a text as a yes', { regex: 'yes' }],
    ['a very long expression', { where: 'x'.repeat(4001) }],
    ['numbers as times', { from: 0 }],
  ])('cannot be %s', (_name, given) => {
    expect(z.object(selected).safeParse(given).success).toBe(false);
  });
});
