/** Standard output and standard error of the shell: nothing else writes there. What strangers wrote cannot command a terminal. */
import { printable, printableLines } from '../../engine/api/printable.ts';

/** Writes lines to standard output. */
export function say(...lines: string[]): void {
  for (const line of lines) process.stdout.write(`${printable(line)}\n`);
}

/** Writes a line to standard error. */
export function complain(line: string): void {
  process.stderr.write(`${printable(line)}\n`);
}

/** Passes on what the engine wrote to its standard error. */
export function passOn(text: string): void {
  process.stderr.write(printableLines(text));
}
