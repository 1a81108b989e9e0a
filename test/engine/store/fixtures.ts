import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { RecordQuery } from '../../../engine/api/types.ts';
import type { MessageBatch } from '../../../engine/message/batch/batch.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import type { TextColumn } from '../../../engine/message/batch/columns.ts';
import type { Message } from '../../../engine/message/types.ts';
import { RecordStore } from '../../../engine/store/record-store.ts';
import { recordRows } from '../../../engine/store/rows.ts';
import { RecordView } from '../../../engine/store/view.ts';
import { until } from '../../until.ts';

export interface Line {
  /** Seconds since 1970. */
  readonly at: number;
  readonly text: string;
  readonly severity?: number;
  readonly status?: number;
}

/** Lines as a decoder would hand them on: the raw line beside messages without a payload. */
export function linesBatch(lines: readonly Line[]): { batch: MessageBatch; raw: TextColumn } {
  const messages = lines.map((line): Message => ({
    uuid: new Uint8Array(16),
    timestamp: BigInt(Math.round(line.at * 1e9)),
    type: 'line',
    ...(line.severity === undefined ? {} : { severity: line.severity }),
    fields: line.status === undefined ? [] : [{ name: 'status', valueType: 3, values: [line.status] }],
  }));
  const starts = new Uint32Array(lines.length);
  const ends = new Uint32Array(lines.length);
  let at = 0;
  for (const [i, line] of lines.entries()) {
    starts[i] = at;
    ends[i] = at + line.text.length;
    at += line.text.length + 1;
  }
  return { batch: batchOf(messages), raw: { text: lines.map((line) => line.text).join('\n'), starts, ends, rows: null } };
}

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'sluicebox-test-'));

/** A store that keeps hardly anything in memory once it is written. */
export const newStore = (folder = newFolder()): RecordStore => new RecordStore({ folder, cacheBytes: 1 });

/** A store with batches of messages, and a view that has looked at all of them. An empty batch is left out. */
export async function viewOfMessages(
  batches: readonly (readonly Message[])[],
  query: RecordQuery = {},
): Promise<{ store: RecordStore; view: RecordView }> {
  const store = newStore();
  for (const messages of batches)
    if (messages.length > 0) await store.append({ batch: batchOf(messages), raw: null, source: 1, decoder: 'test' });
  await store.flushed();
  const fail = (error: unknown): void => expect(error).toBeUndefined();
  const view = new RecordView(store, query, () => undefined, fail);
  await until(
    () => view.complete,
    () => 'the view',
  );
  return { store, view };
}

/** Stores and their views for the tests of a file; `close` closes them. */
export class StoreBench {
  readonly #open: { store: RecordStore; views: RecordView[] }[] = [];

  setUp(): { store: RecordStore; view: (query?: RecordQuery) => RecordView } {
    const store = newStore();
    const views: RecordView[] = [];
    this.#open.push({ store, views });
    return {
      store,
      view(query = {}) {
        const view = new RecordView(
          store,
          query,
          () => undefined,
          (error) => {
            throw error;
          },
        );
        views.push(view);
        return view;
      },
    };
  }

  async close(): Promise<void> {
    for (const { store, views } of this.#open.splice(0)) {
      for (const view of views) view.close();
      await store.close();
    }
  }
}

/** Lines with numbers from `from` on, a second apart, of all severities. */
export const numberedLines = (count: number, from = 0): Line[] =>
  Array.from({ length: count }, (_, i) => ({
    at: 1000 + from + i,
    text: `line ${from + i}`,
    severity: (from + i) % 8,
    status: 200 + ((from + i) % 3),
  }));

export const append = (store: RecordStore, list: readonly Line[], source = 1): ReturnType<RecordStore['append']> =>
  store.append({ ...linesBatch(list), source, decoder: 'test' });

/** The texts of rows of a view that has gone over all records. */
export async function textsOf(view: RecordView, start = 0, count = 100_000): Promise<string[]> {
  await until(() => view.complete);
  return recordRows(await view.page(start, count), []).map((row) => row.text);
}
