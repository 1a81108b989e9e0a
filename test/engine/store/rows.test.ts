import { afterEach, describe, expect, test } from 'vitest';
import { recordDetail, recordRows } from '../../../engine/store/rows.ts';
import { PLAIN_PLAN, type SummaryPlan } from '../../../engine/message/summary/record-summary.ts';
import { parseTemplate } from '../../../engine/message/summary/template.ts';
import type { Field } from '../../../engine/message/types.ts';
import { message } from '../pipeline/fakes.ts';
import { append, numberedLines, StoreBench, viewOfMessages } from './fixtures.ts';

const bench = new StoreBench();
const setUp = (): ReturnType<StoreBench['setUp']> => bench.setUp();
afterEach(() => bench.close());

describe('recordRows', () => {
  test.each([
    ['plain text', 'a [31m b', 'a [31m b'],
    ['colours of a terminal', '\u001b[1;31mred\u001b[0m and \u001b[38;2;1;2;3mother\u001b[m', 'red and other'],
    ['moves of the cursor', 'a\u001b[2K\u001b[1Gb', 'ab'],
    ['an escape that is none of these', 'a\u001bb', 'a\u001bb'],
  ])('leaves out what is for terminals: %s', async (_what, text, shown) => {
    const { store, view } = setUp();
    await append(store, [{ at: 1, text }]);
    const page = await view().page(0, 1);
    expect(recordRows(page, []).map((row) => row.text)).toEqual([shown]);
    // Rows that were read are kept.
    expect(page.map((row) => recordDetail(row).raw)).toEqual([text]);
  });

  test.each([
    [
      'refused',
      [
        ['decode_failure', true],
        ['decode_error', 'no JSON object'],
      ],
      { failure: 'no JSON object' },
    ],
    ['taken in part', [['decode_error', 'cut at 1 MiB']], { failure: null, incomplete: 'cut at 1 MiB' }],
    ['whole', [], { failure: null }],
  ] as const)('tells what the decoder says of a record: %s', async (_what, given, told) => {
    const fields = given.map(
      ([name, value]) => ({ name, valueType: typeof value === 'string' ? 0 : 4, representation: '', values: [value] }) as Field,
    );
    const { store, view } = await viewOfMessages([[message('x', 0, { fields })]]);
    const [row] = recordRows(await view.page(0, 1), []);
    await store.close();
    expect(row).toMatchObject(told);
    expect(row && 'incomplete' in row).toBe('incomplete' in told);
  });

  test('tells the summaries by the plan of the decoder, and the time since the row before, where they are asked for', async () => {
    const { store, view } = setUp();
    await append(store, [...numberedLines(2), { at: 1000, text: 'first\nsecond' }]);
    const shown = view();
    const page = await shown.page(1, 2);
    const plans: (string | null)[] = [];
    const planOf = (decoder: string | null): SummaryPlan => (
      plans.push(decoder),
      { ...PLAIN_PLAN, template: parseTemplate('[status {status}]') }
    );
    const [before = null] = await shown.page(0, 1);
    const rows = recordRows(page, [], { planOf, before });
    expect(rows.map(({ summary, since }) => [summary, since])).toEqual([
      ['status 201', 1e9],
      ['first', -1e9],
    ]);
    expect(plans).toEqual(['test']);
    expect(recordRows(page, [], { before: null }).map(({ since }) => since)).toEqual([null, -1e9]);
    expect(recordRows(page, []).map((row) => 'summary' in row || 'since' in row)).toEqual([false, false]);
  });
});
