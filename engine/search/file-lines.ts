import { once } from 'node:events';
import { open } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { textChunks, type Chunks } from '../inputs/chunks.ts';
import { EngineError } from '../errors.ts';
import { isDamaged } from '../inputs/decompress.ts';
import { damagedProblem, fileProblem, InputError } from '../inputs/notices.ts';
import { probe, PROBE_BYTES } from '../inputs/probe.ts';
import { isStandardInput, sourceChunks, sourceName } from '../inputs/shared/open-source.ts';
import { LinePrefix } from './line-prefix.ts';
import { endOf, SearchError, startRipgrep, wordsOf, type Pattern } from './ripgrep.ts';

/** How the lines of files are searched and printed. */
export interface LineSearch {
  readonly pattern: Pattern;
  /** Lines before and after each match that are printed, too. */
  readonly context: number;
  /** Prints line numbers. */
  readonly numbers: boolean;
  /** Prints the name of the file before each line. */
  readonly names: boolean;
  readonly print: (bytes: Uint8Array) => Promise<void>;
  readonly notice: (text: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Searches the lines of a file, a pipe or standard input (`-`); gzip, zstd and UTF-16 are unpacked.
 * @returns whether a line matches
 * @throws {InputError} for what cannot be read, after the matches before the fault; {SearchError}
 */
export async function searchLines(file: string, search: LineSearch): Promise<boolean> {
  try {
    return (await isPlainText(file)) ? await searchPath(file, search) : await searchStream(file, search);
  } catch (error) {
    if (error instanceof EngineError) throw error;
    throw isDamaged(error) ? damagedProblem(sourceName(file), error) : fileProblem(sourceName(file), error);
  }
}

/** Whether ripgrep can read the file by itself. @throws {InputError} for a file that is no text */
async function isPlainText(file: string): Promise<boolean> {
  if (isStandardInput(file)) return false;
  const handle = await open(file).catch(() => null);
  // What cannot be opened like this is a device, or the other way says what is wrong.
  if (handle === null) return false;
  try {
    if (!(await handle.stat()).isFile()) return false;
    const head = Buffer.alloc(PROBE_BYTES);
    const { bytesRead } = await handle.read(head, 0, PROBE_BYTES, 0);
    const found = probe(head.subarray(0, bytesRead));
    if (found.kind === 'binary') throw new InputError('file.binary', `${file} is ${found.what}. ${found.advice}`);
    return found.kind === 'text' && found.encoding === 'utf-8' && found.bom === 0;
  } finally {
    await handle.close();
  }
}

function searchPath(path: string, search: LineSearch): Promise<boolean> {
  // A hole in a sparse file is one line of any length: it is not read into memory.
  const child = startRipgrep(search.pattern, [...optionsOf(search), '--mmap'], path);
  return resultOf(child, path, search);
}

async function searchStream(file: string, search: LineSearch): Promise<boolean> {
  const { signal } = search;
  const name = sourceName(file);
  const child = startRipgrep(search.pattern, [...optionsOf(search), '--line-buffered'], '-');
  const bytes = limitedLines(textChunks(sourceChunks(file, signal), name), () =>
    search.notice(`${name}: a line of more than ${MAX_LINE >> 20} MiB is searched in pieces`),
  );
  const fed = feed(child.stdin as Writable, bytes).then(
    () => null,
    (error: unknown) => ({ error }),
  );
  const found = await resultOf(child, name, search);
  const failed = signal.aborted ? null : await fed;
  if (failed !== null) throw failed.error;
  return found;
}

/** Whether what ripgrep prints is written anew: it knows no names of streams, and ends what stands between groups of lines with CRLF. */
const isRewritten = ({ names, context }: LineSearch): boolean => names || context > 0;

const optionsOf = (search: LineSearch): string[] => [
  '--no-filename',
  search.numbers || isRewritten(search) ? '--line-number' : '--no-line-number',
  ...(search.context > 0 ? [`--context=${search.context}`] : []),
];

async function resultOf(child: ReturnType<typeof startRipgrep>, name: string, search: LineSearch): Promise<boolean> {
  const { signal, print, names, numbers } = search;
  const prefix = isRewritten(search) ? new LinePrefix(names ? name : null, numbers) : null;
  const written = pass(child.stdout as Readable, (more) => print(prefix === null ? more : prefix.apply(more)));
  const stop = (): void => void child.kill();
  signal.addEventListener('abort', stop);
  // A failure to print ends the search; it is thrown below.
  written.catch(stop);
  const ended = endOf(child);
  ended.catch(() => undefined);
  if (signal.aborted) stop();
  try {
    await written;
    const { code, signal: sent, complaint } = await ended;
    if (signal.aborted) return false;
    if (sent === 'SIGBUS') throw new SearchError(`${name} was cut short while it was searched: search it again`);
    if (sent !== null) throw new SearchError(`${name}: the search was ended by ${sent}`);
    if (code !== 0 && code !== 1) throw new SearchError(wordsOf(complaint) || `${name}: ripgrep failed`);
    return code === 0;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function pass(from: Readable, print: (bytes: Uint8Array) => Promise<void>): Promise<void> {
  for await (const bytes of from as AsyncIterable<Buffer>) await print(bytes);
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
