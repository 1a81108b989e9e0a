import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { QueryFilter, RecordQuery } from '../../../engine/api/types.ts';
import { INTS, TEXTS } from '../../../engine/api/headers.ts';
import { EngineError } from '../../../engine/base/errors.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { compileFilters } from '../../../engine/store/filter-stack.ts';
import { withRaw } from '../../../engine/store/segment.ts';
import { RecordView } from '../../../engine/store/view.ts';
import { linesBatch, newStore, type Line } from './fixtures.ts';
import { until } from '../../until.ts';
import { CASES, MESSAGES } from '../expression-cases.ts';

const WORDS = ['error', 'ERROR', 'login', 'a b', 'x'];
const line = fc.record({
  at: fc.constant(1),
  text: fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }).map((words) => words.join(' ')),
  severity: fc.integer({ min: 0, max: 7 }),
  status: fc.integer({ min: 200, max: 204 }),
});
const filter: fc.Arbitrary<QueryFilter> = fc.oneof(
  fc.record({ text: fc.constantFrom('error', 'Login', 'b x', 'zzz'), caseSensitive: fc.boolean(), out: fc.boolean() }),
  fc.record({ text: fc.constantFrom('err', 'lo.in', '^x'), regex: fc.constant(true), caseSensitive: fc.boolean(), out: fc.boolean() }),
  fc.record({ matcher: fc.constantFrom('Severity <= 3', 'Fields[status] == 203', 'Fields[none] == 1'), out: fc.boolean() }),
);

/** The same for one line, written down plainly. */
function finds(
  { text = '', regex = false, caseSensitive = false, matcher }: QueryFilter,
  { text: raw, severity = 7, status }: Line,
): boolean {
  if (matcher !== undefined) return matcher === 'Severity <= 3' ? severity <= 3 : matcher.startsWith('Fields[status]') && status === 203;
  if (regex) return new RegExp(text, caseSensitive ? '' : 'i').test(raw);
  return caseSensitive ? raw.includes(text) : raw.toLowerCase().includes(text.toLowerCase());
}

function shows({ filters = [], any = false, ...own }: RecordQuery, one: Line): boolean {
  const shown = filters.filter(({ out }) => out !== true);
  const fits = (given: QueryFilter): boolean => finds(given, one);
  if (own.text !== undefined && fits({ text: own.text }) === (own.exclude ?? false)) return false;
  if (filters.some((given) => given.out === true && fits(given))) return false;
  return any && shown.length > 0 ? shown.some(fits) : shown.every(fits);
}

describe('compileFilters', () => {
  it('shows what all filters fit, or any, and hides what those with "out" find', () => {
    const query = fc.record(
      { filters: fc.array(filter, { maxLength: 5 }), any: fc.boolean(), text: fc.constantFrom('x', 'error'), exclude: fc.boolean() },
      { requiredKeys: ['filters'] },
    );
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 40 }), query, (lines, asked) => {
        const { batch, raw } = linesBatch(lines);
        const stored = batch.with({ payload: raw });
        const select = compileFilters(asked)?.select ?? null;
        const rows = select === null ? null : select(stored, null);
        const expected = lines.flatMap((one, row) => (shows(asked, one) ? [row] : []));
        expect(rows === null ? lines.map((_one, row) => row) : [...rows]).toEqual(expected);
        const odd = Uint32Array.from(lines.flatMap((_one, row) => (row % 2 === 1 ? [row] : [])));
        const ofOdd = select === null ? odd : select(stored, odd);
        expect([...(ofOdd ?? odd)]).toEqual(expected.filter((row) => row % 2 === 1));
      }),
    );
  });

  it('is null without a filter', () => {
    expect(compileFilters({ filters: [{ text: '' }, { matcher: ' ' }], sources: [1], any: true })).toBeNull();
  });

  it.each<[QueryFilter, string, { from: number; to: number }]>([
    [{ matcher: "Fields[a] == 1 && type == 'x'" }, 'query.matcher', { from: 18, to: 22 }],
    [{ matcher: 'Fields[a] ==' }, 'query.matcher', { from: 12, to: 12 }],
    [{ matcher: 'Payload =~ /a(/' }, 'query.matcher', { from: 11, to: 15 }],
    [{ text: 'ab(c', regex: true }, 'query.regex', { from: 0, to: 4 }],
    [{ text: 'ab[z-a]c', regex: true }, 'query.regex', { from: 3, to: 6 }],
    [{ text: 'ab**', regex: true }, 'query.regex', { from: 2, to: 4 }],
  ])('says where %o is wrong', (wrong, code, place) => {
    const failed = ((): unknown => {
      try {
        return compileFilters({ filters: [{ text: 'fine' }, wrong] });
      } catch (error) {
        return error;
      }
    })();
    expect(failed).toBeInstanceOf(EngineError);
    expect(failed).toMatchObject({ code, place: { filter: 1, ...place } });
  });

  it('says no place for what stands in no stack', () => {
    expect(() => compileFilters({ matcher: 'Type' })).toThrow(expect.objectContaining({ place: undefined }));
  });
});

describe('a view with a stack of filters', () => {
  it('has its rows also in segments where nothing is filtered by time or source', async () => {
    const store = newStore();
    const lines: Line[] = Array.from({ length: 300 }, (_, i) => ({
      at: 1000 + i,
      text: `line ${i}`,
      severity: i % 8,
      status: 200 + (i % 3),
    }));
    await store.append({ ...linesBatch(lines), source: 1, decoder: 'test' });
    const fail = (error: unknown): never => {
      throw error;
    };
    const query: RecordQuery = {
      filters: [{ matcher: 'Fields[status] == 201' }, { text: 'LINE 1' }, { matcher: 'Severity > 3', out: true }],
      from: 1_010_000,
    };
    const view = new RecordView(store, query, () => undefined, fail);
    await until(() => view.complete);
    const expected = lines.filter(
      ({ at, text, severity = 7, status }) => at >= 1010 && status === 201 && text.includes('line 1') && severity <= 3,
    );
    expect(view.total).toBe(expected.length);
    view.close();
    await store.close();
  });
});

describe('compileFilters, of an expression', () => {
  it.each(CASES)('%s selects by the columns that it asks for', (expression, rows) => {
    const batch = withRaw(batchOf(MESSAGES), { constant: 'api connection deadline exceeded' });
    const stack = compileFilters({ matcher: expression });
    const [wanted, select] = [stack?.columns, stack?.select];
    const kept = [...TEXTS, ...INTS].filter(({ member }) => wanted?.header(member) === false).map(({ member }) => [member, null]);
    const stored = batch.with({ ...Object.fromEntries(kept), fields: batch.fields.filter(({ name }) => wanted?.field(name) !== false) });
    expect([...(select?.(stored, null) ?? MESSAGES.keys())]).toEqual(rows);
  });
});
