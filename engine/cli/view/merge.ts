import type { Part } from './records.ts';

/** Rows [from, to) of a part, counted among those that are shown. */
export interface Run {
  readonly part: Part;
  readonly from: number;
  readonly to: number;
}

/** The records of a file, to be read anew each time. */
export interface FileParts extends AsyncIterable<Part> {
  /** They can be read once, such as those of standard input. */
  readonly isOnce: boolean;
}

/** A file, as far as it is read. */
interface Head {
  readonly file: FileParts;
  /** null: it is closed, as many files are open, and begins anew. */
  open: { readonly parts: AsyncIterator<Part>; part: Part } | null;
  /** Number of the next row. */
  next: number;
  /** The latest time so far: a record that is older than one before it keeps its place in the file. */
  time: bigint;
}

/** Files that are open at once though their time has not come. */
const MOST_OPEN = 64;

/** Merges files by time, each in its own order. Of each file one part is held; where one ends before another begins, they are read one after the other. */
export async function* mergedByTime(files: readonly FileParts[], mostOpen = MOST_OPEN): AsyncGenerator<Run> {
  const heads: Head[] = [];
  try {
    for (const file of files) {
      const open = await opened(file);
      if (open === null) continue;
      const head: Head = { file, open, next: 0, time: timeAt(open.part, 0) };
      heads.push(head);
      if (heads.length > mostOpen && !file.isOnce) await close(head);
    }
    while (heads.length > 0) {
      const head = earliest(heads);
      const limit = limitOf(head, heads);
      head.open ??= await opened(head.file);
      if (head.open !== null) {
        const { part } = head.open;
        const to = limit === null ? part.rows.length : endOfRun(part, head.next, limit);
        yield { part, from: head.next, to };
        if (await moveTo(head, to)) continue;
      }
      heads.splice(heads.indexOf(head), 1);
    }
  } finally {
    for (const head of heads) await close(head);
  }
}

async function opened(file: FileParts): Promise<Head['open']> {
  const parts = file[Symbol.asyncIterator]();
  const first = await parts.next();
  return first.done === true ? null : { parts, part: first.value };
}

async function close(head: Head): Promise<void> {
  await head.open?.parts.return?.();
  head.open = null;
}

const timeAt = ({ batch, rows }: Part, at: number): bigint => batch.timestamps[rows[at] as number] as bigint;

/** The one with the earliest record; of several the first. */
const earliest = (heads: readonly Head[]): Head => heads.reduce((first, one) => (one.time < first.time ? one : first));

/** The latest time of rows that come before all of the other files; null: there is no other. Of equal times that of the first file comes first. */
function limitOf(head: Head, heads: readonly Head[]): bigint | null {
  let limit: bigint | null = null;
  let isBefore = true;
  for (const one of heads) {
    if (one === head) {
      isBefore = false;
      continue;
    }
    const time = isBefore ? one.time - 1n : one.time;
    if (limit === null || time < limit) limit = time;
  }
  return limit;
}

/** The number behind the rows that are not later than the limit; at least one row is. */
function endOfRun(part: Part, from: number, limit: bigint): number {
  let end = from + 1;
  while (end < part.rows.length && timeAt(part, end) <= limit) end++;
  return end;
}

/** @returns whether there is a row */
async function moveTo(head: Head, row: number): Promise<boolean> {
  const { open } = head;
  if (open === null) return false;
  head.next = row;
  if (row === open.part.rows.length) {
    const more = await open.parts.next();
    if (more.done === true) return false;
    open.part = more.value;
    head.next = 0;
  }
  const time = timeAt(open.part, head.next);
  if (time > head.time) head.time = time;
  return true;
}

/** Parts that were read already. */
export const alreadyRead = (parts: readonly Part[]): FileParts => ({
  isOnce: true,
  async *[Symbol.asyncIterator]() {
    yield* await Promise.resolve(parts);
  },
});
