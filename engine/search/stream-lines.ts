import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { textChunks, type Chunks } from '../inputs/chunks.ts';
import { sourceChunks } from '../inputs/shared/open-source.ts';
import { sourceName } from '../inputs/shared/standard-input.ts';
import { startSearch, type LineSearch } from './line-search.ts';

/** Searches what comes from a stream, or has to be unpacked. @throws as `searchLines`, and errors of the system and of the decompression */
export async function searchStream(file: string, search: LineSearch): Promise<boolean> {
  const { signal } = search;
  const name = sourceName(file);
  const { child, found } = startSearch(search, name, null);
  const bytes = limitedLines(ended(textChunks(sourceChunks(file, signal), name)), () =>
    search.notice(`${name}: a line of more than ${MAX_LINE >> 20} MiB is searched in pieces`),
  );
  const fed = feed(child.stdin as Writable, bytes).then(
    () => null,
    (error: unknown) => ({ error }),
  );
  const isFound = await found;
  const failed = signal.aborted ? null : await fed;
  if (failed !== null) throw failed.error;
  return isFound;
}

const writeAll = (to: Writable, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => void to.write(bytes, (error) => (error ? reject(error) : resolve())));

/** Writes chunks, each of which is only valid until the next one is asked for. */
async function feed(to: Writable, chunks: Chunks): Promise<void> {
  // Ripgrep may end before it has read all, when nobody reads what it prints.
  to.on('error', () => undefined);
  const closed = once(to, 'close').then(
    () => false,
    () => false,
  );
  try {
    for await (const chunk of chunks) {
      const taken = writeAll(to, chunk).then(
        () => true,
        () => false,
      );
      if (!(await Promise.race([taken, closed]))) return;
    }
  } finally {
    to.end();
  }
}

/** Bytes of a line from a stream that ripgrep holds in memory at most. */
const MAX_LINE = 64 << 20;
const LINE_END = Buffer.from('\n');

/** The text with the end of its last line, which ripgrep would write as CRLF. */
async function* ended(chunks: Chunks): Chunks {
  let last = LINE_END[0];
  for await (const chunk of chunks) {
    last = chunk.at(-1) ?? last;
    yield chunk;
  }
  if (last !== LINE_END[0]) yield LINE_END;
}

async function* limitedLines(chunks: Chunks, onCut: () => void): Chunks {
  let length = 0;
  let told = false;
  for await (const chunk of chunks) {
    const last = chunk.lastIndexOf(10);
    if (length + (last < 0 ? chunk.length : chunk.indexOf(10)) > MAX_LINE) {
      if (!told) onCut();
      told = true;
      yield LINE_END;
      length = 0;
    }
    length = last < 0 ? length + chunk.length : chunk.length - 1 - last;
    yield chunk;
  }
}
