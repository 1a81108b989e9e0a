import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '../../engine/cli/main.ts');
/** Last lines of its log that are kept, to be shown when it fails. */
const KEPT_CHARACTERS = 4000;

interface ServiceOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Descriptors that it may have open (`ulimit -n`); absent: as many as this process. */
  readonly files?: number;
  /** The entry of the command, of another version; absent: this one. */
  readonly main?: string;
  /** Further arguments. */
  readonly args?: readonly string[];
  /** Further flags of Node. */
  readonly flags?: readonly string[];
}

/** A running `sluicebox run`, which can be killed. */
export class Service {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #said = '';

  constructor(config: string, cwd: string, { env = {}, files, main = MAIN, args: more = [], flags = [] }: ServiceOptions = {}) {
    const args = ['--disable-warning=ExperimentalWarning', ...flags, main, 'run', ...more, config];
    const limited = ['-c', `ulimit -n ${files}; exec "$@"`, 'sh', process.execPath, ...args];
    const [command, given] = files === undefined ? [process.execPath, args] : ['/bin/sh', limited];
    this.#child = spawn(command, given, { cwd, stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env } });
    this.#child.stderr?.setEncoding('utf8').on('data', (text) => (this.#said = (this.#said + String(text)).slice(-KEPT_CHARACTERS)));
    this.#ended = new Promise((resolve) => this.#child.once('close', () => resolve()));
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** The end of what it has logged. */
  get said(): string {
    return this.#said;
  }

  /** Processes that it runs scripts in; none where the system does not tell. */
  hosts(): number[] {
    const { pid } = this.#child;
    try {
      return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
        .split(' ')
        .map(Number)
        .filter((child) => child > 0);
    } catch {
      return [];
    }
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Ends it as the power button does. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  /** Asks it to stop; resolves to its exit code. */
  async stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    await this.#ended;
    return this.#child.exitCode;
  }
}
