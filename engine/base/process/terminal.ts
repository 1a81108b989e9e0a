/** Standard output and standard error of a process of the engine: nothing else writes there. What strangers wrote cannot command a terminal. */
import { fstatSync, statSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import { Writable, type WritableOptions } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { isatty } from 'node:tty';
import { printableLine, printableLines } from '../../api/printable.ts';

/** Priorities of syslog, which the journal of systemd takes from the beginning of a line. */
const PRIORITIES = { error: '<3>', warning: '<4>', info: '<6>' } as const;

/** Writes a line to standard error, with its priority if that is the journal. Line breaks within it become ` | `. */
export function tellLine(line: string, level: keyof typeof PRIORITIES = 'error'): void {
  process.stderr.write(`${isJournal() ? PRIORITIES[level] : ''}${printableLine(line)}\n`);
}

/** Whether standard error goes to the journal, as systemd says with its device and number; a shell may have led it elsewhere. */
function isJournal(): boolean {
  const { JOURNAL_STREAM: journal } = process.env;
  if (journal === undefined) return false;
  const { dev, ino } = fstatSync(2);
  return journal === `${dev}:${ino}`;
}

/** Writes text of several lines to standard error, as a report that a command makes; the parts that others wrote are lines of their own already. */
export function tellLines(text: string): void {
  process.stderr.write(printableLines(text));
}

/** Lets nothing end the command because nobody reads its messages any more. */
export function outliveReaders(): void {
  process.stderr.on('error', () => undefined);
}

/** Time between two changes of a progress line. */
const PROGRESS_MS = 200;

/** Shows a line at the end of standard error while something takes long, if that is a terminal. @param text makes the line anew */
export function tellProgress(text: () => string): { readonly end: () => void } {
  if (!process.stderr.isTTY) return { end: () => undefined };
  const clear = '\r\x1b[K';
  const timer = setInterval(() => process.stderr.write(`${clear}${printableLine(text())}`), PROGRESS_MS);
  timer.unref();
  return {
    end: () => {
      clearInterval(timer);
      process.stderr.write(clear);
    },
  };
}

/** Standard output: exact bytes in a file or a pipe; at a terminal, text whose control characters are shown as escapes. */
export function standardOutput(): Writable {
  return process.stdout.isTTY ? new TerminalText(process.stdout) : process.stdout;
}

/** Standard output for text with commands of its own, such as colours, in which whatever strangers wrote is escaped already. */
export const ownText = (): Writable => process.stdout;

/** Whether standard output is a terminal. */
export const atTerminal = (): boolean => isatty(1);

/** The columns of the terminal that standard output is; null: it is none. */
export const terminalColumns = (): number | null => (process.stdout.isTTY && process.stdout.columns > 0 ? process.stdout.columns : null);

/** The lines of that terminal. */
export const terminalRows = (): number | null => (process.stdout.isTTY && process.stdout.rows > 0 ? process.stdout.rows : null);

/** Whether standard output takes all that is written and keeps nothing (`/dev/null`): then a child may write there by itself. */
export function keepsNothing(): boolean {
  if (process.platform === 'win32') return false;
  try {
    const { rdev } = fstatSync(1);
    if (rdev === 0 || rdev !== statSync(devNull).rdev) return false;
    // Fails where it is open for reading alone, in place of an output that was closed.
    writeSync(1, '');
    return true;
  } catch {
    return false;
  }
}

/** Passes bytes on as text that is safe to show. Bytes that are no UTF-8 become U+FFFD. */
class TerminalText extends Writable {
  readonly #terminal: Writable;
  readonly #decoder = new StringDecoder('utf8');

  constructor(terminal: Writable, options: WritableOptions = {}) {
    super({ ...options, decodeStrings: true });
    this.#terminal = terminal;
    terminal.on('error', (error) => this.destroy(error));
  }

  override _write(bytes: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#terminal.write(printableLines(this.#decoder.write(bytes)), done);
  }
}
