import { join } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../base/errors.ts';
import { after, type LongTimer } from '../base/time/long-timer.ts';
import { textAt, type MessageBatch } from '../message/batch/batch.ts';
import { BatchBuilder } from '../message/batch/builder.ts';
import { decodeMessage } from '../message/protobuf/protobuf.ts';
import { takeRows } from '../message/batch/take-rows.ts';
import type { Message } from '../message/types.ts';
import { ColumnNames } from '../parquet/column-names.ts';
import { MessageTable } from '../parquet/message-table.ts';
import { removeDrafts, writeWhole } from '../parquet/write-whole.ts';
import { matching, remoteReceiver } from '../section/receiver.ts';
import { restart } from '../section/restart.ts';
import { flag, path } from '../section/values.ts';
import { Serial } from '../base/time/serial.ts';
import { unwritable } from '../base/files/unwritable.ts';
import { packageVersion } from '../base/product/version.ts';
import { Delivery, NotDeliveredError, type DeliveryOptions } from './delivery.ts';
import { outputType } from './output-type.ts';
import { exit, milliseconds, octal } from './parameters.ts';
import { partitionsOf } from './parquet-files.ts';
import type { Piece, Writer } from './writers.ts';

/** The type `ParquetOutput` of sections. */
export const parquetOutput = outputType({
  type: 'ParquetOutput',
  summary:
    'Writes messages as Parquet files, which DuckDB, Spark, Trino, ClickHouse, pandas and others read; see [store.md](../store.md) for their ' +
    'columns. Files lie in folders by type and hour (UTC), such as `Type=nginx.access/Hour=2026-11-01-05/`. A file appears when it is ' +
    'complete and never changes. Messages are gathered until there are enough for a file. Meanwhile they wait in a disk buffer, or, with ' +
    '`use_buffering = false`, in the stream of a `NatsInput`. Without both, files are written as soon as no more messages arrive, and are ' +
    'smaller. A script with this target passes it messages in protobuf, one with each call.',
  example: '[lake]\ntype = "ParquetOutput"\npath = "/lake"\nmessage_matcher = "Type == \'nginx.access\'"',
  parameters: () => ({
    ...matching,
    path: path.describe('Folder for the files. Several services may write into the same one. It is created when it is missing.'),
    flush_interval: milliseconds.default(60_000).describe('How long messages wait for others. 0: not at all.'),
    flush_count: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(120_000)
      .describe('Messages, of all types and hours together, that are gathered before files are written.'),
    uuids: flag.default(true).describe('Write the Uuid of each message, which takes 16 bytes.'),
    perm: octal.default('644').describe('Mode of files that are created.'),
    folder_perm: octal.default('755').describe('Mode of folders that are created.'),
    ...remoteReceiver,
    ...restart,
    ...exit,
  }),
  make: (config, { onProblem }) =>
    new ParquetWriter({
      path: config.path,
      flushInterval: config.flush_interval,
      flushCount: config.flush_count,
      uuids: config.uuids,
      modes: { file: parseInt(config.perm, 8), folder: parseInt(config.folder_perm, 8) },
      quietMs: config.use_buffering ? null : QUIET_MS,
      retries: config.retries,
      onProblem,
    }),
});

/** Without a buffer, inputs may wait for what is gathered: when they bring nothing for this long, it is written. */
const QUIET_MS = 250;
/** Bytes that are gathered at most. */
const MAX_BYTES = 128 << 20;
/** Age from which a draft is nobody's any more, as others may write to the same folder; they are looked for as often. */
const ABANDONED_MS = 3_600_000;
/** Columns of a type whose names are kept from file to file. */
const MAX_NAMES = 10_000;
/** Types whose names of columns are kept. */
const MAX_TYPES = 1000;

export interface ParquetWriterOptions {
  readonly path: string;
  /** Milliseconds. */
  readonly flushInterval: number;
  /** Messages. */
  readonly flushCount: number;
  readonly uuids: boolean;
  readonly modes: { readonly file: number; readonly folder: number };
  /** Milliseconds without a message after which what there is is written; null: it waits for `flushInterval`. */
  readonly quietMs: number | null;
  readonly retries: DeliveryOptions['retries'];
  readonly onProblem: (text: string) => void;
}

/** Rows that are gathered until they are written. */
class Gathered {
  /** By the folders of their partitions. */
  readonly tables = new Map<string, { readonly type: string; readonly rows: MessageTable }>();
  readonly done = Promise.withResolvers<void>();
  messages = 0;

  get bytes(): number {
    let sum = 0;
    for (const { rows } of this.tables.values()) sum += rows.bytes;
    return sum;
  }
}

