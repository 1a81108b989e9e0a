import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { slowness } from '../../patience.ts';
import { acknowledgedRecords } from '../input-position.ts';
import type { LogWriter } from '../log-writer.ts';
import { Service } from '../service.ts';
import { checkpointOf } from './configuration.ts';

const OLDER_BUILD = join(import.meta.dirname, 'older-build.ts');

const START_MS = 2000;

/** A service that is started again on its own files. */
export class Program {
  readonly folder: string;
  readonly config: string;
  /** It is a build of before. */
  isOlder: boolean;
  #service: Service | null = null;
  #started = 0;

  constructor(folder: string, config: string, isOlder = false) {
    this.folder = folder;
    this.config = config;
    this.isOlder = isOlder;
  }

  get said(): string {
    return this.#service?.said ?? '';
  }

  start(): void {
    this.#started = performance.now();
    this.#service = new Service(this.config, this.folder, { flags: this.isOlder ? ['--import', OLDER_BUILD] : [] });
  }

  signal(name: NodeJS.Signals): void {
    this.#service?.signal(name);
  }

  async kill(): Promise<void> {
    this.checkRunning();
    const service = this.#service;
    this.#service = null;
    await service?.kill();
  }

  /** @throws {Error} when it was started, and has ended by itself */
  checkRunning(): void {
    if (this.#service?.isRunning === false) throw new Error(`a service has ended by itself:\n${this.said}`);
  }

  /** Asks it to stop, not before it is at work; resolves to its exit code. */
  async stop(): Promise<number | null> {
    await delay(Math.max(0, this.#started + START_MS * slowness() - performance.now()));
    this.checkRunning();
    const service = this.#service;
    this.#service = null;
    return (await service?.stop()) ?? null;
  }

  async close(): Promise<void> {
    if (this.#service?.isRunning === true) await this.#service.kill();
  }
}

export interface Edge {
  readonly log: LogWriter;
  /** Folder for the data of its program. */
  readonly base: string;
  /** Records of its log. */
  readonly share: number;
}

export const acknowledgedOf = ({ log, base }: Edge): number => acknowledgedRecords(checkpointOf(base), log.path);
