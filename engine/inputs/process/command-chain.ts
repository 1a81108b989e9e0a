import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { pipeline, type Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../../base/errors.ts';
import { InputError, errorText } from '../notices.ts';
import { onlyStreams } from '../../base/process/descriptors.ts';
import { findProgram } from './find-program.ts';
import { startReaper, tellReaper } from './group-reaper.ts';

/** One command of a chain. */
export interface CommandOptions {
  /** Name or path of the program. */
  readonly bin: string;
  readonly args: readonly string[];
  /** `NAME=value`; empty: the environment of the service. */
  readonly env: readonly string[];
  /** Working directory; absent: that of the service. */
  readonly directory?: string | undefined;
}

/** The result of a chain. */
export interface ChainResult {
  /** Exit status of the last command; −1 when a signal ended it. */
  readonly status: number;
  /** Name of the signal that ended the last command. */
  readonly signal: string | null;
  /** Errors of the commands before it, one line each. */
  readonly errors: readonly string[];
  /** The end of the last command's standard error, as far as it was heard. */
  readonly complaint: string;
}

export interface ChainStreams {
  readonly stdout: boolean;
  readonly stderr: boolean;
}

/** Time that a command has to end, when asked to, before it is killed. */
const GRACE_MS = 2000;
/** Time that its remaining processes have to end after that. */
const LINGER_MS = 2000;
const MOST_COMPLAINT = 500;

/** Process groups that run: they must not outlive this process. The reaper sees to it when this process is killed. */
const groups = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of groups) signalGroup(child, 'SIGKILL');
});

/**
 * Commands that run as a pipe: the standard output of one is the standard input of the next. Each is the head of a process group of its
 * own, so that whatever they start can be ended with them.
 */
export class CommandChain {
  /** Standard output and standard error of the last command, as far as they were asked for. They must be read to their end. */
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  /** Resolves when all commands have ended and their output was read. */
  readonly ended: Promise<ChainResult>;
  readonly #children: readonly ChildProcess[];
  #complaint = Buffer.alloc(0);
  #abandoned = false;

  /**
   * Starts the commands.
   * @throws {InputError} `process.not-started` when one cannot be; then none runs
   */
  static async start(commands: readonly CommandOptions[], streams: ChainStreams): Promise<CommandChain> {
    const children: ChildProcess[] = [];
    try {
      for (const [i, command] of commands.entries()) children.push(await launch(command, i > 0));
      return new CommandChain(commands, children, streams);
    } catch (error) {
      for (const child of children) {
        for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
        signalGroup(child, 'SIGKILL');
      }
      throw error;
    }
  }

  private constructor(commands: readonly CommandOptions[], children: readonly ChildProcess[], { stdout, stderr }: ChainStreams) {
    this.#children = children;
    const last = children.at(-1) as ChildProcess;
    for (const [i, child] of children.entries()) {
      const next = children[i + 1];
      // A command that stops reading ends the one before it, as in a shell.
      if (next !== undefined) pipeline(child.stdout as Readable, next.stdin as NodeJS.WritableStream, () => undefined);
      if (next !== undefined) child.stderr?.resume();
      else if (!stderr) child.stderr?.on('data', (chunk: Buffer) => this.hear(chunk));
    }
    if (!stdout) last.stdout?.resume();
    this.stdout = stdout ? last.stdout : null;
    this.stderr = stderr ? last.stderr : null;
    this.ended = this.#end(commands);
  }

  /** Notes what the last command has written to its standard error, for its result: whoever reads that stream passes it on. */
  hear(chunk: Buffer): void {
    this.#complaint = Buffer.concat([this.#complaint, chunk]).subarray(-MOST_COMPLAINT);
  }

  /** The output of its remaining processes is not waited for any more. */
  get abandoned(): boolean {
    return this.#abandoned;
  }

