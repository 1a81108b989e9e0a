import { join } from 'node:path';

const NS_PER_HOUR = 3_600_000_000_000n;
/** What tools for such folders call the partition of rows without a value. */
const NO_VALUE = '__HIVE_DEFAULT_PARTITION__';
/** Longest name of a folder; file systems allow 255 bytes. */
const MAX_NAME = 200;

/** The folder below the root for the messages of a type and hour, as `Type=nginx.access/Hour=2026-11-01-05` (UTC). */
export function partitionOf(type: string | undefined, timestamp: bigint): string {
  const hours = timestamp / NS_PER_HOUR - (timestamp % NS_PER_HOUR < 0n ? 1n : 0n);
  const hour = new Date(Number(hours) * 3_600_000).toISOString().slice(0, 13).replace('T', '-');
  return join(`Type=${type === undefined || type === '' ? NO_VALUE : escaped(type)}`, `Hour=${hour}`);
}

/** Escapes all that a path, or a reader of partitions, may take for something else. A name that is too long is cut. */
function escaped(type: string): string {
  const whole = type.toWellFormed().replace(/[^\w.@ -]|^\./gu, (character) => encodeURIComponent(character).replace(/^\.$/, '%2E'));
  const percent = whole.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  return percent.length <= MAX_NAME ? percent : percent.slice(0, MAX_NAME).replace(/%[\dA-F]?$/, '');
}
