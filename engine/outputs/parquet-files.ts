import { posix } from 'node:path';
import { textAt, type MessageBatch } from '../message/batch/batch.ts';

const NS_PER_HOUR = 3_600_000_000_000n;
/** Name of the partition of rows without a value, as in Hive. */
const NO_VALUE = '__HIVE_DEFAULT_PARTITION__';
/** Longest name of a folder; file systems allow 255 bytes. */
const MAX_NAME = 200;

/** The rows of a batch by their partitions, each in order. */
export function partitionsOf(batch: MessageBatch): ReadonlyMap<string, readonly number[]> {
  const partitions = new Map<string, number[]>();
  const { timestamps, length } = batch;
  let rows: number[] = [];
  let last: { readonly type: string | undefined; readonly from: bigint; readonly to: bigint } | undefined;
  for (let row = 0; row < length; row++) {
    const timestamp = timestamps[row] as bigint;
    const type = textAt(batch.type, row);
    if (last === undefined || last.type !== type || timestamp < last.from || timestamp >= last.to) {
      const partition = partitionOf(type, timestamp);
      rows = partitions.get(partition) ?? [];
      partitions.set(partition, rows);
      const from = hourOf(timestamp) * NS_PER_HOUR;
      last = { type, from, to: from + NS_PER_HOUR };
    }
    rows.push(row);
  }
  return partitions;
}

/** Hours since 1970. */
const hourOf = (timestamp: bigint): bigint => timestamp / NS_PER_HOUR - (timestamp % NS_PER_HOUR < 0n ? 1n : 0n);

/** The folder below the root for the messages of a type and hour, as `Type=nginx.access/Hour=2026-11-01-05` (UTC). */
export function partitionOf(type: string | undefined, timestamp: bigint): string {
  const hour = new Date(Number(hourOf(timestamp)) * 3_600_000).toISOString().slice(0, 13).replace('T', '-');
  return posix.join(`Type=${type === undefined || type === '' ? NO_VALUE : escaped(type)}`, `Hour=${hour}`);
}

/** Escapes all that a path, or a reader of partitions, may take for something else. A name that is too long is cut. */
function escaped(type: string): string {
  const whole = type.toWellFormed().replace(/[^\w.@ -]|^\./gu, (character) => encodeURIComponent(character).replace(/^\.$/, '%2E'));
  const percent = whole.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  return percent.length <= MAX_NAME ? percent : percent.slice(0, MAX_NAME).replace(/%[\dA-F]?$/, '');
}
