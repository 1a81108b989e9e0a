/** Outputs while a real disk is full: they wait, go on when there is room, and leave nothing that is written in part. */
import { readdirSync, readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeMessage } from '../../../engine/message/protobuf/protobuf.ts';
import { RetriedWriter } from '../../../engine/outputs/delivery.ts';
import { FileWriter, type FileWriterOptions } from '../../../engine/outputs/file-output.ts';
import { Outbox } from '../../../engine/outputs/nats/outbox.ts';
import { ParquetWriter } from '../../../engine/outputs/parquet-output.ts';
import { UnsentFile } from '../../../engine/outputs/unsent-file.ts';
import { CAN_MOUNT, SmallDisk } from '../../small-disk.ts';
import { until } from '../../until.ts';

const KIB = 512;

let disk: SmallDisk;
let said: string[];
const onProblem = (text: string): void => void said.push(text);
const retries = { delay: 5, max_delay: 5, max_jitter: 0, max_retries: -1 };
const isFull = (): boolean => said.some((text) => /^cannot be delivered to .*ENOSPC/.test(text));
/** A line of a KiB. */
const line = (number: number): string => `${String(number).padEnd(1023, '.')}\n`;

describe.runIf(CAN_MOUNT)('a full disk, where file systems can be mounted', () => {
  beforeEach(() => {
    disk = new SmallDisk(KIB);
    said = [];
  });
  afterEach(() => disk[Symbol.dispose]());

  describe('of a file', () => {
    const options = (more: Partial<FileWriterOptions> = {}): FileWriterOptions => ({
      path: disk.at('out.log'),
      perm: 0o644,
      folderPerm: 0o700,
      flushInterval: 1000,
      flushCount: 1,
      flushOperator: 'AND',
      onProblem,
      ...more,
    });

    it.each([
      ['without a journal', {}],
      ['with a journal on the same disk', { stateFolder: 'state' }],
    ])('has each line once, %s', async (_how, { stateFolder }: { readonly stateFolder?: string }) => {
      const writer = new FileWriter(options(stateFolder === undefined ? {} : { stateFolder: disk.at(stateFolder) }));
      const retried = new RetriedWriter(writer, { retries, onProblem });
      await retried.write([line(0)]);
      disk.fill();
      const written = retried.write(Array.from({ length: 20 }, (_, i) => line(i + 1)));
      await until(isFull, 'the problem');
      // Between two attempts there is no part of a batch.
      await until(() => readFileSync(disk.at('out.log'), 'latin1') === line(0), 'the batch to be cut off');
      disk.free();
      await written;
      await retried.write([line(21)]);
      await retried.close();
      expect(readFileSync(disk.at('out.log'), 'latin1')).toBe(Array.from({ length: 22 }, (_, i) => line(i)).join(''));
      expect(said.filter((text) => text.startsWith('cannot be delivered'))).toHaveLength(1);
      expect(said.at(-1)).toBe('is delivered to again');
    });

    it('is rotated when there is room: the new file has all, the old one no part of it', async () => {
      let now = Date.parse('2021-03-05T22:59:00Z');
      const writer = new FileWriter(options({ path: disk.at('%H/out.log'), rotationInterval: 1, now: () => now }));
      const retried = new RetriedWriter(writer, { retries, onProblem });
      await retried.write([line(0)]);
      disk.fill();
      now += 3_600_000;
      const written = retried.write([line(1), line(2)]);
      await until(isFull, 'the problem');
      disk.free();
      await written;
      await retried.close();
      expect(readFileSync(disk.at('22/out.log'), 'latin1')).toBe(line(0));
      expect(readFileSync(disk.at('23/out.log'), 'latin1')).toBe(line(1) + line(2));
    });
  });

  it('of Parquet files: none is there before it is whole, and each message is in one', async () => {
    const output = new ParquetWriter({
      place: { path: disk.at('lake') },
      upkeep: null,
      flushInterval: 60_000,
      flushCount: 10,
      uuids: true,
      quietMs: null,
      retries,
      onProblem,
    });
    const messages = (type: string): Uint8Array[] =>
      Array.from({ length: 10 }, (_, i) =>
        encodeMessage({ uuid: new Uint8Array(16), timestamp: BigInt(i), type, payload: line(i), fields: [] }),
      );
    const files = (): string[] =>
      readdirSync(disk.at('lake'), { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.parquet'));
    await output.write(messages('a'));
    disk.fill();
    const written = output.write(messages('b'));
    await until(isFull, 'the problem');
    expect(files().filter((name) => !name.endsWith('.part'))).toHaveLength(1);
    disk.free();
    await written;
    await output.close();
    expect(files()).toHaveLength(2);
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const counted = await connection.runAndReadAll(`SELECT count(*) FROM read_parquet('${disk.at('lake')}/**/*.parquet')`);
    expect(counted.getRows()).toEqual([[20n]]);
    connection.closeSync();
  });

  it('of what is published to a stream: what it has is whole, and it fails with advice', async () => {
    const { outbox } = await Outbox.open(disk.at('state'));
    const batch = (sequence: number) => ({ subject: 's', id: `${sequence}`, sequence, body: Buffer.alloc(9000, sequence) });
    await outbox.write({ mark: 'a', batches: [batch(1)] });
    disk.fill();
    await expect(outbox.write({ mark: 'b', batches: [batch(2), batch(3)] })).rejects.toThrow(
      /published cannot be written \(ENOSPC.*free some/,
    );
    expect((await Outbox.open(disk.at('state'))).left).toEqual({ mark: 'a', batches: [batch(1)] });
    disk.free();
    await outbox.write({ mark: 'b', batches: [batch(2)] });
    expect((await Outbox.open(disk.at('state'))).left.mark).toBe('b');
    expect(readdirSync(disk.at('state'))).toEqual(['published']);
  });

  it('of what is to be sent again: what it had is whole, and that it has not the rest is said', async () => {
    const unsent = new UnsentFile(disk.at('state/unsent'), onProblem);
    await unsent.keep([Buffer.from('one')]);
    disk.fill();
    await unsent.keep([Buffer.alloc(20_000)]);
    expect(said).toEqual([expect.stringMatching(/^what is to be sent again is lost if the service ends before that: .*ENOSPC/)]);
    expect((await new UnsentFile(disk.at('state/unsent'), onProblem).load())?.toString()).toBe('one');
  });
});
