import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { onlyStreams } from '../../base/process/descriptors.ts';

/** The command line of a child process. `env` is its whole environment: nothing is inherited. */
export interface ChildCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** An open file, which the child gets as descriptor 5. */
  readonly descriptor?: number;
}

export interface ChildCrash {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last part of the process's standard error. */
  readonly said: string;
}

interface ChildEvents {
  /** The process ended after `stop`. */
  exit: [];
  /** The process ended by itself, was killed or could not be started. */
  crash: [ChildCrash];
}

const SAID_LIMIT = 8192;

/**
 * Starts one child process and reports its end, as `exit` when it was asked for and as `crash` otherwise. Descriptors 3 (to the child) and
 * 4 (from it) are the pipes for the frames; an open file may be handed on as descriptor 5.
 */
export class ChildSupervisor extends EventEmitter<ChildEvents> {
  readonly #child: ChildProcess;
  #stopping = false;
  #said = '';
  readonly #ended: Promise<void>;

  constructor(command: ChildCommand) {
    super();
    const { file, args, env, cwd, descriptor } = command;
    this.#child = spawn(file, args, {
      env,
      cwd,
      stdio: onlyStreams(['ignore', 'ignore', 'pipe', 'pipe', 'pipe', ...(descriptor === undefined ? [] : [descriptor])]),
      windowsHide: true,
    });
    this.#child.stderr
      ?.setEncoding('utf8')
      .on('data', (text: string) => (this.#said = (this.#said + text).slice(-SAID_LIMIT)))
      // A child that is killed may break its pipe; its end is reported by `close`.
      .on('error', () => undefined);
    this.#ended = new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null): void => {
        resolve();
        if (this.#stopping) this.emit('exit');
        else this.emit('crash', { code, signal, said: this.#said });
      };
      // `close` comes after all output of the child was read.
      this.#child.once('close', end);
      this.#child.once('error', (error) => {
        this.#said += String(error);
        if (this.#child.pid === undefined) end(null, null);
      });
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get input(): NodeJS.WritableStream & { cork(): void; uncork(): void } {
    return this.#child.stdio[3] as NodeJS.WritableStream & { cork(): void; uncork(): void };
  }

  get output(): NodeJS.ReadableStream {
    return this.#child.stdio[4] as NodeJS.ReadableStream;
  }

  /** Closes the child's input and kills the child if it has not ended after the grace period. Resolves when it has ended. */
  async stop({ graceMs }: { readonly graceMs: number }): Promise<void> {
    this.#stopping = true;
    this.input.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), graceMs);
    await this.#ended;
    clearTimeout(timer);
  }

  /** Kills the child at once; that counts as a crash. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
