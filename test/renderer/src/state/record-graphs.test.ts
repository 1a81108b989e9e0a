import { expect, it } from 'vitest';
import type { RecordGraph } from '../../../../engine/api/types.ts';
import type { Client } from '../../../../renderer/src/lib/api.ts';
import { RecordGraphs } from '../../../../renderer/src/state/record-graphs.svelte.ts';

const NEW = { title: 'new', measure: 'count', of: null, by: [], display: 'bars', unit: '', any: false, filters: [] } as const;

/** The graphs of a workspace, none of whose views is ever opened. */
async function graphsOf(...titles: readonly string[]): Promise<{ graphs: RecordGraphs; listening: () => number }> {
  const kept = titles.map((title, at): RecordGraph => ({ ...NEW, id: at + 1, title }));
  let listening = 0;
  const request = (name: string): Promise<unknown> =>
    name === 'recordGraph.list' ? Promise.resolve(kept) : name === 'recordGraph.set' ? Promise.resolve(null) : new Promise(() => undefined);
  const on = (): (() => void) => {
    listening++;
    return () => listening--;
  };
  const graphs = new RecordGraphs({ request, on } as unknown as Client, (error) => expect.unreachable(String(error)));
  await graphs.load();
  return { graphs, listening: () => listening };
}

it('draws graphs only while someone looks at them', async () => {
  const { graphs, listening } = await graphsOf('a', 'b');
  expect([graphs.drawings.length, listening()]).toEqual([0, 0]);
  const stop = graphs.watch([]);
  expect([graphs.drawings.map(({ of }) => of.title), listening()]).toEqual([['a', 'b'], 2]);
  stop();
  expect([graphs.drawings.length, listening()]).toEqual([0, 0]);
});

it('keeps the pictures of the others when a graph comes, goes or is put back', async () => {
  const { graphs, listening } = await graphsOf('a', 'b');
  const stop = graphs.watch([]);
  const [a, b] = graphs.drawings;
  await graphs.add(NEW);
  expect(graphs.drawings.map(({ of }) => of.title)).toEqual(['new', 'a', 'b']);
  expect(graphs.drawings.slice(1)).toEqual([a, b]);
  await graphs.remove(1);
  expect([graphs.drawings.length, listening()]).toEqual([2, 2]);
  expect(graphs.drawings[1]).toBe(b);
  await graphs.restore({ ...NEW, id: 1, title: 'a' }, 1);
  expect(graphs.drawings.map(({ of }) => of.title)).toEqual(['new', 'a', 'b']);
  expect(graphs.drawings[2]).toBe(b);
  stop();
  expect(listening()).toBe(0);
});
