import { expect, it } from 'vitest';
import type { Variable } from '../../../../../engine/api/filter/variable.ts';
import { RequestError, type Client } from '../../../../../renderer/src/lib/api.ts';
import { FilterBox } from '../../../../../renderer/src/state/filter/filter-box.svelte.ts';
import { Lookups } from '../../../../../renderer/src/state/filter/lookups.svelte.ts';
import { Logs } from '../../../../../renderer/src/state/logs.svelte.ts';
import type { Prefs } from '../../../../../renderer/src/state/prefs.svelte.ts';
import { until } from '../../../../until.ts';

const FACTS = { span: null, severities: 'none', sources: [], type: null, texts: true, fractions: false, alike: {} };

interface Query {
  readonly filters?: readonly { readonly text?: string }[];
}

/** The box over an engine that refuses the expression `(`. */
async function boxOf(variables: () => readonly Variable[] = () => []): Promise<{ box: FilterBox; logs: Logs }> {
  const answers: Record<string, (input: never) => unknown> = {
    'view.open': () => ({ view: 1 }),
    'view.rows': () => ({ total: 0, start: 0, facts: FACTS, rows: [] }),
    'view.query': ({ query }: { query: Query }) => {
      const at = query.filters?.findIndex(({ text }) => text === '(') ?? -1;
      if (at < 0) return { revision: 1 };
      throw new RequestError('view.query', { code: 'query.regex', text: 'missing )', place: { filter: at, from: 0, to: 1 } });
    },
  };
  const client = { request: async (name: string, input: never) => (await answers[name]?.(input)) ?? {}, on: () => () => undefined };
  const logs = new Logs({
    client: client as unknown as Client,
    prefs: { follow: false, histogram: false } as Prefs,
    store: { getItem: () => null, setItem: () => undefined },
    columns: () => [],
    more: () => [],
    stackBy: () => null,
    failed: (error) => expect.fail(String(error)),
  });
  await logs.open();
  const box = new FilterBox(logs, variables, new Lookups(client as unknown as Client));
  return { box, logs };
}

it('keeps a wrong expression in the box, and takes it as soon as it is completed', async () => {
  const { box, logs } = await boxOf();
  box.turn({ regex: true });
  box.type('(');
  await until(() => logs.problem !== null, 'the expression is refused');
  box.push();
  expect([box.draft.typed, logs.filter.stack]).toEqual(['(', []]);
  box.type('(a)');
  box.push();
  expect([box.draft.typed, logs.filter.stack.map(({ text }) => text)]).toEqual(['', ['(a)']]);
});

it.each([
  ['status:503', false, 'matcher', 'Fields[status] == 503'],
  ['-status:503', false, 'matcher', 'Fields[status] != 503'],
  ['status:503', true, 'text', 'status:503'],
  ['statuses 503', false, 'text', 'statuses 503'],
])(
  '%s that was kept before a record was read is understood when its field is known; taken as text: %s',
  async (typed, plain, kind, text) => {
    let known: readonly Variable[] = [];
    const { box, logs } = await boxOf(() => known);
    box.type(typed);
    if (plain) box.turn({ plain: true });
    box.push();
    expect(logs.filter.stack.map((one) => one.kind)).not.toContain('matcher');
    known = [{ name: 'Fields[status]', about: 'number', type: 'number', constants: [] }];
    box.reread();
    expect(logs.filter.stack).toMatchObject([{ kind, label: typed, id: 1, enabled: true }]);
    expect(logs.filter.stack[0]?.text).toContain(text);
  },
);
