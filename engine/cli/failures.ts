/** Reports inputs that failed: where, and why, one line each. */
export class FailureReport {
  readonly #write: (text: string) => void;
  #count = 0;

  /** @param write takes whole lines for standard error */
  constructor(write: (text: string) => void = (text) => void process.stderr.write(text)) {
    this.#write = write;
  }

  get count(): number {
    return this.#count;
  }

  /** A reason that has several lines is put on one. */
  add(source: string, line: number, reason: string): void {
    this.#count++;
    const text = reason === '' ? 'refused without a reason' : reason.replace(/\s*\n\s*/g, ' | ');
    this.#write(`${source}:${line}: ${text}\n`);
  }
}
