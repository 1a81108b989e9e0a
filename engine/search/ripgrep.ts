import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EngineError } from '../base/errors.ts';
import { findProgram } from '../inputs/process/find-program.ts';

const require = createRequire(import.meta.url);

/** A pattern that lines are searched for. */
export interface Pattern {
  /** In the language of ripgrep (https://docs.rs/regex/latest/regex/#syntax), which takes linear time. */
  readonly text: string;
  readonly ignoreCase: boolean;
  /** The text is looked for as it is. */
  readonly fixed: boolean;
}

/** A search that ripgrep did not finish. */
export class SearchError extends EngineError {
  override readonly name = 'SearchError';

  constructor(text: string, options?: ErrorOptions) {
    super('search.failed', text, options);
  }
}

/** A pattern that is none. The text has the place of the mistake, on further lines. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/** Options that make results depend on the text alone: no configuration, no guess at encodings or binary files. A line may end with CRLF. */
const FIXED_OPTIONS = ['--no-config', '--color=never', '--no-heading', '--text', '--encoding=none', '--crlf'];

/** The path of ripgrep: that of its npm package, or the one of the `PATH`. @throws {EngineError} `search.program` */
function ripgrepPath(): string {
  const packaged = packagedRipgrep();
  if (packaged !== null) return packaged;
  const found = findProgram('rg');
  if (found !== null) return found;
  throw new EngineError(
    'search.program',
    `the program ripgrep, which searches, is missing: run npm ci --include=optional, or install ripgrep so that rg is on the PATH`,
  );
}

function packagedRipgrep(): string | null {
  try {
    const folder = dirname(require.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/package.json`));
    const path = join(folder, 'bin', process.platform === 'win32' ? 'rg.exe' : 'rg');
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
}

/**
 * Starts ripgrep.
 * @param more options besides those of the pattern
 * @param target a path, or `-` for its standard input
 * @param output `inherit`: it writes to the standard output of this process
 * @param open descriptors that it has as 3 and on
 */
export function startRipgrep(
  pattern: Pattern,
  more: readonly string[],
  target: string,
  { output = 'pipe', open = [] }: { readonly output?: 'pipe' | 'inherit'; readonly open?: readonly number[] } = {},
): ChildProcess {
  const options = [...(pattern.ignoreCase ? ['--ignore-case'] : ['--case-sensitive']), ...(pattern.fixed ? ['--fixed-strings'] : [])];
  return spawn(ripgrepPath(), [...FIXED_OPTIONS, ...options, ...more, `--regexp=${pattern.text}`, '--', target], {
    stdio: [target === '-' ? 'pipe' : 'ignore', output, 'pipe', ...open],
  });
}

/** The end of a process. */
interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The beginning of what it wrote to standard error. */
  readonly complaint: string;
}

const MAX_COMPLAINT = 4096;

/** Waits for the end of ripgrep. @throws the system's error when it did not start */
export function endOf(child: ChildProcess): Promise<Ended> {
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (complaint.length < MAX_COMPLAINT) complaint += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, complaint: complaint.slice(0, MAX_COMPLAINT) }));
  });
}

/** Message of a failure of ripgrep, without its name. */
export const wordsOf = (complaint: string): string => complaint.replace(/^rg: /, '').trimEnd();

/** Checks a pattern. @throws {PatternError} */
export async function checkPattern(pattern: Pattern): Promise<void> {
  const child = startRipgrep(pattern, [], '-');
  const ended = endOf(child);
  child.stdin?.on('error', () => undefined).end();
  child.stdout?.resume();
  const { code, complaint } = await ended;
  if (code === 2) throw new PatternError(patternWords(complaint, pattern.text));
}

/** The group that ripgrep puts around a pattern that was typed. */
const WRAPPED = '    (?:';

/** Ripgrep's error about a pattern, as it was typed: without the group that ripgrep puts around it, and without options that cannot be given here. */
export function patternWords(complaint: string, pattern: string): string {
  const lines = wordsOf(complaint).split('\n');
  const at = lines.indexOf(`${WRAPPED}${pattern})`);
  if (at >= 0) {
    lines[at] = `    ${pattern}`;
    const marks = lines[at + 1] as string;
    // A mark at the group itself says nothing of the pattern.
    if (/^ *\^+$/.test(marks)) lines.splice(at + 1, 1, ...(marks.startsWith(' '.repeat(WRAPPED.length)) ? [marks.slice(3)] : []));
  }
  const advice = lines.findIndex((line) => line.startsWith('Consider enabling PCRE2'));
  return lines
    .slice(0, advice < 0 ? undefined : advice)
    .join('\n')
    .trimEnd();
}
