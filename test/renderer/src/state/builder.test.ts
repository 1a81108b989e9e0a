import { describe, expect, it } from 'vitest';
import type { Client } from '../../../../renderer/src/lib/api.ts';
import { countBy, timelineBy } from '../../../../renderer/src/lib/charts/question.ts';
import { byMatcher, NO_FILTER, withTerm, type Filter } from '../../../../renderer/src/lib/filter/filter.ts';
import { Builder } from '../../../../renderer/src/state/builder.svelte.ts';

const ERRORS = byMatcher('status >= 500', 'Fields[status] >= 500');

/** A builder, and the questions for views that it has asked. */
function setUp(): { builder: Builder; asked: string[]; filter: (next: Filter) => void } {
  const asked: string[] = [];
  let filter = NO_FILTER;
  const request = (name: string, input: unknown): Promise<unknown> => {
    asked.push(name === 'view.open' ? `open ${JSON.stringify((input as { query: unknown }).query)}` : name);
    return new Promise(() => undefined);
  };
  const builder = new Builder({ request, on: () => () => undefined } as unknown as Client, () => filter);
  return { builder, asked, filter: (next) => (filter = next) };
}

describe('the builder', () => {
  it('answers anew when the question or the filter is another one, and only then', () => {
    const { builder, asked, filter } = setUp();
    builder.answer();
    expect(asked).toEqual([]);
    builder.ask(countBy('Fields[status]'), 'pane');
    builder.answer();
    builder.title = 'By status';
    builder.answer();
    expect(asked).toEqual(['open {}']);
    const first = builder.drawing;
    filter(withTerm(NO_FILTER, ERRORS));
    builder.answer();
    expect(asked).toEqual(['open {}', 'open {"filters":[{"matcher":"Fields[status] >= 500"}]}']);
    expect(builder.drawing).not.toBe(first);
    builder.change({ by: ['Fields[status]', 'Type'] });
    builder.answer();
    expect(asked).toHaveLength(3);
    expect(builder.graph).toMatchObject({ title: 'By status', by: ['Fields[status]', 'Type'], filters: [{ label: 'status >= 500' }] });
    expect(builder.inPane).toBe(true);
    builder.close();
    expect([builder.inPane, builder.drawing, builder.graph]).toEqual([false, null, null]);
  });

  it('adds a further filter to that of the Logs, and leaves timelines to others', () => {
    const { builder, asked, filter } = setUp();
    filter(withTerm(NO_FILTER, byMatcher('method = GET', "Fields[method] == 'GET'")));
    builder.ask(countBy('Type'), 'charts', ERRORS);
    expect(builder.graph?.filters.map(({ label }) => label)).toEqual(['method = GET', 'status >= 500']);
    builder.ask(timelineBy(null), 'charts');
    builder.answer();
    expect(asked).toEqual([]);
  });
});
