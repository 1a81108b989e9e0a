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
const axisOf = (html: string): string[] => Array.from(html.matchAll(/x="58"[^>]*>([^<]*)</g), ([, text = '']) => text);

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

  it('tells lines apart by colours, dashes and dots, and names each with its range', () => {
    const html = chartOf(
      'lines',
      Array.from({ length: 26 }, (_, i) => (i === 8 ? [] : [i, i + 1])),
      { unit: 'ms' },
    );
    const looks = Array.from(
      html.matchAll(/<path class="(l\d)"( stroke-dasharray="[^"]*")? d="([^"]*)"\/>/g),
      ([, name, dash = '', path]) => ({ look: name + dash, path }),
    );
    const [drawn, named] = [looks.filter(({ path }) => path !== 'M0 5H24'), looks.filter(({ path }) => path === 'M0 5H24')];
    expect(new Set(drawn.map(({ look }) => look)).size).toBe(24);
    expect(named.map(({ look }) => look)).toEqual(drawn.map(({ look }) => look));
    expect(html).toContain('</svg>s7 <span class="mute">7 ms – 8 ms</span></li>');
    expect(html).toContain('</svg>s8</li>');
    expect(html).toContain('2 more are not drawn: s24, s25.');
  });

  it('has all bars beyond its colours as one series', () => {
    const html = chartOf(
      'bars',
      Array.from({ length: 10 }, (_, i) => [i, i === 9 ? null : 1]),
    );
    expect(new Set(pathsOf(html).map((path) => path.slice(0, 2)))).toEqual(new Set(['f0', 'f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'f7']));
    expect(html.match(/<li>/g)).toHaveLength(8);
    expect(html).toContain('</svg>3 others (s7, s8, s9) <span class="mute">2 – 24</span></li>');
    expect(axisOf(html).at(-1)).toBe('80');
  });

  it('has the cells of a heat map by their shades, and the borders of its rows', () => {
    const html = chartOf(
      'heat',
      [
        [0, 1, 50],
        [null, 7, 0],
      ],
      {
        series: [
          { name: '0 ms – 10 ms', values: [0, 1, 50] },
          { name: '10 ms – 20 ms', values: [null, 7, 0] },
        ],
      },
    );
    const [picture = ''] = html.split('</svg>');
    expect(Array.from(picture.matchAll(/<path class="(s\d)"/g), ([, name]) => name)).toEqual(['s1', 's3', 's7']);
    expect(axisOf(html)).toEqual(['0 ms', '10 ms']);
    expect(html).toContain('50 records in a cell');
  });

  it('says why there is no picture', () => {
    const html = chartOf('none', [], { about: 'all; left out' });
    expect(html).toBe('<figure><h3>Records</h3><p class="mute">all; left out</p></figure>');
  });

  it('keeps the last time within the picture', () => {
    const html = chartOf('bars', [Array.from({ length: 60 }, () => 1)]);
    expect(html).toContain('<text x="960" y="194" text-anchor="end">11:00</text>');
  });

  it('has neither a place nor a number that is none', () => {
    for (const form of ['lines', 'bars', 'list', 'heat', 'none'] as const)
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
