import type { PluginInfo, SourceInfo } from '../../../../engine/api/types.ts';
import type { Direction } from '../filter/local-keys.ts';

/** The state that the mark of a node shows. */
export type NodeState = PluginInfo['state'] | 'failed';
type NodeKind = 'input' | 'decoder' | 'filter' | 'window';

export interface GraphNode {
  /** For a plugin its id. */
  readonly id: string;
  readonly kind: NodeKind;
  readonly label: string;
  /** A second, quieter line. */
  readonly about: string;
  readonly state: NodeState;
  readonly plugin: PluginInfo | null;
  readonly source: number;
  readonly column: number;
  readonly x: number;
  readonly y: number;
}

interface GraphEdge {
  readonly id: string;
  readonly path: string;
  /** The lines between which it is drawn. */
  readonly top: number;
  readonly bottom: number;
  /** Messages a second. */
  readonly rate: number;
  /** Position of its rate; null: the rate is not shown. */
  readonly label: { readonly x: number; readonly y: number; readonly anchor: 'start' | 'middle' | 'end' } | null;
  /** Whether one of its ends does not run, so that no message passes. */
  readonly broken: boolean;
}

export interface PipelineGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly columns: readonly { readonly title: string; readonly x: number }[];
  readonly width: number;
  readonly height: number;
  readonly nodeWidth: number;
  /** 0: there is no node of the window. */
  readonly windowWidth: number;
  /** Filters that are left out because they wait. */
  readonly hidden: number;
}

export const NODE_HEIGHT = 32;
const PAD = 12;
const TITLES = 20;
const ROW = NODE_HEIGHT + 8;
const LANE_GAP = 16;
const LEAST_GAP = 46;
/** Pixels from several decoders to the point where their edges meet. */
const MEETING_GAP = 20;
const NODE_WIDTHS = { least: 112, most: 216 };
/** Width of the node of the window where there is little room: enough for its name. */
const NARROW_WINDOW = 64;
/** Below this width, the node of the window, in which every lane ends, and the rates of the edges are left out. */
const NARROWEST = { gap: 20, node: 72 };
const COLUMNS = ['Inputs', 'Decoders', 'Filter scripts', 'Window'] as const;

interface Options {
  /** Available pixels. */
  readonly width: number;
  /** Whether filters that wait for their first message are shown, too. */
  readonly waiting: boolean;
}

/**
 * Lays out the graph: one lane for each source, from its input over its decoders and its filters to the window, as high as its nodes need.
 * The edges of several decoders meet in one point and go from there to the filters, so that no edge crosses another.
 */
export function pipelineGraph(sources: readonly SourceInfo[], plugins: readonly PluginInfo[], { width, waiting }: Options): PipelineGraph {
  const grid = gridOf(width);
  const { x, nodeWidth, windowWidth } = grid;
  const lanes = new LaneBuilder(grid);
  let hidden = 0;
  for (const source of sources) {
    const own = plugins.filter((plugin) => plugin.source === source.id);
    const filters = own.filter(({ kind }) => kind === 'filter');
    const shown = waiting ? filters : filters.filter(({ state }) => state !== 'waiting');
    hidden += filters.length - shown.length;
    const decoders = own.filter(({ kind }) => kind === 'decoder');
    lanes.add(source, decoders, shown);
  }
  return {
    nodes: lanes.nodes,
    edges: lanes.edges,
    hidden,
    nodeWidth,
    windowWidth,
    columns: COLUMNS.slice(0, windowWidth > 0 ? 4 : 3).map((title, column) => ({ title, x: x(column) })),
    width: windowWidth > 0 ? x(3) + windowWidth + PAD : x(2) + nodeWidth + PAD,
    height: lanes.bottom,
  };
}

interface Grid {
  readonly x: (column: number) => number;
  readonly nodeWidth: number;
  readonly windowWidth: number;
}

