import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textAt } from '../../../engine/message/batch/batch.ts';
import type { InputBatch, InputNotice, InputSink } from '../../../engine/inputs/types.ts';

/** One record as it was delivered. */
export interface Delivered {
  readonly payload: string;
  readonly logger: string;
  readonly type: string;
  readonly hostname: string;
  readonly line: number;
}

export function recordsOf(batch: InputBatch): Delivered[] {
  const { batch: messages, firstLine } = batch;
  return Array.from({ length: messages.length }, (_, row) => ({
    payload: textAt(messages.payload, row) ?? '',
    logger: textAt(messages.logger, row) ?? '',
    type: textAt(messages.type, row) ?? '',
    hostname: textAt(messages.hostname, row) ?? '',
    line: firstLine === 0 ? 0 : firstLine + row,
  }));
}

/** A sink that keeps everything. */
export class TestSink implements InputSink {
  readonly records: Delivered[] = [];
  readonly batches: InputBatch[] = [];
  readonly notices: InputNotice[] = [];
  idles = 0;
  acknowledges = true;
  hurry?: () => void;
  /** Called before a batch is taken; what it returns is waited for. */
  gate: (() => Promise<void>) | null = null;

  async deliver(batch: InputBatch): Promise<void> {
    await this.gate?.();
    this.batches.push(batch);
    for (const record of recordsOf(batch)) this.records.push(record);
    if (this.acknowledges) batch.acknowledge();
  }

  notice(notice: InputNotice): void {
    this.notices.push(notice);
  }

  idle(): void {
    this.idles++;
  }

  get payloads(): string[] {
    return this.records.map(({ payload }) => payload);
  }

  get codes(): string[] {
    return this.notices.map(({ code }) => code);
  }
}

/** A folder of its own for a test; removed with `await using`. */
export async function temporaryFolder(): Promise<{
  readonly path: string;
  file(name: string): string;
  [Symbol.asyncDispose](): Promise<void>;
}> {
  const path = await mkdtemp(join(tmpdir(), 'sluicebox-inputs-'));
  return {
    path,
    file: (name) => join(path, name),
    // An input that a test stops after its folder is gone may write in it once more.
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }),
  };
}
