import { describe, expect, it } from 'vitest';
import { countBy, overTime, percentilesOf, titleOf } from '../../../../../renderer/src/lib/charts/question.ts';
import { questionSection, whyUntold } from '../../../../../renderer/src/lib/charts/question-section.ts';
import { byMatcher, NO_FILTER, withTerm } from '../../../../../renderer/src/lib/filter/filter.ts';
import { answerRows } from '../../../../../renderer/src/views/builder/answer-actions.ts';
import { askableFields, withMeasure } from '../../../../../renderer/src/views/builder/askable-fields.ts';

const ERRORS = byMatcher('status >= 500', 'Fields[status] >= 500');

describe('questions', () => {
  it('are told in words', () => {
    const took = { variable: 'Fields[took]', unit: 'ms' };
    expect(titleOf(countBy('Fields[status]'))).toBe('Records by status');
    expect(titleOf(percentilesOf(took))).toBe('Percentiles of took');
    expect(titleOf({ measure: 'p95', of: 'Fields[took]', by: ['Fields[uri]', 'Type'] })).toBe('p95 of took by uri and Type');
    expect(titleOf({ ...percentilesOf(took), display: 'heat' })).toBe('Heat map of took');
    expect(overTime({ ...took, isNumber: true })).toMatchObject({ measure: 'range', of: 'Fields[took]', display: 'chart', unit: 'ms' });
    expect(overTime({ variable: 'Fields[status]', isNumber: true, unit: '' })).toMatchObject({ measure: 'count', by: ['Fields[status]'] });
  });

  it('take a field that has numbers with a measure that needs them', () => {
    const field = (name: string, type: 'string' | 'number', representation: string | null = null) =>
      ({ name, type, representation, count: 1, samples: [], optional: false }) as never;
    const schema = [
      {
        name: 'x',
        types: [{ name: 't', versions: [{ fields: [field('uri', 'string'), field('size', 'number'), field('took', 'number', 'ms')] }] }],
      },
    ] as never;
    const fields = askableFields(schema, ['Hostname'], true);
    expect(fields.map(({ name }) => name)).toEqual(['size', 'took', 'uri', 'Severity', 'Type', 'Hostname']);
    const p95 = withMeasure(countBy('Fields[uri]'), 'p95', fields);
    expect(p95).toMatchObject({ measure: 'p95', of: 'Fields[took]', unit: 'ms', by: ['Fields[uri]'] });
    expect(withMeasure({ ...p95, of: 'Fields[size]' }, 'p99', fields).of).toBe('Fields[size]');
    expect(withMeasure(p95, 'count', fields)).toMatchObject({ measure: 'count', of: null });
    expect(withMeasure({ ...p95, display: 'heat' }, 'count', fields).display).toBe('bars');
    expect(
      withMeasure(
        countBy('Type'),
        'sum',
        fields.filter(({ isNumber }) => !isNumber),
      ),
    ).toEqual(countBy('Type'));
  });

  it('become filter scripts that tell of them, where these can', () => {
    const errors = withTerm(NO_FILTER, ERRORS);
    const count = { ...countBy('Type'), by: [] };
    const sum = { ...count, measure: 'sum' as const, of: 'Fields[took]' };
    expect(questionSection(sum, errors, ['Sum_of_took'])).toMatchObject({
      section: {
        name: 'Sum_of_took_2',
        script: 'field_graph',
        matcher: 'Type !~ /^svc\\./ && Fields[status] >= 500',
        config: { title: 'Sum of took', fields: 'took', aggregation: 'sum' },
      },
      column: 'took',
    });
    expect(questionSection(sum, withTerm(NO_FILTER, { ...ERRORS, out: true }), [])).toBeTypeOf('string');
    expect([count, sum, countBy('Type'), { ...sum, measure: 'p95' as const }, { ...sum, of: 'Pid' }].map(whyUntold)).toEqual([
      null,
      null,
      expect.stringContaining('by nothing'),
      expect.stringContaining('sums'),
      expect.stringContaining('this field'),
    ]);
  });

  it('give rows that can be copied', () => {
    const group = { values: ['a', 'b'], records: 3, numbers: [1.5], series: [] };
    const answer = { groups: [group], all: { records: 9, numbers: [2], series: [] } } as never;
    const asked = { ...countBy('Type'), measure: 'average' as const, of: 'Fields[took]', by: ['Type', 'Fields[uri]'] };
    expect(answerRows(asked, answer)).toEqual({ head: ['Type', 'uri', 'average', 'records'], rows: [['a', 'b', 1.5, 3]] });
    expect(answerRows({ ...asked, by: [] }, answer)).toEqual({ head: ['average', 'records'], rows: [[2, 9]] });
  });
});
