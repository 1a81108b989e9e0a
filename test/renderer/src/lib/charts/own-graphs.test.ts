import { expect, test } from 'vitest';
import type { FieldFacts } from '../../../../../engine/api/types.ts';
import { ownGraphs } from '../../../../../renderer/src/lib/charts/own-graphs.ts';
import { NO_FILTER } from '../../../../../renderer/src/lib/filter/filter.ts';

const field = (name: string, counts: readonly number[], part: Partial<FieldFacts> = {}): FieldFacts => ({
  name,
  isHeader: false,
  types: [{ type: 'string', count: 100 }],
  representation: null,
  records: 100,
  distinct: counts.length,
  isDistinctExact: true,
  values: counts.map((count, i) => ({ value: String(i), count, missed: 0, counts: [] })),
  numbers: null,
  counts: [],
  ...part,
});
const ones = Array.from({ length: 20 }, () => 1);
const number = (name: string, part: Partial<FieldFacts> = {}): FieldFacts =>
  field(name, ones, { distinct: 90, numbers: { count: 100 } as FieldFacts['numbers'], ...part });
const level = field('Severity', [60, 40], { isHeader: true });

test.each<readonly [string, readonly FieldFacts[], readonly (readonly [string, string | null])[]]>([
  ['nothing but text', [], [['Records', null]]],
  ['levels', [level], [['Records by level', 'Severity']]],
  [
    'an access log',
    [
      field('method', [50, 50]),
      field('status', [90, 5, 5]),
      field('request_id', ones, { distinct: 100 }),
      number('bytes'),
      number('request_time'),
    ],
    [
      ['Records', null],
      ['Records by status', 'Fields[status]'],
      ['request_time', 'Fields[request_time]'],
    ],
  ],
  [
    'a field of few records, and a number with a unit',
    [level, field('rare', [3, 2], { records: 5 }), field('host', [40, 30, 30]), number('port'), number('taken', { representation: 'ms' })],
    [
      ['Records by level', 'Severity'],
      ['Records by host', 'Fields[host]'],
      ['taken', 'Fields[taken]'],
    ],
  ],
])('graphs of %s', (_, fields, graphs) => {
  expect(ownGraphs({ fields, records: 100 }, NO_FILTER).map(({ title, of, by }) => [title, of ?? by[0] ?? null])).toEqual(graphs);
});
