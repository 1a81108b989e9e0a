import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { cliMain } from './run-cli.ts';

/** The headless command in a process of its own, which is killed when this is disposed of. */
export interface RunningCommand extends AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  /** Its standard output so far. */
  readonly out: () => string;
  readonly err: () => string;
  /** Its exit code once all that it wrote is here; null: it was ended by a signal. */
  readonly ended: Promise<number | null>;
  /** Reads its standard output from now on. */
  listen(): void;
}

export interface StartOptions {
  /** Variables that are added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Whether it leads a group of processes of its own. */
  readonly detached?: boolean;
  /** Whether nobody reads its standard output until `listen` is called. */
  readonly unread?: boolean;
}

export function startCommand(args: readonly string[], { env, unread = false, ...options }: StartOptions = {}): RunningCommand {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', cliMain, ...args], {
    ...options,
    env: { ...process.env, ...env },
  });
  const exited = once(child, 'exit');
  let out = '';
  let err = '';
  const listen = (): void => void child.stdout.setEncoding('utf8').on('data', (piece: string) => (out += piece));
  if (!unread) listen();
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (err += piece));
  return {
    child,
    out: () => out,
    err: () => err,
    ended: new Promise((done) => child.once('close', done)),
    listen,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
