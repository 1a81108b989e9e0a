import { endEntry, type End } from '../api/ends.ts';
import { printable, printableLine } from '../api/printable.ts';
import { tellLine } from '../base/process/terminal.ts';

/** Reports inputs that failed: where, and why, one line each. */
export class FailureReport {
  readonly #tell: (line: string) => void;
  #count = 0;
  #refused = 0;
  #advised = false;

  /** @param tell takes lines for standard error */
  constructor(tell: (line: string) => void = tellLine) {
    this.#tell = tell;
  }

  get count(): number {
    return this.#count;
  }

  /** Records that no decoder took. */
  get refused(): number {
    return this.#refused;
  }

  /** An input that its script ended at, or that came after that. What to do about the end follows once. @returns the text */
  addEnded(source: string, line: number, script: string, end: End): string {
    const text = endedText(script, end);
    this.add(source, line, text);
    const { advice } = endEntry(end.code);
    if (advice !== '' && !this.#advised) this.#tell(`sluicebox: ${advice}`);
    this.#advised = true;
    return text;
  }

  /** A record that no decoder took, and that is no failure of the command. */
  addRefused(source: string, line: number, reason: string): void {
    this.#refused++;
    this.#say(source, line, reason);
  }

  add(source: string, line: number, reason: string): void {
    this.#count++;
    this.#say(source, line, reason);
  }

  /** A reason that has several lines is put on one. */
  #say(source: string, line: number, reason: string): void {
    const text = reason === '' ? 'refused without a reason' : printableLine(reason);
    this.#tell(`${printable(source)}:${line}: ${text}`);
  }
}

/** @param script its kind */
export const endedText = (script: string, { reason }: End): string => `the ${script} has ended: ${reason}`;
