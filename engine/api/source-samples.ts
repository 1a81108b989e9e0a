import { existsSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { readRecords } from '../inputs/read.ts';
import type { SplitOptions } from '../inputs/splitters/index.ts';
import { textAt, type MessageBatch } from '../message/batch.ts';
import { HEAD_LENGTH } from '../pipeline/detect.ts';

const MOST_FIELDS = 200;

/** Names of the fields of a batch, in their order. */
export function fieldNames({ fields }: MessageBatch): string[] {
  return [...new Set(fields.map(({ name }) => name))].slice(0, MOST_FIELDS);
}

/** The first lines of a file, a little more than a detection looks at. */
export async function readHead(path: string): Promise<string> {
  let head = '';
  for await (const { batch } of readRecords(path)) {
    for (let row = 0; row < batch.length && head.length <= HEAD_LENGTH; row++) head += `${textAt(batch.payload, row) ?? ''}\n`;
    if (head.length > HEAD_LENGTH) break;
  }
  return head;
}

/** The first file that a list of paths and patterns leads to. */
export async function firstFile(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) {
    if (!/[*?[{]/.test(path) || existsSync(path)) return path;
    for await (const found of glob(path)) return found;
  }
  return null;
}

/** The first records of a file, as they were read. @param most how many */
export async function firstRecords(path: string, split: SplitOptions, most: number): Promise<string[]> {
  const records: string[] = [];
  for await (const { batch } of readRecords(path, { split })) {
    for (let row = 0; row < batch.length && records.length < most; row++) records.push(textAt(batch.payload, row) ?? '');
    if (records.length >= most) break;
  }
  return records;
}
