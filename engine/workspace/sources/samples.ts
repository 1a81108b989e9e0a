import { existsSync } from 'node:fs';
import { glob, stat } from 'node:fs/promises';
import { checkFile } from '../../inputs/shared/open-file.ts';
import { readRecords } from '../../inputs/shared/read.ts';
import type { SplitOptions } from '../../inputs/splitters/index.ts';
import { fieldAt, textAt, type MessageBatch } from '../../message/batch/batch.ts';
import type { FieldColumn } from '../../message/batch/columns.ts';
import { ValueType, type Message } from '../../message/types.ts';
import { asRecord } from '../../detect/detect.ts';
import { recordsAsWritten } from '../../pipeline/written.ts';
import type { RecordStore } from '../../store/record-store.ts';
import { firstRaw } from '../../store/rows.ts';

const MOST_FIELDS = 200;
/** Lines that fill a large screen, and the visible characters of each. */
const HEAD_LINES = 100;
const HEAD_LINE_LENGTH = 2000;

/** Names of the fields of a batch, in their order. @param except rows that do not count */
export function fieldNames({ fields, length }: MessageBatch, except: ReadonlySet<number>): string[] {
  const isOfThem = ({ rows }: FieldColumn): boolean => except.size === 0 || rowsOf(rows, length).some((row) => !except.has(row));
  return [...new Set(fields.filter(isOfThem).map(({ name }) => name))].slice(0, MOST_FIELDS);
}

const rowsOf = (rows: Uint32Array | null, length: number): Uint32Array => rows ?? Uint32Array.from({ length }, (_, row) => row);

/** Characters of a number that is shown with its unit, such as `999.9 KiB`. */
const WITH_UNIT = 9;

/**
 * Characters of the longest value of each field, among the first records of a batch.
 * @param rows how many of them
 * @param known those of the records before
 */
export function fieldLengths({ fields, length }: MessageBatch, rows: number, known: ReadonlyMap<string, number>): Map<string, number> {
  const lengths = new Map(known);
  for (const column of fields) {
    const isNumber = column.valueType === ValueType.DOUBLE || column.valueType === ValueType.INTEGER;
    let longest = Math.max(lengths.get(column.name) ?? 0, isNumber && (column.representation ?? '') !== '' ? WITH_UNIT : 0);
    for (let row = 0; row < Math.min(length, rows); row++) {
      const value = fieldAt(column, row)?.values.join(', ') ?? '';
      longest = Math.max(longest, value.length);
    }
    lengths.set(column.name, longest);
  }
  return lengths;
}

/**
 * The first file that a list of paths and patterns leads to; it may be missing, if it is named as such.
 * @throws {InputError} when that is a folder, a pipe, a socket or a device: to read from a pipe would take its data from the one that it is for
 */
export async function firstFile(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) {
    if (!/[*?[{]/.test(path) || existsSync(path)) {
      const info = await stat(path).catch(() => null);
      if (info !== null) checkFile(path, info);
      return path;
    }
    for await (const found of glob(path)) if ((await stat(found).catch(() => null))?.isFile() === true) return found;
  }
  return null;
}

/** The first lines of a file as they are, for a look at them before they are decoded; none if it cannot be read. */
export async function headLines(path: string): Promise<string[]> {
  const first = await firstFile([path]).catch(() => null);
  if (first === null) return [];
  const records = await firstRecords(first, { kind: 'line' }, HEAD_LINES).catch(() => []);
  return records.map(({ payload = '' }) => payload.slice(0, HEAD_LINE_LENGTH));
}

/** The first records of a source that is no file, as they were read. */
export async function firstRawLines(store: RecordStore, source: number): Promise<string[]> {
  return (await firstRaw(store, source, HEAD_LINES)).map((text) => text.slice(0, HEAD_LINE_LENGTH));
}

/** The beginning of a source that is asked for. */
interface SampleRequest {
  /** Files and patterns of files: the first one is read. */
  readonly samples: readonly string[];
  /** The way in which its file is cut into records. */
  readonly split: SplitOptions;
  /** The store has the records of a source without a file. */
  readonly store: RecordStore;
  readonly source: number;
  readonly most: number;
}

/** The first records of a source, as a decoder gets them. */
export async function sampleRecords({ samples, split, store, source, most }: SampleRequest): Promise<Message[]> {
  const path = await firstFile(samples);
  if (path !== null) return firstRecords(path, split, most);
  return (await firstRaw(store, source, most)).map((text) => asRecord(text));
}

/** The first records of a file, as a decoder gets them. @param most how many */
async function firstRecords(path: string, split: SplitOptions, most: number): Promise<Message[]> {
  const found: Message[] = [];
  for await (const records of readRecords(path, { split })) {
    const { payload, timestamps, length } = recordsAsWritten(records);
    for (let row = 0; row < length && found.length < most; row++) found.push(asRecord(textAt(payload, row) ?? '', timestamps[row]));
    if (found.length >= most) break;
  }
  return found;
}