function gridOf(width: number): Grid {
  const free = width - 2 * PAD - 3 * LEAST_GAP;
  const even = Math.floor(free / 4);
  const isWide = even >= 150;
  if (width > 0 && free < NARROW_WINDOW + 3 * NODE_WIDTHS.least) {
    const { gap, node } = NARROWEST;
    const nodeWidth = Math.max(node, Math.floor((width - 2 * PAD - 2 * gap) / 3));
    return { nodeWidth, windowWidth: 0, x: (column) => PAD + column * (nodeWidth + gap) };
  }
  const nodeWidth = Math.min(NODE_WIDTHS.most, Math.max(NODE_WIDTHS.least, isWide ? even : Math.floor((free - NARROW_WINDOW) / 3)));
  const windowWidth = isWide ? nodeWidth : NARROW_WINDOW;
  const gap = Math.floor(Math.max(LEAST_GAP, Math.min(140, (width - 2 * PAD - 3 * nodeWidth - windowWidth) / 3)));
  return { nodeWidth, windowWidth, x: (column) => PAD + column * (nodeWidth + gap) };
}

class LaneBuilder {
  readonly nodes: GraphNode[] = [];
  readonly edges: GraphEdge[] = [];
  bottom = TITLES + PAD;
  readonly #grid: Grid;

  constructor(grid: Grid) {
    this.#grid = grid;
  }

  add(source: SourceInfo, decoders: readonly PluginInfo[], filters: readonly PluginInfo[]): void {
    const top = this.bottom;
    const rows = Math.max(1, decoders.length, filters.length);
    const rowsOf = (count: number): number => top + ((rows - count) * ROW) / 2;
    const input = this.#put(inputNode(source), 0, rowsOf(1));
    const stages = decoderNodes(source, decoders);
    const decoded = stages.map((stage, row) => this.#put(stage, 1, rowsOf(stages.length) + row * ROW));
    const end = this.#grid.windowWidth > 0 ? this.#put(windowNode(source), 3, rowsOf(1)) : null;
    for (const stage of decoded) this.#join(input, stage, source.rate, decoded.length === 1);
    const meeting = this.#meet(decoded, source.rate, rowsOf(1));
    filters.forEach((plugin, row) => {
      const filter = this.#put(filterNode(plugin), 2, rowsOf(filters.length) + row * ROW);
      this.#join(meeting, filter, plugin.rate);
      if (end !== null) this.#join(filter, end, plugin.injectedRate);
    });
    if (filters.length === 0 && end !== null) this.#join(meeting, end, source.rate);
    this.bottom = top + rows * ROW + LANE_GAP;
  }

  /** The start of the next edges: the only node, or the point where the edges of several nodes meet. */
  #meet(nodes: readonly GraphNode[], rate: number, y: number): GraphNode {
    const [first] = nodes as readonly [GraphNode];
    if (nodes.length === 1) return first;
    // The point takes the form of a node that ends there.
    const meeting = { ...first, id: `meeting/${first.source}`, state: 'running' as const, x: first.x + MEETING_GAP, y };
    for (const node of nodes) this.#join(node, { ...meeting, x: meeting.x + this.#grid.nodeWidth }, rate, false);
    return meeting;
  }

  #put(node: Omit<GraphNode, 'x' | 'y' | 'column'>, column: number, y: number): GraphNode {
    const placed = { ...node, column, x: this.#grid.x(column), y };
    this.nodes.push(placed);
    return placed;
  }

