import { describe, expect, it } from 'vitest';
import type { PluginInfo, SourceInfo } from '../../../../../engine/api/types.ts';
import { neighbour, NODE_HEIGHT, pipelineGraph, type GraphNode } from '../../../../../renderer/src/lib/charts/pipeline-graph.ts';

const use = { current: 0, maximum: 0, limit: 0 };
const plugin = (source: number, name: string, more: Partial<PluginInfo> = {}): PluginInfo => ({
  ...{
    id: `filter/${source}/${name}`,
    name,
    kind: 'filter',
    script: '/x.js',
    section: name,
    bundled: true,
    config: {},
    matcher: 'TRUE',
    source,
  },
  ...{
    state: 'running',
    reason: null,
    end: null,
    lastError: null,
    progress: null,
    processed: 1,
    failures: 0,
    injected: 1,
    rate: 5,
    injectedRate: 0,
  },
  ...{ averageNs: 1, percentile99Ns: 2, memory: use, instructions: use, output: use },
  ...more,
});
const source = (id: number): SourceInfo => ({
  ...{
    id,
    kind: 'file',
    label: `s${id}.log`,
    location: `/s${id}.log`,
    state: 'following',
    decoder: null,
    timeOffset: 0,
    columns: [],
    tabular: false,
    lengths: {},
    headers: [],
    records: 1,
    failures: 0,
  },
  ...{ dropped: 0, bytes: 1, totalBytes: 1, rate: 10, history: [], problem: null },
});

describe('the graph of a pipeline', () => {
  const sources = [1, 2, 3, 4, 5].map(source);
  const plugins = sources.flatMap(({ id }) => [
    plugin(id, 'd', { id: `decoder/${id}`, kind: 'decoder', section: null }),
    ...['a', 'b', 'c', 'e', 'f'].map((name) => plugin(id, name, name === 'f' ? { state: 'waiting' } : {})),
  ]);

  it.each([580, 900, 1500])('lays out thirty plugins without any lying on another, in %i pixels', (width) => {
    const graph = pipelineGraph(sources, plugins, { width, waiting: true });
    expect(graph.nodes).toHaveLength(5 * 3 + 25);
    expect(graph.width).toBeLessThanOrEqual(Math.max(width, 3 * 112 + 64 + 3 * 46 + 24));
    for (const one of graph.nodes) {
      for (const other of graph.nodes) {
        if (one === other) continue;
        const apart = Math.abs(one.y - other.y) >= NODE_HEIGHT || Math.abs(one.x - other.x) >= graph.nodeWidth;
        expect(apart, `${one.id} and ${other.id}`).toBe(true);
      }
      expect(one.y + NODE_HEIGHT).toBeLessThanOrEqual(graph.height);
    }
    const ends = graph.edges.flatMap(({ id }) => id.split('>'));
    const heightOf = new Map(graph.nodes.map(({ id, y }) => [id, y]));
    for (const { id, top, bottom } of graph.edges) {
      const [from = 0, to = 0] = id.split('>').map((end) => heightOf.get(end));
      expect(bottom - top).toBe(Math.abs(from - to));
    }
    expect(new Set(ends)).toEqual(new Set(graph.nodes.map(({ id }) => id)));
  });

  it('leaves out what waits, and says how many those are', () => {
    const graph = pipelineGraph(sources, plugins, { width: 900, waiting: false });
    expect(graph.hidden).toBe(5);
    expect(graph.nodes.some(({ label }) => label === 'f')).toBe(false);
  });

  it('shows one source without a decoder', () => {
    const graph = pipelineGraph([source(1)], [], { width: 900, waiting: false });
    expect(graph.nodes.map(({ label }) => label)).toEqual(['s1.log', 'Raw', 'Window']);
    expect(graph.edges).toHaveLength(2);
  });

  it('lets what several decoders bring meet before it goes to the filters', () => {
    const decoders = ['linux_loadavg', 'linux_memstats', 'linux_procstat'].map((name, i) => ({
      ...plugin(1, `${name} (s1.log)`, { rate: 1 }),
      ...{ id: `decoder/1/${i}`, kind: 'decoder' as const },
    }));
    const graph = pipelineGraph([source(1)], [...decoders, plugin(1, 'a')], { width: 900, waiting: true });
    const column = graph.nodes.filter(({ kind }) => kind === 'decoder');
    expect(column.map(({ label }) => label)).toEqual(['linux_loadavg', 'linux_memstats', 'linux_procstat']);
    expect(new Set(column.map(({ y }) => y)).size).toBe(3);
    expect(graph.edges.map(({ id }) => id)).toEqual([
      ...column.map(({ id }) => `input/1>${id}`),
      ...column.map(({ id }) => `${id}>meeting/1`),
      'meeting/1>filter/1/a',
      'filter/1/a>window/1',
    ]);
  });

  it('writes rates where something flows, and marks edges of what has ended', () => {
    const graph = pipelineGraph([source(1)], [plugin(1, 'a', { state: 'terminated', rate: 0 })], { width: 900, waiting: false });
    expect(graph.edges.map(({ label, broken }) => [label !== null, broken])).toEqual([
      [true, false],
      [false, true],
      [false, true],
    ]);
  });

  it('is walked through by arrow keys', () => {
    const WAYS = { r: 'right', l: 'left', u: 'up', d: 'down' } as const;
    const graph = pipelineGraph(sources, plugins, { width: 900, waiting: true });
    const walk = (keys: string): string => {
      let at = graph.nodes[0] as GraphNode;
      for (const key of keys) at = neighbour(graph, at, WAYS[key as keyof typeof WAYS]) ?? at;
      return at.id;
    };
    expect(walk('r')).toBe('decoder/1');
    expect(walk('rr')).toBe('filter/1/c');
    expect(walk('rru')).toBe('filter/1/b');
    expect(walk('rrddd')).toBe('filter/2/a');
    expect(walk('rrr')).toBe('window/1');
    expect(walk('rrrr')).toBe('window/1');
    expect(walk('dl')).toBe('input/2');
  });
});
