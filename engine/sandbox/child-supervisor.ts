import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';

/** What to start, with which rights. The environment is given whole: nothing is inherited. */
export interface ChildCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** A file that is open here. */
  readonly descriptor?: number;
}

export interface ChildCrash {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The end of what the process said on standard error. */
  readonly said: string;
}

interface ChildEvents {
  /** It ended because it was asked to. */
  exit: [];
  /** It ended by itself. */
  crash: [ChildCrash];
}

const SAID_LIMIT = 8192;

/**
 * One child process: started once, and its end told apart, asked for or not. Pipes 3 (to the child) and 4 (from it) carry the work; an open file may
 * be handed to it as descriptor 5.
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
      ...(cwd === undefined ? {} : { cwd }),
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe', ...(descriptor === undefined ? [] : [descriptor])],
      windowsHide: true,
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#said = (this.#said + text).slice(-SAID_LIMIT)));
    this.#ended = new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null): void => {
        resolve();
        if (this.#stopping) this.emit('exit');
        else this.emit('crash', { code, signal, said: this.#said });
      };
      // `close` comes after everything that the child wrote was read.
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

  /** Closes its input, and kills it when it has not ended after the grace period. Resolves when it is gone. */
  async stop({ graceMs }: { readonly graceMs: number }): Promise<void> {
    this.#stopping = true;
    this.input.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), graceMs);
    await this.#ended;
    clearTimeout(timer);
  }

  /** Ends it at once; that counts as a crash. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
