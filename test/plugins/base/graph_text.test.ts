import { expect, test } from 'vitest';
import { newestRows, parseGraph } from '../../../plugins/base/graph_text.ts';

const HEADER = {
  time: 60,
  rows: 3,
  columns: 2,
  seconds_per_row: 60,
  column_info: [{ name: 'a', unit: 'ms', aggregation: 'max' }, { name: 'b' }],
};
const ROWS = ['1\tnan', '2\t', '3\t-4.5'];
const textOf = (header: object, rows = ROWS): string => `${[JSON.stringify(header), ...rows].join('\n')}\n`;

test('a graph is its layout and its cells', () => {
  const graph = {
    time: 60,
    rows: [
      ['1', 'nan'],
      ['2', ''],
      ['3', '-4.5'],
    ],
    secondsPerRow: 60,
    columns: [
      { name: 'a', unit: 'ms', aggregation: 'max' },
      { name: 'b', unit: 'count', aggregation: 'sum' },
    ],
  };
  expect(parseGraph(textOf(HEADER))).toEqual(graph);
  expect(parseGraph(`{"annotations":[]}\n\n${textOf(HEADER)}`)).toEqual(graph);
});

test.each<[name: string, text: string]>([
  ['nothing', ''],
  ['no JSON', 'a\tb\n1\t2\n'],
  ['a list', '[]\n'],
  ['null', 'null\n'],
  ['fewer rows than it says', textOf(HEADER, ROWS.slice(1))],
  ['more rows than it says', textOf(HEADER, [...ROWS, '4\t5'])],
  ['another number of columns', textOf({ ...HEADER, columns: 3 })],
  ['a column without a name', textOf({ ...HEADER, column_info: [{ name: 'a' }, {}] })],
  ['a column that is no object', textOf({ ...HEADER, column_info: [{ name: 'a' }, null] })],
  ['a time that is a text', textOf({ ...HEADER, time: '60' })],
  ['no description of columns', textOf({ ...HEADER, column_info: undefined })],
])('%s is no graph', (_, text) => expect(parseGraph(text)).toBeNull());

test.each<[spare: number, rows: number, time: number]>([
  [0, 3, 60],
  [-1, 2, 120],
  [-1000, 2, 120],
])('with %i bytes to spare, %i rows stay', (spare, rows, time) => {
  const text = textOf(HEADER);
  const shortened = newestRows(text, text.length + spare);
  expect(parseGraph(shortened)).toMatchObject({ time, rows: ROWS.slice(-rows).map((row) => row.split('\t')) });
});
