import { expect, test } from 'vitest';
import { changedState } from '../../../engine/api/state-change.ts';
import type { EngineState, SourceInfo } from '../../../engine/api/types.ts';
import { PartNews } from '../../../engine/workspace/part-news.ts';

const part = (id: number, records: number): SourceInfo => ({ id, records }) as SourceInfo;

/** The state of somebody who hears all changes. */
function bench() {
  const news = new PartNews<SourceInfo>();
  let state: EngineState | null = null;
  return {
    news,
    say: (...parts: SourceInfo[]) => news.look(parts),
    hear: () => {
      const { changes, characters } = news.take();
      state = changedState(state, { sources: changes, plugins: { changed: [], ids: null } } as never);
      return { changes, characters, sources: state.sources };
    },
    ask: (state_: readonly SourceInfo[]) => (state = { sources: state_, plugins: [] } as never),
  };
}

test.each<{ title: string; looks: SourceInfo[][]; changed: number[]; ids: number[] | null }>([
  { title: 'nothing', looks: [[part(1, 1), part(2, 1)]], changed: [], ids: null },
  { title: 'one that changed', looks: [[part(1, 1), part(2, 2)]], changed: [2], ids: null },
  {
    title: 'one that changed and changed back: somebody may have asked in between',
    looks: [
      [part(1, 2), part(2, 1)],
      [part(1, 1), part(2, 1)],
    ],
    changed: [1],
    ids: null,
  },
  { title: 'a new one', looks: [[part(1, 1), part(2, 1), part(3, 1)]], changed: [3], ids: [1, 2, 3] },
  { title: 'one that is gone', looks: [[part(2, 1)]], changed: [], ids: [2] },
  {
    title: 'one that was there in between',
    looks: [
      [part(1, 1), part(2, 1), part(3, 1)],
      [part(1, 1), part(2, 1)],
    ],
    changed: [],
    ids: null,
  },
  { title: 'another order', looks: [[part(2, 1), part(1, 1)]], changed: [], ids: [2, 1] },
])('tells $title', ({ looks, changed, ids }) => {
  const { news, say, hear } = bench();
  say(part(1, 1), part(2, 1));
  const before = hear();
  expect(before.changes).toEqual({ changed: [part(1, 1), part(2, 1)], ids: [1, 2] });
  for (const look of looks) say(...look);
  expect(news.isNew).toBe(changed.length > 0 || ids !== null);
  const { changes, characters, sources } = hear();
  expect([changes.changed.map(({ id }) => id), changes.ids]).toEqual([changed, ids]);
  expect(characters === 0).toBe(changed.length === 0);
  expect(sources).toEqual(looks.at(-1));
  // Rows of what has not changed are not drawn anew.
  for (const one of sources) if (!changed.includes(one.id)) expect(before.sources).toContain(one);
  expect(news.isNew).toBe(false);
});

test('what has not changed stays the same object for those who ask', () => {
  const { say } = bench();
  const [one] = say(part(1, 1), part(2, 1));
  expect(say(part(1, 1), part(2, 2))[0]).toBe(one);
});

test('a change is right also for who has asked after the one before', () => {
  const { say, hear, ask } = bench();
  say(part(1, 1));
  hear();
  ask(say(part(1, 2), part(2, 1)));
  say(part(1, 1), part(2, 1), part(3, 1));
  expect(hear().sources).toEqual([part(1, 1), part(2, 1), part(3, 1)]);
});
