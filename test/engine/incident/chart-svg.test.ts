import { describe, expect, it } from 'vitest';
import type { IncidentChart } from '../../../engine/api/incident-types.ts';
import { chartHtml } from '../../../engine/incident/chart-svg.ts';

const FROM = Date.UTC(2026, 10, 30, 10);
type Values = readonly (number | null)[];

const chartOf = (form: IncidentChart['form'], lists: readonly Values[], parts: Partial<IncidentChart> = {}): string =>
  chartHtml(
    {
      title: 'Records',
      about: 'all',
      unit: '',
      by: [],
      form,
      from: FROM,
      rowMs: 60_000,
      series: lists.map((values, i) => ({ name: `s${i}`, values })),
      ...parts,
    },
    'utc',
  );
/** The paths of a picture, by their class. */
const pathsOf = (html: string): string[] =>
  Array.from(html.matchAll(/<path class="([lf]\d)" d="([^"]*)"\/>(?!<\/svg>s)/g), ([, name = '', path = '']) => `${name} ${path}`);
/** The labels of the axis of numbers, from the bottom. */
const axisOf = (html: string): string[] => Array.from(html.matchAll(/text-anchor="end">([^<]*)</g), ([, text = '']) => text);

describe('a picture of numbers', () => {
  it.each<[string, IncidentChart['form'], readonly Values[], string[]]>([
    ['a line with a gap, and a point alone', 'lines', [[4, null, 0, 4]], ['l0 M175 8h.1M619 176h.1L841 8']],
    ['a line of nothing', 'lines', [[null, null], []], ['l0 ', 'l1 ']],
    ['what is below zero as zero', 'lines', [[-5, 4]], ['l0 M286 176h.1L730 8']],
    [
      'bars that stand on each other',
      'bars',
      [
        [1, null],
        [3, 4],
      ],
      ['f0 M64 176V134H507.5V176z', 'f1 M64 134V8H507.5V134zM508 176V8H951.5V176z'],
    ],
    ['no bar for zero and less', 'bars', [[0, -1, null]], ['f0 ']],
  ])('has %s', (_name, form, lists, paths) => expect(pathsOf(chartOf(form, lists))).toEqual(paths));

  it.each<[string, readonly Values[], string[]]>([
    ['a round number above the largest', [[3, 97]], ['0', '25', '50', '75', '100']],
    ['the largest sum of bars', [[30], [50]], ['0', '20', '40', '60', '80']],
    ['one, where there is nothing', [[null], [0]], ['0', '0.25', '0.5', '0.75', '1']],
    ['small numbers', [[0.003]], ['0', '0.001', '0.002', '0.003', '0.004']],
  ])('ends its axis at %s', (_name, lists, labels) => expect(axisOf(chartOf('bars', lists))).toEqual(labels));

  it('begins again with the first colour, and names each series with its range', () => {
    const html = chartOf(
      'lines',
      Array.from({ length: 9 }, (_, i) => (i === 8 ? [] : [i, i + 1])),
      { unit: 'ms' },
    );
    expect(pathsOf(html).map((path) => path.slice(0, 2))).toEqual(['l0', 'l1', 'l2', 'l3', 'l4', 'l5', 'l6', 'l7', 'l0']);
    expect(html).toContain('</svg>s7 <span class="mute">7 ms – 8 ms</span></li>');
    expect(html).toContain('</svg>s8</li>');
  });

  it('has neither a place nor a number that is none', () => {
    for (const form of ['lines', 'bars', 'list'] as const)
      for (const lists of [[], [[]], [[null]], [[0]], [[1e300, 1e-300]]])
        expect(chartOf(form, lists)).not.toMatch(/NaN|Infinity|undefined|null/);
  });
});

it('writes a list as a table, with a dash for what is unknown, and its texts as texts', () => {
  const html = chartOf('list', [], {
    title: '<b>"x"',
    unit: 'B',
    series: [
      { name: '<i>\u202e', values: [1500] },
      { name: 'b', values: [] },
    ],
  });
  expect(html).toContain('<tr><td>&lt;i&gt;\\u202e</td><td>1.5 kB</td></tr><tr><td>b</td><td>–</td></tr>');
  expect(html).not.toMatch(/<b>|<i>|<svg|aria-label="[^"]*<|\u202e/);
});
