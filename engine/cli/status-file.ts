import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { errorCode } from '../base/errors.ts';
import { readText } from '../base/files/regular-file.ts';
import { replaceFile } from '../base/files/replace-file.ts';

/** Report of a running service on itself, for `sluicebox status` and `top`. */
const statusSchema = z.object({
  pid: z.number().int(),
  /** Path of the configuration. */
  config: z.string(),
  /** Times of the start of the service and of this report, in milliseconds since 1970. */
  started: z.number(),
  time: z.number(),
  /** Bytes of its process; those of hosts are not among them. */
  memory: z.number(),
  /** Figures of plugins, as the payload of `svc.all-report` has them. */
  report: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
});
export type ServiceStatus = z.output<typeof statusSchema>;

const NAME = 'status.json';
const MOST_BYTES = 64 << 20;
/** Time in which a disk has to answer at the end of the service. */
const PATIENCE_MS = 1000;

/** The file in the folder of a service that holds its last report. */
export class StatusFile {
  readonly #path: string;
  readonly #config: string;
  readonly #started = Date.now();
  #writing: Promise<void> | null = null;

  constructor(folder: string, config: string) {
    this.#path = join(folder, NAME);
    this.#config = resolve(config);
  }

  /**
   * Begins to write a report; nothing waits for it, as its disk may be full or away, which others say. While the one before is being written, it is left out.
   * @param report payload of `svc.all-report`
   */
  write(report: string): void {
    if (this.#writing !== null) return;
    const { pid } = process;
    const head = { pid, config: this.#config, started: this.#started, time: Date.now(), memory: process.memoryUsage.rss() };
    this.#writing = replaceFile(this.#path, `${JSON.stringify(head).slice(0, -1)},"report":${report.trimEnd()}}\n`)
      .catch(() => undefined)
      .finally(() => (this.#writing = null));
  }

  /** Resolves when what was begun is written. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  /** Says that the service has ended. */
  async remove(): Promise<void> {
    const removed = this.settled().then(() => rm(this.#path, { force: true }));
    await Promise.race([removed.catch(() => undefined), delay(PATIENCE_MS, undefined, { ref: false })]);
  }
}

/** The last status that a service has written into its folder; null: it has ended in order, or writes none. */
export async function readStatus(folder: string): Promise<ServiceStatus | null> {
  try {
    return statusSchema.safeParse(JSON.parse(await readText(join(folder, NAME), MOST_BYTES))).data ?? null;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return null;
    throw error;
  }
}
