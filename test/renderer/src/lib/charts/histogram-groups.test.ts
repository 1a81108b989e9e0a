import { describe, expect, it } from 'vitest';
import type { HistogramGroup, SchemaField } from '../../../../../engine/api/types.ts';
import { compileMatcher } from '../../../../../engine/matcher/matcher.ts';
import {
  LAYER_COLORS,
  drawingOrder,
  layerColor,
  layerExpression,
  layerLabel,
} from '../../../../../renderer/src/lib/charts/histogram-groups.ts';

const field = (type: SchemaField['type']): ReadonlyMap<string, SchemaField> =>
  new Map([['status', { name: 'status', type, representation: null, count: 1, optional: false, samples: [] }]]);
const STATUS = 'Fields[status]';

describe('layers of the histogram', () => {
  it.each<[HistogramGroup, string | null, string, string | null, string]>([
    [{ kind: 'severity', name: '3' }, null, 'ERROR', 'Severity == 3', 'fill-3'],
    [{ kind: 'none', name: '' }, null, 'No severity', null, 'fill-8'],
    [{ kind: 'class', name: '4xx' }, STATUS, '4xx', `${STATUS} >= 400 && ${STATUS} < 500`, 'fill-4'],
    [{ kind: 'none', name: '' }, STATUS, 'No status', `${STATUS} == NIL`, 'fill-8'],
    [{ kind: 'other', name: '' }, STATUS, 'Other', null, 'fill-8'],
    [{ kind: 'none', name: '' }, 'Hostname', 'No Hostname', "Hostname == ''", 'fill-8'],
    [{ kind: 'none', name: '' }, 'Pid', 'No Pid', null, 'fill-8'],
    [{ kind: 'value', name: '' }, 'Hostname', '(empty)', "Hostname == ''", 'series-2'],
    [{ kind: 'value', name: 'web-1' }, 'Hostname', 'web-1', "Hostname == 'web-1'", 'series-2'],
  ])('%j by %s is %s', (group, by, label, expression, color) => {
    expect(layerLabel(group, by)).toBe(label);
    expect(layerExpression(group, by, field('number'))).toBe(expression);
    expect(layerColor(group, 2)).toBe(color);
    expect(LAYER_COLORS).toContain(color);
    if (expression !== null) expect(() => compileMatcher(expression)).not.toThrow();
  });

  it('compare statuses that are texts as texts', () => {
    expect(layerExpression({ kind: 'class', name: '5xx' }, STATUS, field('string'))).toBe(`${STATUS} =~ /^5\\d\\d$/`);
  });

  it('put the worst at the bottom', () => {
    const classes = ['2xx', '4xx', '5xx'].map((name): HistogramGroup => ({ kind: 'class', name }));
    expect(drawingOrder([...classes, { kind: 'none', name: '' }])).toEqual([2, 1, 0, 3]);
    expect(
      drawingOrder([
        { kind: 'value', name: 'a' },
        { kind: 'other', name: '' },
      ]),
    ).toEqual([0, 1]);
  });
});