  #join(from: GraphNode, to: GraphNode, rate: number, saysRate = true): void {
    const x1 = from.x + this.#grid.nodeWidth;
    const y1 = from.y + NODE_HEIGHT / 2;
    const x2 = to.x;
    const y2 = to.y + NODE_HEIGHT / 2;
    const bend = (x2 - x1) / 2;
    const path = y1 === y2 ? `M${x1} ${y1}H${x2}` : `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
    const label = saysRate && rate > 0 && this.#grid.windowWidth > 0 ? this.#labelOf(to.kind, [x1, y1], [x2, y2]) : null;
    const broken = [from, to].some(({ state }) => state === 'terminated' || state === 'stopped' || state === 'failed');
    this.edges.push({ id: `${from.id}>${to.id}`, path, top: Math.min(y1, y2), bottom: Math.max(y1, y2), rate, label, broken });
  }

  /** Places the rate beside the end that no other edge shares, so that rates do not overlap. */
  #labelOf(to: NodeKind, [x1, y1]: readonly [number, number], [x2, y2]: readonly [number, number]): GraphEdge['label'] {
    if (to === 'window') return { x: x1 + 4, y: y1 - 4, anchor: 'start' };
    if (to === 'decoder' && y1 === y2) return { x: (x1 + x2) / 2, y: y1 - 4, anchor: 'middle' };
    return { x: x2 - 4, y: y2 - 4, anchor: 'end' };
  }
}

type Unplaced = Omit<GraphNode, 'x' | 'y' | 'column'>;

const KINDS: Readonly<Record<string, string>> = { file: 'file', udp: 'UDP', tcp: 'TCP', stdin: 'standard input' };

function inputNode({ id, kind, label, state }: SourceInfo): Unplaced {
  const how =
    state === 'failed'
      ? 'failed'
      : state === 'opening'
        ? 'starting'
        : state === 'paused' || state === 'ended' || state === 'closed'
          ? 'stopped'
          : 'running';
  return { id: `input/${id}`, kind: 'input', label, about: KINDS[kind] ?? kind, state: how, plugin: null, source: id };
}

function decoderNodes({ id, label, decoder }: SourceInfo, plugins: readonly PluginInfo[]): Unplaced[] {
  if (plugins.length === 0)
    return [{ id: `raw/${id}`, kind: 'decoder', label: 'Raw', about: 'not decoded', state: 'running', plugin: null, source: id }];
  const nameOf = (plugin: PluginInfo): string =>
    (plugins.length === 1 ? decoder?.name.split(/[\\/]/).at(-1) : undefined) ?? plugin.name.replace(` (${label})`, '');
  return plugins.map((plugin) => ({
    id: plugin.id,
    kind: 'decoder',
    label: nameOf(plugin),
    about: aboutOf(plugin),
    state: plugin.state,
    plugin,
    source: id,
  }));
}

function filterNode(plugin: PluginInfo): Unplaced {
  const label = plugin.section ?? plugin.name;
  return { id: plugin.id, kind: 'filter', label, about: aboutOf(plugin), state: plugin.state, plugin, source: plugin.source ?? 0 };
}

function aboutOf({ state, failures, progress, stall }: PluginInfo): string {
  if (stall !== undefined) return `holds up: ${((stall.messageMs ?? stall.ms) / 1000).toFixed(1)} s a message, ${stall.waiting} wait`;
  if (progress !== null && state !== 'terminated') return `reads, ${Math.round(progress * 100)} %`;
  if (state !== 'running') return state;
  return failures > 0 ? `${failures} refused` : '';
}

const windowNode = ({ id }: SourceInfo): Unplaced => ({
  id: `window/${id}`,
  kind: 'window',
  label: 'Window',
  about: 'records, graphs, lists',
  plugin: null,
  source: id,
  state: 'running',
});

/** Columns and rows to go, by the direction. */
const STEPS: Readonly<Record<Direction, readonly [number, number]>> = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };

/** The node that an arrow key leads to; null: there is none in that direction. */
export function neighbour({ nodes }: PipelineGraph, from: GraphNode, way: Direction): GraphNode | null {
  const [columns, rows] = STEPS[way];
  const there = nodes.filter((node) => node.column === from.column + columns && (rows === 0 || (node.y - from.y) * rows > 0));
  const near = rows === 0 ? there.filter(({ source }) => source === from.source) : there;
  return near.reduce<GraphNode | null>((best, node) => {
    return best === null || Math.abs(node.y - from.y) < Math.abs(best.y - from.y) ? node : best;
  }, null);
}
