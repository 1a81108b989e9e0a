import { z } from 'zod';
import { messageOf } from '../base/errors.ts';
import { Lake, ORPHAN_MS } from '../catalogue/lake.ts';
import { LakeWriter, type NewFile } from '../catalogue/lake-writer.ts';
import { filesAt, isInBucket, type LakePlace } from '../catalogue/place.ts';
import { accessFrom } from '../catalogue/s3-files.ts';
import { readTextSync } from '../base/files/regular-file.ts';
import { Upkeep, type UpkeepOptions } from '../catalogue/upkeep.ts';
import { after, type LongTimer } from '../base/time/long-timer.ts';
import { textAt, type MessageBatch } from '../message/batch/batch.ts';
import { BatchBuilder } from '../message/batch/builder.ts';
import { decodeMessage } from '../message/protobuf/protobuf.ts';
import { takeRows } from '../message/batch/take-rows.ts';
import type { Message } from '../message/types.ts';
import { ColumnNames } from '../parquet/column-names.ts';
import { MessageTable } from '../parquet/message-table.ts';
import { matching, remoteReceiver } from '../section/receiver.ts';
import { restart } from '../section/restart.ts';
import { bytes, count, flag, path, seconds, text } from '../section/values.ts';
import { Serial } from '../base/time/serial.ts';
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
    path: path.describe(
      'Folder for the files, which is created when it is missing, or `s3://BUCKET/PREFIX`. Several services may write to the same place.',
    ),
    s3_endpoint: text
      .regex(/^https?:\/\/[^/]+\/?$/)
      .optional()
      .describe(
        'Server of the bucket, such as `https://minio.example.org:9000`. Default: `AWS_ENDPOINT_URL` of the environment, or that of AWS for the region.',
      ),
    s3_region: text.optional().describe('Region of the bucket. Default: `AWS_REGION` of the environment, or `us-east-1`.'),
    s3_access_key_file: path.optional().describe('File with the key that names the user. Default: `AWS_ACCESS_KEY_ID` of the environment.'),
    s3_secret_key_file: path.optional().describe('File with its secret. Default: `AWS_SECRET_ACCESS_KEY` of the environment.'),
    flush_interval: milliseconds.default(60_000).describe('How long messages wait for others. 0: not at all.'),
    flush_count: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(120_000)
      .describe('Messages, of all types and hours together, that are gathered before files are written.'),
    uuids: flag.default(true).describe('Write the Uuid of each message, which takes 16 bytes.'),
    compact: flag
      .default(true)
      .describe('Make large files of small ones, in a thread. One of the services that write to a lake does so at a time.'),
    keep_days: count.default(0).describe('Days after which files are removed whose messages are all older. 0: they are kept.'),
    keep_bytes: bytes.default(0).describe('Size of all files beyond which the oldest are removed. 0: no limit.'),
    grace: seconds
      .default(900)
      .describe('Time for which files stay on the disk that are merged or removed, so that queries which began before have their answers.'),
    perm: octal.default('644').describe('Mode of files that are created.'),
    folder_perm: octal.default('755').describe('Mode of folders that are created.'),
    ...remoteReceiver,
    ...restart,
    ...exit,
  }),
  rules: [
    {
      holds: ({ s3_access_key_file: access, s3_secret_key_file: secret }) => (access === undefined) === (secret === undefined),
      error: 'needs s3_access_key_file and s3_secret_key_file together',
    },
  ],
  make: (config, { onProblem }) => {
    const s3 = isInBucket(config.path) ? accessFrom(process.env, givenAccess(config)) : undefined;
    const place = { path: config.path, s3, modes: { file: parseInt(config.perm, 8), folder: parseInt(config.folder_perm, 8) } };
    const retention = { ageMs: config.keep_days === 0 ? null : config.keep_days * MS_PER_DAY, bytes: config.keep_bytes || null };
    return new ParquetWriter({
      place,
      flushInterval: config.flush_interval,
      flushCount: config.flush_count,
      uuids: config.uuids,
      quietMs: config.use_buffering ? null : QUIET_MS,
      retries: config.retries,
      upkeep: { retention, compacts: config.compact, graceMs: config.grace * 1000, everyMs: UPKEEP_MS },
      onProblem,
    });
  },
});

interface S3Parameters {
  readonly s3_endpoint?: string | undefined;
  readonly s3_region?: string | undefined;
  readonly s3_access_key_file?: string | undefined;
  readonly s3_secret_key_file?: string | undefined;
}

function givenAccess(config: S3Parameters): Parameters<typeof accessFrom>[1] {
  const { s3_endpoint: endpoint, s3_region: region, s3_access_key_file: accessFile, s3_secret_key_file: secretFile } = config;
  const read = (file: string): string => readTextSync(file, MOST_KEY_BYTES).trim();
  return {
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
    ...(accessFile === undefined || secretFile === undefined ? {} : { accessKey: read(accessFile), secretKey: read(secretFile) }),
  };
}

