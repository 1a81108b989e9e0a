import { expect, it } from 'vitest';
import { RequestError, type Client } from '../../../../../renderer/src/lib/api.ts';
import { FilterBox } from '../../../../../renderer/src/state/filter/filter-box.svelte.ts';
import { Logs } from '../../../../../renderer/src/state/logs.svelte.ts';
import type { Prefs } from '../../../../../renderer/src/state/prefs.svelte.ts';
import { until } from '../../../../until.ts';

const FACTS = { span: null, severities: 'none', sources: [], type: null, texts: true, fractions: false, alike: {} };

interface Query {
  readonly filters?: readonly { readonly text?: string }[];
}

/** The box over an engine that refuses the expression `(`. */
async function boxOf(): Promise<{ box: FilterBox; logs: Logs }> {
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
  const box = new FilterBox(logs, () => []);
  box.turn({ regex: true });
  return { box, logs };
}

it('keeps a wrong expression in the box, and takes it as soon as it is completed', async () => {
  const { box, logs } = await boxOf();
  box.type('(');
  await until(() => logs.problem !== null, 'the expression is refused');
  box.push();
  expect([box.draft.typed, logs.filter.stack]).toEqual(['(', []]);
  box.type('(a)');
  box.push();
  expect([box.draft.typed, logs.filter.stack.map(({ text }) => text)]).toEqual(['', ['(a)']]);
});
