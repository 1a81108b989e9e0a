import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { printable } from '../api/printable.ts';
import { messageOf } from '../base/errors.ts';
import { Serial } from '../base/time/serial.ts';

/** Part of systemd. Node has no Unix datagram sockets, on which systemd listens; loading libc for them would risk the process. */
const PROGRAM = 'systemd-notify';
const PATIENCE_MS = 10_000;

const run = promisify(execFile);

/** Variables with which systemd says how it wants to be told, and of whom. */
const VARIABLES = ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID'] as const;

/** Tells systemd how the service is (sd_notify(3)). Its unit needs `NotifyAccess=all`, as a child of the engine sends this. */
export class ServiceManager {
  /** Milliseconds within which it wants to hear that the service lives; 0: it does not. */
  readonly watchdogMs: number;
  readonly #socket: string;
  readonly #onProblem: (text: string) => void;
  readonly #turns = new Serial();
  #isFailing = false;

  constructor(socket: string, watchdogMs: number, onProblem: (text: string) => void) {
    this.#socket = socket;
    this.watchdogMs = watchdogMs;
    this.#onProblem = onProblem;
  }

  /** The manager that an environment names; null: none. Its variables are taken out: what the service starts is not to speak for it. */
  static of(environment: NodeJS.ProcessEnv, onProblem: (text: string) => void): ServiceManager | null {
    const [socket = '', watchdog = '0', pid] = VARIABLES.map((name) => environment[name]);
    for (const name of VARIABLES) delete environment[name];
    // The main process is the launcher, or this one; others belong to another service, which has started this one.
    const isMeant = pid === undefined || [process.pid, process.ppid].includes(Number(pid));
    return socket !== '' && isMeant ? new ServiceManager(socket, Number(watchdog) / 1000, onProblem) : null;
  }

  /** Tells something, after what was told before. Resolves when it was sent, or could not be. */
  tell(state: Readonly<Record<string, string | number>>): Promise<void> {
    const assignments = Object.entries(state).map(([name, value]) => `${name}=${printable(String(value))}`);
    const env = { ...process.env, NOTIFY_SOCKET: this.#socket };
    return this.#turns.run(async () => {
      try {
        await run(PROGRAM, assignments, { env, timeout: PATIENCE_MS });
        this.#isFailing = false;
      } catch (error) {
        if (!this.#isFailing) this.#onProblem(`systemd cannot be told how the service is: ${messageOf(error)}`);
        this.#isFailing = true;
      }
    });
  }

  /** Resolves when all was told. */
  idle(): Promise<void> {
    return this.#turns.idle();
  }
}
