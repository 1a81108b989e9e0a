import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode } from '../../engine/base/errors.ts';
import type { FileCheckpoint } from '../../engine/inputs/checkpoint.ts';
import { GUARD_BYTES, positionHash } from '../../engine/inputs/position-hash.ts';
import { readRecord } from './tally.ts';

/**
 * How many records of a log the input of a killed service had acknowledged, by the checkpoint that it left.
 * @param checkpoint its path without ending
 * @param log path of the log
 */
export function acknowledgedRecords(checkpoint: string, log: string): number {
  const files = filesOf(log);
  const positions = entriesOf(checkpoint).filter((entry) => entry.log === log && entry.offset > 0);
  return Math.max(0, ...positions.map((position) => recordsUpTo(position, files)));
}

/** The newer one of the two that an input keeps. The input may remove one at any time. */
function entriesOf(checkpoint: string): readonly FileCheckpoint[] {
  try {
    return newestOf(checkpoint);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return newestOf(checkpoint);
    throw error;
  }
}

function newestOf(checkpoint: string): readonly FileCheckpoint[] {
  const [durable, latest] = ['json', 'latest'].map((ending) => {
    const path = `${checkpoint}.${ending}`;
    return { path, at: statSync(path, { bigint: true, throwIfNoEntry: false })?.mtimeNs ?? -1n };
  }) as [{ path: string; at: bigint }, { path: string; at: bigint }];
  const { path, at } = latest.at >= durable.at ? latest : durable;
  return at < 0n ? [] : (JSON.parse(readFileSync(path, 'utf8')) as { files: FileCheckpoint[] }).files;
}

function filesOf(log: string): string[] {
  const folder = dirname(log);
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => path.startsWith(log));
}

/** The number of the record before a position, and one; 0: no file has the position any more. */
function recordsUpTo({ offset, hash }: FileCheckpoint, files: readonly string[]): number {
  for (const path of files) {
    const before = bytesBefore(path, offset);
    if (before === null || positionHash(before) !== hash) continue;
    const record = readRecord(before.toString('latin1').trimEnd().split('\n').at(-1) ?? '');
    if (record !== null) return record.number + 1;
  }
  return 0;
}

function bytesBefore(path: string, offset: number): Buffer | null {
  const bytes = Buffer.alloc(Math.min(GUARD_BYTES, offset));
  const file = openSync(path, 'r');
  try {
    return readSync(file, bytes, 0, bytes.length, offset - bytes.length) === bytes.length ? bytes : null;
  } finally {
    closeSync(file);
  }
}