const MOST_KEY_BYTES = 4096;
const MS_PER_DAY = 86_400_000;
/** Milliseconds between two looks at the lake. */
const UPKEEP_MS = 60_000;
/** Without a buffer, inputs may wait for what is gathered: when they bring nothing for this long, it is written. */
const QUIET_MS = 250;
/** Bytes that are gathered at most. */
const MAX_BYTES = 128 << 20;

export interface ParquetWriterOptions {
  readonly place: LakePlace;
  /** Milliseconds. */
  readonly flushInterval: number;
  /** Messages. */
  readonly flushCount: number;
  readonly uuids: boolean;
  /** Milliseconds without a message after which what there is is written; null: it waits for `flushInterval`. */
  readonly quietMs: number | null;
  readonly retries: DeliveryOptions['retries'];
  /** null: others look after the lake. */
  readonly upkeep: UpkeepOptions | null;
  readonly onProblem: (text: string) => void;
}

/** Rows of one folder. */
interface GatheredTable {
  readonly type: string | null;
  readonly rows: MessageTable;
  least: bigint;
  most: bigint;
}

/** Rows that are gathered until they are written. */
class Gathered {
  /** By the folders of their partitions. */
  readonly tables = new Map<string, GatheredTable>();
  readonly done = Promise.withResolvers<void>();
  messages = 0;

  get bytes(): number {
    let sum = 0;
    for (const { rows } of this.tables.values()) sum += rows.bytes;
    return sum;
  }
}

/** Gathers messages and writes them as Parquet files into a lake. A write resolves when its messages are in the lake. */
export class ParquetWriter implements Writer {
  readonly overlaps = true;
  readonly #options: ParquetWriterOptions;
  readonly #delivery: Delivery;
  readonly #writes = new Serial();
  readonly #lake: LakeWriter;
  readonly #upkeep: Upkeep | null;
  #gathered = new Gathered();
  #timer: LongTimer | null = null;
  #quiet: NodeJS.Timeout | null = null;
  #closing = false;
  #files = 0;
  readonly #tidying: Promise<void>;

  /** Removes what runs that were killed have left. */
  constructor(options: ParquetWriterOptions) {
    this.#options = options;
    this.#delivery = new Delivery({ retries: options.retries, onProblem: options.onProblem });
    const { place, upkeep } = options;
    const lake = new Lake(filesAt(place), { graceMs: upkeep?.graceMs });
    this.#lake = new LakeWriter(lake);
    this.#upkeep = upkeep === null ? null : new Upkeep({ place, ...upkeep }, options.onProblem);
    this.#tidying = lake.files.tidy(ORPHAN_MS);
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
    await this.#upkeep?.close();
    this.#delivery.giveUp();
  }

  #gather(gathered: Gathered, batch: MessageBatch): void {
    for (const [folder, rows] of partitionsOf(batch)) {
      let table = gathered.tables.get(folder);
      if (table === undefined) {
        const messages = new MessageTable({ uuids: this.#options.uuids });
        table = { type: textAt(batch.type, rows[0] ?? 0) || null, rows: messages, least: 2n ** 63n - 1n, most: -(2n ** 63n) };
        gathered.tables.set(folder, table);
      }
      const own = takeRows(batch, Uint32Array.from(rows));
      table.rows.add(own);
      for (const time of own.timestamps) {
        if (time < table.least) table.least = time;
        if (time > table.most) table.most = time;
      }
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

  #flush(): void {
    this.#timer?.cancel();
    if (this.#quiet !== null) clearTimeout(this.#quiet);
    this.#timer = this.#quiet = null;
    const gathered = this.#gathered;
    if (gathered.messages === 0) return;
    this.#gathered = new Gathered();
    void this.#writes.run(() => this.#writeAll(gathered));
  }

  /** All files come into the lake at once. What is written is not written again when the rest fails. */
  async #writeAll({ tables, done }: Gathered): Promise<void> {
    try {
      const files: NewFile[] = [];
      for (const [folder, { type, rows, least, most }] of tables) {
        let names = new ColumnNames();
        await this.#delivery.until(async () => void (names = await this.#lake.namesOf(type)));
        const { bytes, layout, unused } = rows.file(`sluicebox ${packageVersion()}`, names);
        files.push({ folder, bytes, entry: { type, rows: rows.rows, least, most, uuids: this.#options.uuids, layout, unused } });
        tables.delete(folder);
      }
      await this.#delivery.until(this.#lake.step(files));
      this.#files += files.length;
      done.resolve();
    } catch (error) {
      done.reject(error instanceof NotDeliveredError ? error : new NotDeliveredError(messageOf(error), false, { cause: error }));
    }
  }
}
