import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { RecordQuery } from '../../../engine/api/types.ts';
import type { MessageBatch } from '../../../engine/message/batch.ts';
import { batchOf } from '../../../engine/message/builder.ts';
import type { TextColumn } from '../../../engine/message/columns.ts';
import type { Message } from '../../../engine/message/types.ts';
import { RecordStore } from '../../../engine/store/record-store.ts';
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

export const newStore = (folder = newFolder()): RecordStore => new RecordStore({ folder });

/** A store with batches of messages, and a view that has looked at all of them. An empty batch is left out. */
export async function viewOfMessages(
  batches: readonly (readonly Message[])[],
  query: RecordQuery = {},
): Promise<{ store: RecordStore; view: RecordView }> {
  const store = newStore();
  for (const messages of batches)
    if (messages.length > 0) await store.append({ batch: batchOf(messages), raw: null, source: 1, decoder: 'test' });
  const fail = (error: unknown): void => expect(error).toBeUndefined();
  const view = new RecordView(store, query, () => undefined, fail);
  await until(
    () => view.complete,
    () => 'the view',
  );
  return { store, view };
}
