import type { Graph, ItemTable } from '../api/types.ts';
import { fieldAt, textAt, type MessageBatch } from '../message/batch.ts';
import { parseCircularBuffer } from './cbuf.ts';
import { parseWeighting } from './items.ts';

/** What the messages that filters inject are for. */
export type PayloadKind = 'graph' | 'items' | 'alert' | 'other';

/** The latest payload of one plugin, type and name. */
interface Entry {
  readonly key: string;
  /** Number of the source whose messages it is about. */
  readonly source: number;
  readonly plugin: string;
  readonly name: string;
  readonly payload: string;
  readonly kind: PayloadKind;
  /** What was read from the payload, once somebody asked. */
  parsed?: Graph | ItemTable | null;
}

export interface PayloadNews {
  readonly graphs: boolean;
  readonly items: boolean;
  readonly alerts: readonly { readonly plugin: string; readonly text: string }[];
}

/** Plugins may make up names: older ones go when there are more. */
const MAX_ENTRIES = 2000;

/** Keeps what filters inject: the latest payload of each plugin, type and name, and reads it when somebody asks. */
export class LatestPayloads {
  readonly #entries = new Map<string, Entry>();

  /** Takes injected messages; says what there is news of. */
  accept(source: number, batch: MessageBatch): PayloadNews {
    const kinds = new Set<PayloadKind>();
    const alerts: { plugin: string; text: string }[] = [];
    for (let row = 0; row < batch.length; row++) {
      if (textAt(batch.type, row) !== 'svc.sandbox-output') continue;
      const plugin = textAt(batch.logger, row) ?? '';
      const payload = textAt(batch.payload, row) ?? '';
      const type = stringField(batch, 'payload_type', row) ?? 'txt';
      const name = stringField(batch, 'payload_name', row) ?? '';
      const kind = kindOf(type, payload);
      if (kind === 'alert') alerts.push({ plugin, text: payload });
      else this.#put({ key: [source, plugin, type, name].join('\u0000'), source, plugin, name, payload, kind });
      kinds.add(kind);
    }
    return { graphs: kinds.has('graph'), items: kinds.has('items'), alerts };
  }

  /** Forgets what is about a source. @param plugin what this one made of it */
  remove(source: number, plugin?: string): void {
    for (const [key, entry] of this.#entries) {
      if (entry.source === source && (plugin === undefined || entry.plugin === plugin)) this.#entries.delete(key);
    }
  }

  graphs(): Graph[] {
    return this.#parsed('graph', readGraph);
  }

  items(): ItemTable[] {
    return this.#parsed('items', readItems);
  }

  #put(entry: Entry): void {
    this.#entries.set(entry.key, entry);
    if (this.#entries.size <= MAX_ENTRIES) return;
    const oldest = this.#entries.keys().next();
    if (oldest.done !== true) this.#entries.delete(oldest.value);
  }

  #parsed<T extends Graph | ItemTable>(kind: PayloadKind, read: (entry: Entry) => T | null): T[] {
    const list: T[] = [];
    for (const entry of this.#entries.values()) {
      if (entry.kind !== kind) continue;
      if (entry.parsed === undefined) entry.parsed = read(entry);
      if (entry.parsed) list.push(entry.parsed as T);
    }
    return list;
  }
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
  return weighting === null ? null : { key: entry.key, source: entry.source, plugin: entry.plugin, ...weighting };
}
