import { existsSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { RawLine, RawLines } from '../../api/types.ts';
import { probe, PROBE_BYTES } from '../../inputs/probe.ts';
import { openFile } from '../../inputs/shared/open-file.ts';
import { decodeRecord } from '../../inputs/text.ts';
import { readAt } from '../../base/files/read-at.ts';

const BLOCK = 64 << 10;
/** Bytes that one request reads at most in each direction: what is in a longer line is shown as a line of its own. */
const MOST_BYTES = 4 << 20;
/** Bytes of a line that are shown. */
const LINE_BYTES = 8 << 10;
const NEWLINE = 10;

/** A place in a file, and how many lines to show there. */
export interface RawPlace {
  /** A byte; beyond the end: the end. */
  readonly at: number;
  /** Lines to begin before the line that holds that byte. */
  readonly before: number;
  readonly count: number;
}

/**
 * Reads lines of a file as they stand in it, from any place, whether they were decoded or not.
 * @returns null for what cannot be read by bytes: packed files, UTF-16, patterns, and what is gone
 */
export async function rawLines(path: string, place: RawPlace): Promise<RawLines | null> {
  if (/[*?[{]/.test(path) && !existsSync(path)) return null;
  const handle = await openFile(path).catch(() => null);
  if (handle === null) return null;
  try {
    return await linesOf(handle, place);
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}

async function linesOf(handle: FileHandle, { at, before, count }: RawPlace): Promise<RawLines | null> {
  const { size } = await handle.stat();
  const kind = probe(await readAt(handle, 0, Math.min(size, PROBE_BYTES)));
  if (kind.kind !== 'text' || kind.encoding !== 'utf-8' || kind.lineEnd !== undefined) return null;
  const first = at >= size ? size : await lineBefore(handle, at + 1, 1);
  const start = before === 0 ? first : await lineBefore(handle, first, before);
  return { size, ...(await linesFrom(handle, Math.max(start, kind.bom), size, count)) };
}

/** The beginning of the line that is so many lines before a position, which is the beginning of a line, or in it for the first one. */
async function lineBefore(handle: FileHandle, position: number, lines: number): Promise<number> {
  const lowest = Math.max(0, position - MOST_BYTES);
  let left = lines;
  // The line end in front of the position is that of the line before it.
  for (let end = position - 1; end > lowest;) {
    const from = Math.max(lowest, end - BLOCK);
    const block = await readAt(handle, from, end - from);
    for (let found = block.lastIndexOf(NEWLINE); found !== -1; found = found === 0 ? -1 : block.lastIndexOf(NEWLINE, found - 1))
      if (--left === 0) return from + found + 1;
    end = from;
  }
  return lowest;
}

async function linesFrom(handle: FileHandle, start: number, size: number, count: number): Promise<Omit<RawLines, 'size'>> {
  const lines: RawLine[] = [];
  let at = start;
  const last = Math.min(size, start + MOST_BYTES);
  let text = Buffer.alloc(0);
  /** Position of `text` in the file. */
  let from = start;
  while (lines.length < count && at < last) {
    const end = text.indexOf(NEWLINE, at - from);
    if (end === -1 && from + text.length < last) {
      const more = await readAt(handle, from + text.length, Math.min(BLOCK, last - from - text.length));
      if (more.length === 0) break;
      text = Buffer.concat([text.subarray(at - from), more]);
      from = at;
      continue;
    }
    const stop = end === -1 ? text.length : end;
    lines.push({ at, text: shown(text.subarray(at - from, stop)) });
    at = from + stop + (end === -1 ? 0 : 1);
  }
  return { lines, end: at };
}

function shown(line: Buffer): string {
  const { text } = decodeRecord(line.subarray(0, LINE_BYTES));
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}
