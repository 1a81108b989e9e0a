import { appendFile } from 'node:fs/promises';
import { Serial } from '../../base/time/serial.ts';
import type { AskedCall } from './toolbox.ts';

/** Characters of arguments that are noted. */
const MOST_ARGUMENTS = 4000;

/** A log of what was asked, one JSON object a line, which the window can open and follow. What was answered is not in it. */
export class AskedLog {
  readonly #path: string;
  readonly #complain: (text: string) => void;
  readonly #turns = new Serial();

  constructor(path: string, complain: (text: string) => void) {
    this.#path = path;
    this.#complain = complain;
  }

  add({ tool, args, result, ms }: AskedCall): void {
    const asked = JSON.stringify(args);
    const [text] = result.content;
    const line = JSON.stringify({
      time: new Date().toISOString(),
      level: result.isError ? 'warning' : 'info',
      message: `${tool} ${asked.length > MOST_ARGUMENTS ? `${asked.slice(0, MOST_ARGUMENTS)}…` : asked}`,
      tool,
      ms: Math.round(ms),
      bytes: Buffer.byteLength(text?.text ?? ''),
      ...(result.isError ? { error: text?.text } : {}),
    });
    const write = (): Promise<void> =>
      appendFile(this.#path, `${line}\n`, { mode: 0o600 }).catch((error: unknown) => this.#complain(`${this.#path}: ${String(error)}`));
    void this.#turns.run(write);
  }

  /** Resolves when all is written. */
  end(): Promise<void> {
    return this.#turns.idle();
  }
}
