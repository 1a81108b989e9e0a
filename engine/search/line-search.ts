import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { LinePrefix } from './line-prefix.ts';
import { endOf, SearchError, startRipgrep, wordsOf, type Pattern } from './ripgrep.ts';

/** Options of a search in the lines of files. */
export interface LineSearch {
  readonly pattern: Pattern;
  /** Lines before and after each match that are printed, too. */
  readonly context: number;
  /** Prints line numbers. */
  readonly numbers: boolean;
  /** Prints the name of the file before each line. */
  readonly names: boolean;
  /** Further options of ripgrep. */
  readonly more: readonly string[];
  readonly print: (bytes: Uint8Array) => Promise<void>;
  /** Lets ripgrep write to standard output by itself where it writes what is printed. */
  readonly direct: boolean;
  readonly notice: (text: string) => void;
  readonly signal: AbortSignal;
}

/** A search that runs. */
export interface RunningSearch {
  readonly child: ChildProcess;
  /** Whether a line matches. Rejects with a {SearchError}, or when nothing can be printed. */
  readonly found: Promise<boolean>;
}

/** Starts the search of a file, or of what is written to ripgrep. @param path null: its standard input @param name of what is searched, in messages */
export function startSearch(search: LineSearch, name: string, path: string | null): RunningSearch {
  const { names, numbers, context } = search;
  // It knows no names of streams, and ends what stands between groups of lines with CRLF.
  const isRewritten = context > 0 || (names && path === null);
  const options = [
    names && !isRewritten ? '--with-filename' : '--no-filename',
    numbers || isRewritten ? '--line-number' : '--no-line-number',
    ...(context > 0 ? [`--context=${context}`] : []),
    ...search.more,
    // A hole in a sparse file is one line of any length: it is not read into memory.
    path === null ? '--line-buffered' : '--mmap',
  ];
  const child = startRipgrep(search.pattern, options, path ?? '-', { output: search.direct && !isRewritten ? 'inherit' : 'pipe' });
  const prefix = isRewritten ? new LinePrefix(names ? name : null, numbers) : null;
  const written = child.stdout === null ? Promise.resolve() : pass(child.stdout, prefix, search.print);
  return { child, found: resultOf(child, written, name, search.signal) };
}

async function resultOf(child: ChildProcess, written: Promise<void>, name: string, signal: AbortSignal): Promise<boolean> {
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

async function pass(from: Readable, prefix: LinePrefix | null, print: LineSearch['print']): Promise<void> {
  for await (const bytes of from as AsyncIterable<Buffer>) await print(prefix === null ? bytes : prefix.apply(bytes));
}
