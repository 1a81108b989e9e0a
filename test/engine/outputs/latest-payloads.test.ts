import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import type { Message } from '../../../engine/message/types.ts';
import { LatestPayloads } from '../../../engine/outputs/latest-payloads.ts';

const COLUMNS =
  '{"time":120,"rows":3,"columns":2,"seconds_per_row":60,"column_info":[{"name":"A","unit":"count","aggregation":"sum"},{"name":"B","unit":"ms","aggregation":"max"}]}';

const text = (name: string, value: string) => ({ name, valueType: 0 as const, values: [value] });

function injected(plugin: string, type: string, name: string, payload: string): Message {
  const fields = [text('payload_type', type), text('payload_name', name)];
  return { uuid: new Uint8Array(16), timestamp: 0n, type: 'svc.sandbox-output', logger: plugin, payload, fields };
}

describe('LatestPayloads', () => {
  it('keeps the latest of each name and sorts them by what they are', () => {
    const payloads = new LatestPayloads();
    const news = payloads.accept(
      1,
      batchOf([
        injected('http', 'cbuf', 'HTTP Status', `${COLUMNS}\n1\t2\n`),
        injected('http', 'cbuf', 'HTTP Status', `${COLUMNS}\n9\t2\n`),
        injected('top', 'tsv', 'Weighting by Type', 'Type\tWeight\nx\t1\n'),
        injected('watch', 'alert', '', 'too many'),
        injected('misc', 'txt', '', 'hello'),
      ]),
    );
    expect(news).toEqual({ graphs: true, items: true, alerts: [{ plugin: 'watch', text: 'too many', row: 3 }] });
    expect(payloads.graphs()).toMatchObject([{ source: 1, plugin: 'http', title: 'HTTP Status', time: 120_000, rowMs: 60_000 }]);
    expect(payloads.graphs()[0]?.columns[0]?.values[0]).toBe(9);
    expect(payloads.items()).toMatchObject([{ source: 1, plugin: 'top', variable: 'Type', items: [{ item: 'x', weight: 1, share: 1 }] }]);
  });

  it('has the texts of some plugins, and says which variable has the patterns of a list', () => {
    const payloads = new LatestPayloads();
    payloads.accept(
      1,
      batchOf([
        injected('kinds', 'txt', 'Message Schema', 'web [2]'),
        injected('others', 'txt', '', 'hello'),
        injected('lines', 'tsv', 'Patterns of Fields[msg]', 'Pattern\tWeight\na <num>\t2\n'),
      ]),
    );
    expect(payloads.texts(['kinds', 'lines'])).toEqual([{ source: 1, plugin: 'kinds', name: 'Message Schema', text: 'web [2]' }]);
    expect(payloads.items().map(({ part }) => part)).toEqual(['Fields[msg]']);
  });

  it('says of which part of the messages a list is', () => {
    const payloads = new LatestPayloads();
    const names = ['Weighting by Type', 'Weighting by Type (web1)', 'Weighting by Type (a) (b)', 'mine (x)', 'Weighting by Typeset (y)'];
    payloads.accept(1, batchOf(names.map((name) => injected('top', 'tsv', name, 'Type\tWeight\nx\t1\n'))));
    expect(payloads.items().map(({ part }) => part)).toEqual(['', 'web1', 'a) (b', '', '']);
  });

  it('keeps two thousand names, and of more the newest', () => {
    const payloads = new LatestPayloads();
    const all = Array.from({ length: 2_001 }, (_, i) => injected('http', 'cbuf', `graph ${i}`, `${COLUMNS}\n${i}\t2\n`));
    payloads.accept(1, batchOf(all));
    const titles = payloads.graphs().map(({ title }) => title);
    expect(titles).toHaveLength(2_000);
    expect([titles.includes('graph 0'), titles.includes('graph 2000')]).toEqual([false, true]);
  });

  it('keeps sources apart and forgets them', () => {
    const payloads = new LatestPayloads();
    for (const source of [1, 2]) payloads.accept(source, batchOf([injected('http', 'cbuf', 'G', `${COLUMNS}\n1\t2\n`)]));
    expect(new Set(payloads.graphs().map(({ key }) => key)).size).toBe(2);
    payloads.remove(1);
    expect(payloads.graphs().map(({ source }) => source)).toEqual([2]);
  });

  it('takes nothing that is no output of a filter', () => {
    const message = { ...injected('http', 'cbuf', 'G', COLUMNS), type: 'other' };
    expect(new LatestPayloads().accept(1, batchOf([message]))).toEqual({ graphs: false, items: false, alerts: [] });
  });

  describe('tells what changed', () => {
    const put = (payloads: LatestPayloads, name: string, value: string, source = 1): void =>
      void payloads.accept(source, batchOf([injected('http', 'cbuf', name, `${COLUMNS}\n${value}\t2\n`)]));
    const titles = (list: readonly { readonly title: string }[]): string[] => list.map(({ title }) => title);

    it('and only that, with the keys of all', () => {
      const payloads = new LatestPayloads();
      put(payloads, 'A', '1');
      put(payloads, 'B', '1');
      const first = payloads.graphChanges(0);
      expect(titles(first.changed)).toEqual(['A', 'B']);
      put(payloads, 'A', '2');
      const second = payloads.graphChanges(first.revision);
      expect(titles(second.changed)).toEqual(['A']);
      expect(second.changed[0]?.columns[0]?.values[0]).toBe(2);
      expect(second.keys).toEqual(first.keys);
      expect(payloads.graphChanges(second.revision)).toEqual({ revision: second.revision, keys: first.keys, changed: [] });
    });

    it('a graph that is drawn anew from the same numbers is no change', () => {
      const payloads = new LatestPayloads();
      put(payloads, 'A', '1');
      const before = payloads.revision('graph');
      expect(payloads.accept(1, batchOf([injected('http', 'cbuf', 'A', `${COLUMNS}\n1\t2\n`)])).graphs).toBe(false);
      expect(payloads.revision('graph')).toBe(before);
    });

    it('by leaving out the keys of what is gone', () => {
      const payloads = new LatestPayloads();
      put(payloads, 'A', '1', 1);
      put(payloads, 'A', '1', 2);
      const { revision, keys } = payloads.graphChanges(0);
      payloads.remove(1);
      expect(payloads.revision('graph')).toBeGreaterThan(revision);
      expect(payloads.graphChanges(revision)).toMatchObject({ keys: keys.slice(1), changed: [] });
    });

    it('of each kind by itself', () => {
      const payloads = new LatestPayloads();
      put(payloads, 'A', '1');
      const items = payloads.revision('items');
      put(payloads, 'A', '2');
      expect(payloads.revision('items')).toBe(items);
      payloads.accept(1, batchOf([injected('top', 'tsv', 'T', 'Type\tWeight\nx\t1\n')]));
      expect(payloads.itemChanges(items).changed).toMatchObject([{ variable: 'Type' }]);
    });

    it('in several answers when it is much', () => {
      const payloads = new LatestPayloads();
      const large = COLUMNS.replace('"rows":3', '"rows":300000');
      for (const name of ['A', 'B', 'C']) payloads.accept(1, batchOf([injected('http', 'cbuf', name, `${large}\n1\t2\n`)]));
      const first = payloads.graphChanges(0);
      expect([titles(first.changed), first.keys.length]).toEqual([['A'], 3]);
      const second = payloads.graphChanges(first.revision);
      expect(titles(second.changed)).toEqual(['B']);
      const third = payloads.graphChanges(second.revision);
      expect([titles(third.changed), third.revision]).toEqual([['C'], payloads.revision('graph')]);
    });
  });
});