/** Gathers messages and writes them as Parquet files. A write resolves when its messages are in files that are whole. */
export class ParquetWriter implements Writer {
  readonly overlaps = true;
  readonly #options: ParquetWriterOptions;
  readonly #delivery: Delivery;
  readonly #writes = new Serial();
  readonly #names = new Map<string, ColumnNames>();
  #gathered = new Gathered();
  #timer: LongTimer | null = null;
  #quiet: NodeJS.Timeout | null = null;
  #closing = false;
  #files = 0;
  #tidiedAt = -Infinity;
  #tidying: Promise<void> = Promise.resolve();

  /** Removes what runs that were killed have left. */
  constructor(options: ParquetWriterOptions) {
    this.#options = options;
    this.#delivery = new Delivery({ retries: options.retries, onProblem: options.onProblem });
    this.#tidy();
  }

  /** Files that were written. */
  get figures(): Readonly<Record<string, number>> {
    return { WrittenFileCount: this.#files };
  }

  get problem(): string | null {
    return this.#delivery.problem;
  }

  async write(pieces: readonly Piece[]): Promise<void> {
    const builder = new BatchBuilder();
    for (const piece of pieces) {
      const message = this.#decoded(piece);
      if (message !== null) builder.append(message);
    }
    return this.writeBatch(builder.build(), null);
  }

  async writeBatch(batch: MessageBatch, rows: Uint32Array | null, isPatient = false): Promise<void> {
    const { flushCount, flushInterval, quietMs } = this.#options;
    const gathered = this.#gathered;
    this.#gather(gathered, rows === null ? batch : takeRows(batch, rows));
    if (gathered.messages === 0) return;
    if (gathered.messages >= flushCount || gathered.bytes >= MAX_BYTES || flushInterval === 0 || this.#closing) this.#flush();
    else {
      this.#timer ??= after(flushInterval, () => this.#flush());
      if (quietMs !== null && !isPatient) this.#flushAfter(quietMs);
    }
    return gathered.done.promise;
  }

  #flushAfter(quietMs: number): void {
    if (this.#quiet !== null) clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#flush(), quietMs);
  }

  hurry(): void {
    this.#flush();
  }

  /** While a file cannot be written, nothing more is gathered. */
  room(): Promise<void> {
    return this.#writes.idle();
  }

  /** Writes what was gathered. */
  closing(): void {
    this.#closing = true;
    this.#flush();
    this.#delivery.closing();
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#flush();
    await this.#writes.idle();
    await this.#tidying;
    this.#delivery.giveUp();
  }

  #gather(gathered: Gathered, batch: MessageBatch): void {
    for (const [partition, rows] of partitionsOf(batch)) {
      let table = gathered.tables.get(partition);
      if (table === undefined) {
        table = { type: textAt(batch.type, rows[0] ?? 0) ?? '', rows: new MessageTable({ uuids: this.#options.uuids }) };
        gathered.tables.set(partition, table);
      }
      table.rows.add(takeRows(batch, Uint32Array.from(rows)));
    }
    gathered.messages += batch.length;
  }

  /** null: it is no message, which only a script can bring about. */
  #decoded(piece: Piece): Message | null {
    try {
      return decodeMessage(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);
    } catch (error) {
      this.#options.onProblem(`a message that is not valid protobuf is lost: ${messageOf(error)}`);
      return null;
    }
  }

  /** Names of columns stay from file to file, unless strangers make ever new ones. */
  #namesOf(type: string): ColumnNames {
    let names = this.#names.get(type);
    if (names === undefined || names.size > MAX_NAMES) {
      if (this.#names.size >= MAX_TYPES) this.#names.clear();
      names = new ColumnNames();
      this.#names.set(type, names);
    }
    return names;
  }

  #flush(): void {
    this.#timer?.cancel();
    if (this.#quiet !== null) clearTimeout(this.#quiet);
    this.#timer = this.#quiet = null;
    const gathered = this.#gathered;
    if (gathered.messages === 0) return;
    this.#gathered = new Gathered();
    void this.#writes.run(() => this.#writeAll(gathered));
  }

  /** Drafts of other machines are as old as that only later. */
  #tidy(): void {
    if (performance.now() - this.#tidiedAt < ABANDONED_MS) return;
    this.#tidiedAt = performance.now();
    this.#tidying = removeDrafts(this.#options.path, ABANDONED_MS);
  }

  /** A file that is written is not written again when the next one fails. */
  async #writeAll({ tables, done }: Gathered): Promise<void> {
    const { path: root, modes } = this.#options;
    this.#tidy();
    try {
      for (const [partition, { type, rows }] of tables) {
        const folder = join(root, partition);
        const { bytes } = rows.file(`sluicebox ${packageVersion()}`, this.#namesOf(type));
        await this.#delivery.until(async () => {
          await writeWhole(folder, bytes, modes).catch((error: unknown) => {
            throw new Error(unwritable(folder, error), { cause: error });
          });
        });
        tables.delete(partition);
        this.#files++;
      }
      done.resolve();
    } catch (error) {
      done.reject(error instanceof NotDeliveredError ? error : new NotDeliveredError(messageOf(error), false, { cause: error }));
    }
  }
}
