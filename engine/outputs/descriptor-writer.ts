import { fstatSync, write } from 'node:fs';
import { isatty } from 'node:tty';
import { promisify } from 'node:util';
import { errorCode } from '../base/errors.ts';
import { unwritable } from '../base/files/unwritable.ts';
import { Delivery, RefusedError, type DeliveryOptions } from './delivery.ts';
import { asLines, joined, type Pieces, type Writer } from './writers.ts';

const writeBytes = promisify(write);

/**
 * Writes lines to an open file or device. While its disk is full it waits, and goes on behind the byte that was written last: Node's streams take a
 * write that was cut short for a whole one.
 */
export class DescriptorWriter implements Writer {
  readonly #fd: number;
  readonly #name: string;
  readonly #delivery: Delivery;

  /** @param name of the file in messages */
  constructor(fd: number, name: string, options: DeliveryOptions) {
    this.#fd = fd;
    this.#name = name;
    this.#delivery = new Delivery(options);
  }

  get problem(): string | null {
    return this.#delivery.problem;
  }

  async write(pieces: Pieces): Promise<void> {
    const bytes = joined(asLines(pieces));
    let at = 0;
    await this.#delivery.until(async () => {
      try {
        while (at < bytes.length) at += (await writeBytes(this.#fd, bytes, at, bytes.length - at, null)).bytesWritten;
      } catch (error) {
        // It was opened to be read alone, which no waiting mends.
        if (errorCode(error) === 'EBADF') throw new RefusedError(unwritable(this.#name, error), { cause: error });
        throw new Error(unwritable(this.#name, error), { cause: error });
      }
    });
  }

  closing(): void {
    this.#delivery.closing();
  }

  close(): Promise<void> {
    this.#delivery.giveUp();
    return Promise.resolve();
  }
}

/** Whether a file or device, and neither a pipe nor a terminal, is open under a number. */
export function isOnDisk(fd: number): boolean {
  const info = fstatSync(fd);
  return info.isFile() || (info.isCharacterDevice() && !isatty(fd));
}
