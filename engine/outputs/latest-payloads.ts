import type { Graph, ItemTable, OutputChanges, OutputText } from '../api/types.ts';
import { fieldAt, textAt, type MessageBatch } from '../message/batch/batch.ts';
import { parseCircularBuffer } from './cbuf.ts';
import { parseWeighting } from './items.ts';

/** The purpose of a message that a filter injects. */
export type PayloadKind = 'graph' | 'items' | 'alert' | 'other';

/** The latest payload of one plugin, type and name. */
interface Entry {
  readonly key: string;
  /** Number of the source whose messages it is about. */
  readonly source: number;
  readonly plugin: string;
  readonly type: string;
  readonly name: string;
  readonly payload: string;
  readonly kind: PayloadKind;
  /** Its place in the count of all changes. */
  readonly revision: number;
  /** The parsed payload, from the first use on. */
  parsed?: Graph | ItemTable | null;
}

/** A payload that is neither a graph nor a list nor an alert. */
export type OtherPayload = Pick<Entry, 'plugin' | 'type' | 'name' | 'payload'>;

export interface PayloadNews {
  readonly graphs: boolean;
  readonly items: boolean;
  readonly alerts: readonly { readonly plugin: string; readonly text: string; readonly row: number }[];
}

/** Plugins may make up names: older ones go when there are more. */
const MAX_ENTRIES = 2000;
/** Numbers in one answer about changes, unless the first graph alone has more. */
const MOST_NUMBERS = 1_000_000;

/** The kinds whose changes the window hears of. */
export type ShownKind = 'graph' | 'items';

/** Keeps the latest injected payload of each plugin, type and name, and parses it on first use. */
export class LatestPayloads {
  readonly #entries = new Map<string, Entry>();
  /** Counts the changes of all kinds. */
  #changes = 1;
  readonly #revisions = new Map<PayloadKind, number>();

  /**
   * Takes injected messages; returns the kinds that have news.
   * @param byHost the plugins of each host are others
   */
  accept(source: number, batch: MessageBatch, { byHost = false } = {}): PayloadNews {
    const kinds = new Set<PayloadKind>();
    const alerts: { plugin: string; text: string; row: number }[] = [];
    for (let row = 0; row < batch.length; row++) {
      if (textAt(batch.type, row) !== 'svc.sandbox-output') continue;
      const logger = textAt(batch.logger, row) ?? '';
      const plugin = byHost ? `${logger} of ${textAt(batch.hostname, row) ?? ''}` : logger;
      const payload = textAt(batch.payload, row) ?? '';
      const type = stringField(batch, 'payload_type', row) ?? 'txt';
      const name = stringField(batch, 'payload_name', row) ?? '';
      const kind = kindOf(type, payload);
      if (kind === 'alert') alerts.push({ plugin, text: payload, row });
      else if (!this.#put({ key: [source, plugin, type, name].join('\u0000'), source, plugin, type, name, payload, kind })) continue;
      kinds.add(kind);
    }
    return { graphs: kinds.has('graph'), items: kinds.has('items'), alerts };
  }

  /** Forgets the payloads about a source. @param plugin forgets only the payloads of this plugin */
  remove(source: number, plugin?: string): void {
    for (const [key, entry] of this.#entries) {
      if (entry.source !== source || (plugin !== undefined && entry.plugin !== plugin)) continue;
      this.#entries.delete(key);
      this.#next(entry.kind);
    }
  }

  graphs(): Graph[] {
    return this.#of('graph').flatMap((entry) => parsed(entry, readGraph) ?? []);
  }

  /** The graphs of one plugin for one source. */
  graphsOf(source: number, plugin: string): Graph[] {
    return this.graphs().filter((graph) => graph.source === source && graph.plugin === plugin);
  }

  items(): ItemTable[] {
    return this.#of('items').flatMap((entry) => parsed(entry, readItems) ?? []);
  }

  /** The lists of one plugin for one source. */
  itemsOf(source: number, plugin: string): ItemTable[] {
    return this.items().filter((table) => table.source === source && table.plugin === plugin);
  }

  others(): OtherPayload[] {
    return [...this.#entries.values()].filter(({ kind }) => kind === 'other');
  }

  /** The texts of these plugins. */
  texts(plugins: readonly string[]): OutputText[] {
    const texts = [...this.#entries.values()].filter(
      ({ kind, type, plugin }) => kind === 'other' && type === 'txt' && plugins.includes(plugin),
    );
    return texts.map(({ source, plugin, name, payload }) => ({ source, plugin, name, text: payload }));
  }

  /** Rises with each change of a kind; above 0. */
  revision(kind: ShownKind): number {
    return this.#revisions.get(kind) ?? 1;
  }

  /** The graphs that are newer than a revision. */
  graphChanges(since: number): OutputChanges<Graph> {
    return this.#changesOf('graph', since, readGraph, ({ columns }) => columns.reduce((sum, { values }) => sum + values.length, 0));
  }

  /** The lists that are newer than a revision. */
  itemChanges(since: number): OutputChanges<ItemTable> {
    return this.#changesOf('items', since, readItems, ({ items }) => items.length);
  }

  /** @returns whether it changed anything: a graph of the same numbers is no news, but a list is, as it may stay the same for a time */
  #put(entry: Omit<Entry, 'revision'>): boolean {
    const { key, kind, payload } = entry;
    if (kind === 'graph' && this.#entries.get(key)?.payload === payload) return false;
    this.#entries.set(key, { ...entry, revision: this.#next(kind) });
    if (this.#entries.size > MAX_ENTRIES) this.#dropOldest();
    return true;
  }

  #dropOldest(): void {
    const [oldest] = this.#entries.values();
    if (oldest === undefined) return;
    this.#entries.delete(oldest.key);
    this.#next(oldest.kind);
  }

  #next(kind: PayloadKind): number {
    this.#revisions.set(kind, ++this.#changes);
    return this.#changes;
  }

  #of(kind: ShownKind): Entry[] {
    return [...this.#entries.values()].filter((entry) => entry.kind === kind);
  }

  /** Payloads of a kind that are newer than a revision, the oldest of them first, as many as fit one answer. */
  #changesOf<T extends Graph | ItemTable>(
    kind: ShownKind,
    since: number,
    read: (entry: Entry) => T | null,
    numbers: (output: T) => number,
  ): OutputChanges<T> {
    const all = this.#of(kind);
    const keys = all.map(({ key }) => key);
    const newer = all.filter(({ revision }) => revision > since).sort((a, b) => a.revision - b.revision);
    const changed: T[] = [];
    let room = MOST_NUMBERS;
    for (const entry of newer) {
      const output = parsed(entry, read);
      if (output === null) continue;
      room -= numbers(output);
      if (room < 0 && changed.length > 0) return { revision: entry.revision - 1, keys, changed };
      changed.push(output);
    }
    return { revision: this.revision(kind), keys, changed };
  }
}

