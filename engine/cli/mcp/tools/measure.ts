import { z } from 'zod';
import { columnVariable } from '../../../api/columns.ts';
import { MEASURES, MOST_BY, MOST_MEASURES, type MeasureAnswer } from '../../../api/measure-types.ts';
import { fitting } from '../answer.ts';
import { Refusal } from '../granted-logs.ts';
import { toldTime } from '../records.ts';
import { queryOf, selected } from '../selection.ts';
import { tool } from '../tool.ts';

const numbers = z.array(z.number().nullable()).describe('One for each measure; null: there is nothing to measure');

export const measure = tool({
  name: 'measure',
  title: 'Count and measure',
  about: 'Counts records, or measures a number of theirs (sum, average, percentiles, distinct values), by up to two fields and over time.',
  input: z.strictObject({
    ...selected,
    measures: z.array(z.enum(MEASURES)).min(1).max(MOST_MEASURES).default(['count']),
    of: z.string().max(200).optional().describe('Field that is measured; count needs none'),
    by: z.array(z.string().max(200)).max(MOST_BY).default([]).describe('Fields to group by'),
    buckets: z.int().min(1).max(200).optional().describe('Parts of the time; absent: numbers of all the time'),
    limit: z.int().min(1).max(200).default(20).describe('Groups, those with the highest numbers'),
  }),
  output: z.object({
    records: z.number(),
    numbers,
    groups: z.array(z.object({ values: z.array(z.string()), records: z.number(), numbers, series: z.array(numbers).optional() })),
    series: z.array(numbers).optional(),
    distinct: z.number().describe('Groups that there are'),
    missing: z.number().describe('Records without a field to group by'),
    exact: z.boolean(),
    from: z.string().optional().describe('Begin of the first part of the time'),
    bucketSeconds: z.number().optional(),
  }),
  async run({ measures, of, by, buckets, limit, ...given }, context) {
    if (of === undefined && measures.some((one) => one !== 'count')) throw new Refusal('of: name the field that is measured.');
    const logs = await context.logs.read(given.files, context);
    const query = queryOf(
      given,
      logs.map(({ source }) => source.id),
    );
    const question = {
      measures,
      of: of === undefined ? null : columnVariable(of),
      by: by.map(columnVariable),
      over:
        buckets === undefined
          ? null
          : { buckets, ...(query.from === undefined ? {} : { from: query.from }), ...(query.to === undefined ? {} : { to: query.to }) },
      limit,
    };
    const found = await context.logs.view(query, context, async (engine, view) => {
      let answer: MeasureAnswer;
      do answer = await engine.request('view.measure', { view, ...question }, context.signal);
      while (!answer.complete);
      return answer;
    });
    const seriesOf = (series: readonly Float64Array[]): { series?: (number | null)[][] } =>
      buckets === undefined ? {} : { series: series.map((one) => [...one].map(known)) };
    const groups =
      by.length === 0
        ? []
        : found.groups.map(({ values, records, numbers: own, series }) => ({
            values: [...values],
            records,
            numbers: own.map(known),
            ...seriesOf(series),
          }));
    const shown = fitting(groups, { ...context, bytes: (context.bytes * 3) / 4 });
    const left = found.distinct - shown.length;
    return {
      data: {
        records: found.all.records,
        numbers: found.all.numbers.map(known),
        groups: [...shown],
        ...seriesOf(found.all.series),
        distinct: found.distinct,
        missing: found.missing,
        exact: found.exact,
        ...(buckets === undefined ? {} : { from: toldTime(found.from), bucketSeconds: found.bucketMs / 1000 }),
      },
      more: by.length > 0 && left > 0 ? `${left} groups with lower numbers are left out: raise limit, or narrow the records.` : undefined,
    };
  },
});

const known = (number: number): number | null => (Number.isFinite(number) ? number : null);