  /** Kills all running commands at once; resolves when they have ended. */
  async kill(): Promise<void> {
    for (const child of this.#children) signalGroup(child, 'SIGKILL');
    if (await this.#endsWithin(LINGER_MS)) return;
    // Something that left its group still holds the output open.
    this.#abandoned = true;
    for (const { stdout, stderr } of this.#children) for (const stream of [stdout, stderr]) stream?.destroy();
  }

  /** Asks the running commands to end, and kills those that do not; resolves when all have ended. */
  async stop(): Promise<void> {
    for (const child of this.#children) signalGroup(child, 'SIGTERM');
    if (!(await this.#endsWithin(GRACE_MS))) await this.kill();
  }

  async #endsWithin(milliseconds: number): Promise<boolean> {
    const timer = new AbortController();
    const late = delay(milliseconds, false, { signal: timer.signal }).catch(() => false);
    const inTime = await Promise.race([this.ended.then(() => true), late]);
    timer.abort();
    return inTime;
  }

  async #end(commands: readonly CommandOptions[]): Promise<ChainResult> {
    const ends = await Promise.all(this.#children.map(endOf));
    const errors = ends.slice(0, -1).flatMap(({ status, signal }, i) => {
      const what = `command ${i} (${(commands[i] as CommandOptions).bin})`;
      return status === 0 ? [] : [`${what}: ${signal === null ? `exit status ${status}` : `ended by ${signal}`}`];
    });
    return { ...(ends.at(-1) as CommandEnd), errors, complaint: textOf(this.#complaint) };
  }
}

/** Text of bytes that may begin within a character. */
const textOf = (bytes: Buffer): string =>
  bytes
    .toString('utf8')
    .replace(/^\ufffd+/, '')
    .trim();

interface CommandEnd {
  readonly status: number;
  readonly signal: string | null;
}

/** Resolves when a command has ended and its output was read. */
function endOf(child: ChildProcess): Promise<CommandEnd> {
  return new Promise((resolve) => {
    child.once('close', (code, signal) => resolve({ status: code ?? -1, signal }));
  });
}

/** Starts a command; without a command before it, there is nothing on its standard input. */
async function launch(command: CommandOptions, hasInput: boolean): Promise<ChildProcess> {
  const { bin, args, env, directory } = command;
  try {
    startReaper();
    const isPlain = !/[\\/]/.test(bin);
    const child = spawn(env.length > 0 && isPlain ? (findProgram(bin) ?? bin) : bin, [...args], {
      cwd: directory,
      ...(env.length === 0 ? {} : { env: environmentOf(env) }),
      stdio: onlyStreams([hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe']),
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    if (child.pid !== undefined) guard(child, child.pid);
    // A command that does not read, or that ends, is no fault of the one that writes to it.
    child.stdin?.on('error', () => undefined);
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    child.on('error', () => undefined);
    return child;
  } catch (error) {
    throw new InputError('process.not-started', `${bin} cannot be started: ${whyNot(error, command)}`, { cause: error });
  }
}

/** Sees to it that a command does not outlive this process. */
function guard(child: ChildProcess, group: number): void {
  groups.add(child);
  tellReaper('start', group);
  child.once('close', () => {
    groups.delete(child);
    tellReaper('end', group);
  });
}

function environmentOf(list: readonly string[]): Record<string, string> {
  return Object.fromEntries(list.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]));
}

function whyNot(error: unknown, { bin, directory }: CommandOptions): string {
  switch (errorCode(error)) {
    case 'ENOENT':
      // The system says the same of a program and of a folder that is not there.
      if (directory !== undefined && (/[\\/]/.test(bin) || findProgram(bin) !== null)) return `its folder ${directory} is not there.`;
      return 'there is no such program. Check the name, or give its whole path.';
    case 'ENOTDIR':
      return directory === undefined ? 'its path leads through a file.' : `its folder ${directory} is not a folder.`;
    case 'EACCES':
    case 'EPERM':
      return 'it may not be run by this user. Check the permissions of the program and of its folder.';
    case 'E2BIG':
      return 'its arguments and environment are too long.';
    default:
      return `${errorText(error)}.`;
  }
}

/** Sends a signal to a command and all that it started. */
function signalGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  const { pid } = child;
  if (pid === undefined || !groups.has(child)) return;
  try {
    if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(pid), '/t', '/f'], { windowsHide: true, stdio: 'ignore' });
    else process.kill(-pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