/** The parsed payload of an entry; parses it on first use. */
function parsed<T extends Graph | ItemTable>(entry: Entry, read: (entry: Entry) => T | null): T | null {
  if (entry.parsed === undefined) entry.parsed = read(entry);
  return entry.parsed as T | null;
}

function kindOf(type: string, payload: string): PayloadKind {
  if (type === 'cbuf') return 'graph';
  if (type === 'alert') return 'alert';
  if (type === 'tsv' && /^[^\n]+\tWeight(\n|$)/.test(payload.slice(0, 1000))) return 'items';
  return 'other';
}

function stringField(batch: MessageBatch, name: string, row: number): string | undefined {
  for (const column of batch.fields) {
    if (column.name !== name) continue;
    const value = fieldAt(column, row)?.values[0];
    if (typeof value === 'string') return value;
  }
  return undefined;
}

function readGraph(entry: Entry): Graph | null {
  const buffer = parseCircularBuffer(entry.payload);
  if (buffer === null) return null;
  const { time, secondsPerRow, columns, annotations } = buffer;
  const { key, plugin, name, source } = entry;
  return { key, source, plugin, title: name || plugin, time: time * 1000, rowMs: secondsPerRow * 1000, columns, annotations };
}

function readItems(entry: Entry): ItemTable | null {
  const weighting = parseWeighting(entry.payload);
  if (weighting === null) return null;
  const { key, source, plugin, name } = entry;
  return { key, source, plugin, part: partIn(name, weighting.variable), ...weighting };
}

const PATTERNS_OF = 'Patterns of ';

/** Text in parentheses behind the usual name of a list; of patterns, the variable that has them. */
function partIn(name: string, variable: string): string {
  if (variable === 'Pattern' && name.startsWith(PATTERNS_OF)) return name.slice(PATTERNS_OF.length);
  const usual = `Weighting by ${variable} (`;
  return name.startsWith(usual) && name.endsWith(')') ? name.slice(usual.length, -1) : '';
}
