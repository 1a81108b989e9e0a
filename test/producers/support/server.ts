import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../until.ts';

const PACKAGES = process.env['SLUICEBOX_PRODUCERS'] ?? '/';
/** Root gives its rights away to this user, nobody; others keep theirs. */
const USER = process.getuid?.() === 0 ? 65534 : undefined;
const STOP_MS = 5_000;

/** A file of the packages, or of the system where that has it already. */
export function installed(path: string): string {
  const unpacked = join(PACKAGES, path);
  return existsSync(unpacked) ? unpacked : join('/', path);
}

/** Such as `x86_64-linux-gnu`, below /usr/lib. */
const LIBRARIES = join('usr/lib', readdirSync('/usr/lib').find((name) => /-linux-gnu/.test(name)) ?? '');

/** Folders of the modules of rsyslog: some may be of the system, and others of the packages. */
export const RSYSLOG_MODULES = [PACKAGES, '/'].map((root) => join(root, LIBRARIES, 'rsyslog')).join(':');

const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC', LD_LIBRARY_PATH: join(PACKAGES, LIBRARIES) };

/** A folder for one server, and the processes that run in it. Nothing of it is left after `close`. */
export class ServerFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'sluicebox-server-'));
  readonly #children: ChildProcess[] = [];

  constructor() {
    this.#give(this.path);
  }

  file(name: string, text = ''): string {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    this.#give(path);
    return path;
  }

  folder(name: string): string {
    const path = join(this.path, name);
    mkdirSync(path, { recursive: true });
    this.#give(path);
    return path;
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), 'utf8');
  }

  /** Starts a server that stays in the foreground, and waits until `ready` no longer throws. */
  async start(command: string, args: readonly string[], ready: () => unknown): Promise<void> {
    const child = this.#spawn(command, args);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => (output += data.toString()));
    const ended = (): boolean => child.exitCode !== null || child.signalCode !== null;
    const started = async (): Promise<boolean> => {
      if (!ended()) await ready();
      return true;
    };
    await until(started, `the start of ${command}: ${output}`);
    if (ended()) throw new Error(`${command} ended: ${output}`);
  }

  /** Runs a command to its end; its output. */
  async run(command: string, args: readonly string[], input = ''): Promise<string> {
    const child = this.#spawn(command, args);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => (output += data.toString()));
    child.stdin?.end(input);
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`${command} ended with ${code}: ${output}`);
    return output;
  }

  async close(): Promise<void> {
    await Promise.all(this.#children.map(stop));
    rmSync(this.path, { recursive: true, force: true });
  }

  /** Ends its processes as the power button does. */
  async kill(): Promise<void> {
    await Promise.all(
      this.#children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }),
    );
  }

  /** The process is told to end also when this one is killed. */
  #spawn(command: string, args: readonly string[]): ChildProcess {
    const user = USER === undefined ? {} : { uid: USER, gid: USER };
    const child = spawn('setpriv', ['--pdeathsig', 'TERM', '--', command, ...args], {
      cwd: this.path,
      env: ENVIRONMENT,
      detached: true,
      ...user,
    });
    this.#children.push(child);
    return child;
  }

  #give(path: string): void {
    if (USER !== undefined) chownSync(path, USER, USER);
    chmodSync(path, 0o755);
  }
}

/** Ends a process and all that it started. */
async function stop(child: ChildProcess): Promise<void> {
  const group = -(child.pid ?? 0);
  if (group === 0) return;
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await Promise.race([ended, delay(STOP_MS)]);
  }
  try {
    process.kill(group, 'SIGKILL');
  } catch {
    // Nothing of the group is left, as it should be.
  }
}

/** Connects; throws when nobody listens. */
export async function reachable(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}

/** Sends bytes as they are; what comes back, until the other side closes. */
export async function sendRaw(target: { port: number } | { path: string }, bytes: string): Promise<string> {
  const socket = 'path' in target ? connect(target.path) : connect(target.port, '127.0.0.1');
  let answer = '';
  socket.on('data', (data) => (answer += data.toString()));
  socket.end(bytes);
  await once(socket, 'close');
  return answer;
}
