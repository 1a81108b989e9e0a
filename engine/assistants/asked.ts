import { constants } from 'node:fs';
import { appendFile, lstat, mkdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { AskedCall } from '../api/assistant-types.ts';
import { visibleText } from '../api/printable.ts';
import { openRegular } from '../base/files/regular-file.ts';
import { assistantsFolder } from './grants.ts';

/** The file in which the questions of `sluicebox mcp --window` are noted. @param data the folder of the user's data */
export const askedPath = (data: string): string => join(assistantsFolder(data), 'asked.jsonl');
/** The file of the questions before those. */
const olderPath = (path: string): string => path.replace(/\.jsonl$/, '.1.jsonl');

/** Bytes of a file of questions, after which the next one is begun. */
const MOST_BYTES = 1 << 20;
/** Questions that the window shows. */
const MOST_SHOWN = 200;
/** Records of an answer that are noted. */
export const MOST_RECORDS = 20;

/** A link in its place is not followed, and a pipe not waited for. Windows has neither flag. */
const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Adds a line, and begins a new file when this one is large. @throws errors of the file system */
export async function noteAsked(path: string, line: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const size = await stat(path).then(
    (info) => info.size,
    () => 0,
  );
  if (size >= MOST_BYTES) await rename(path, olderPath(path));
  await appendFile(path, `${line}\n`, { mode: 0o600, flag: FLAGS });
}

/** Removes all. @throws errors of the file system */
export async function forgetAsked(path: string): Promise<void> {
  await Promise.all([path, olderPath(path)].map((one) => rm(one, { force: true })));
}

const text = (most: number) =>
  z
    .string()
    .max(100_000)
    .transform((given) => visibleText(given.slice(0, most)));
const moment = z
  .string()
  .max(40)
  .transform((given) => Date.parse(given))
  .refine((ms) => Number.isFinite(ms));
const record = z.object({ name: text(200), path: z.string().max(4096), time: moment.nullable() });
const line = z.object({
  time: moment,
  tool: text(100),
  question: text(400),
  files: z.array(text(200)).max(100),
  rows: z.number().nullable(),
  error: text(400).optional(),
  records: z.array(record).max(MOST_RECORDS),
});

/** The last questions, the latest first. What is no line of a question is passed over. */
export async function lastAsked(path: string): Promise<AskedCall[]> {
  const lines = [...(await linesOf(path)), ...(await linesOf(olderPath(path)))];
  return lines.slice(0, MOST_SHOWN).flatMap((one) => callOf(one) ?? []);
}

function callOf(written: string): AskedCall | null {
  try {
    const { time, error = null, ...rest } = line.parse(JSON.parse(written));
    return { ...rest, at: time, error };
  } catch {
    return null;
  }
}

/** The whole lines at the end of a file, the last one first. */
async function linesOf(path: string): Promise<string[]> {
  let file: FileHandle;
  try {
    if (!(await lstat(path)).isFile()) return [];
    file = await openRegular(path);
  } catch {
    return [];
  }
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, MOST_BYTES)), 0, undefined, Math.max(0, size - MOST_BYTES));
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n');
    // The last one may still be written, and the first one may begin in front of what was read.
    lines.pop();
    if (size > MOST_BYTES) lines.shift();
    return lines.reverse();
  } finally {
    await file.close();
  }
}
