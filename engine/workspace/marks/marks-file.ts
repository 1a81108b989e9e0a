import { createHash } from 'node:crypto';
import { z } from 'zod';

/** Characters of a record that are kept with its mark. */
const KEPT = 2000;

/** A mark as it is kept: its record is known again by its text, and among equal ones by its place. */
export interface KeptMark {
  /** Path of the file, or address of a live source. */
  readonly location: string;
  /** Records of the file before it. */
  readonly ordinal: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The record as it was read, cut. */
  readonly text: string;
  /** Characters of the whole record. */
  readonly length: number;
  /** Of the whole record, when it was cut. */
  readonly hash?: string | undefined;
  readonly note: string;
  /** Its records are those of a live source, and end with the window; absent: of a file. */
  readonly live?: true | undefined;
}

export const markList = z.array(
  z.strictObject({
    location: z.string(),
    ordinal: z.int().nonnegative(),
    time: z.number(),
    text: z.string(),
    length: z.int().nonnegative(),
    hash: z.string().optional(),
    note: z.string(),
    live: z.literal(true).optional(),
  }),
);

const schema = z.strictObject({ version: z.literal(1), marks: markList });

/** @throws {Error} when it is no such file */
export function parseMarks(text: string): readonly KeptMark[] {
  return schema.parse(JSON.parse(text)).marks;
}

export function formatMarks(marks: readonly KeptMark[]): string {
  return `${JSON.stringify({ version: 1, marks }, null, 1)}\n`;
}

/** The parts of a record by which its mark finds it again. */
export function contentOf(raw: string): Pick<KeptMark, 'text' | 'length' | 'hash'> {
  if (raw.length <= KEPT) return { text: raw, length: raw.length };
  return { text: raw.slice(0, KEPT), length: raw.length, hash: hashOf(raw) };
}

/** Whether a mark is on a record with this text. */
export function isOn(mark: Pick<KeptMark, 'text' | 'length' | 'hash'>, raw: string): boolean {
  if (raw.length !== mark.length) return false;
  return mark.hash === undefined ? raw === mark.text : raw.startsWith(mark.text) && hashOf(raw) === mark.hash;
}

const hashOf = (raw: string): string => createHash('sha256').update(raw).digest('hex');
