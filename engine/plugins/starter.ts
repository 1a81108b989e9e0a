import { EngineError } from '../base/errors.ts';
import { memoryOf } from '../base/process/process-memory.ts';
import { crashText } from '../sandbox/hosts/crash-end.ts';
import { SandboxHostError, SandboxLoadError } from '../sandbox/contract/errors.ts';
import { SandboxPool } from '../sandbox/hosts/pool.ts';
import type { ScriptPast } from '../sandbox/hosts/remote-sandbox.ts';
import type { ThreadPool } from '../sandbox/ours/thread-pool.ts';
import { ThreadStarter } from '../sandbox/ours/thread-starter.ts';
import type { InputSandbox, Sandbox, SandboxSpec, Stall } from '../sandbox/contract/types.ts';
import type { ScriptStarter } from './sandboxes.ts';

/** Starts sandboxes, and owns the processes that they run in. */
export interface Sandboxes extends ScriptStarter {
  /** Starts a sandbox. @param past what its script has done elsewhere, which it goes on from */
  start(spec: SandboxSpec, past?: ScriptPast): Promise<Sandbox>;
  /** Starts the hosts before the first sandbox is requested. */
  warm(): void;
  /** Bytes of memory of this process and the sandbox hosts; of this process alone on systems other than Linux. */
  memory(): Promise<number>;
  /** Ends the hosts, and the sandboxes with them. */
  close(): Promise<void>;
}

export interface SandboxesOptions {
  /** Threads for bundled decoders, which are ended with the hosts; all scripts run in hosts when it is left out. */
  readonly threads?: ThreadPool | undefined;
  /** Host processes; by default one for each core, at most 4. */
  readonly hosts?: number | undefined;
  /** Milliseconds that sandboxes at work have when the hosts are to end. */
  readonly graceMs?: number;
  /** Called when a host process died and a script may have ended with it; a new host replaces it. */
  readonly onHostCrash?: (text: string) => void;
  /** Called when a plugin holds up what is in front of it, and again when it does no more. */
  readonly onStall?: (plugin: string, text: string) => void;
  /** Called when a plugin's data is not kept over a restart, or not all of it. */
  readonly onStateProblem?: (plugin: string, problem: string) => void;
}

/** Makes a starter of sandboxes. The first host is started with the first sandbox. */
export function startSandboxes(options: SandboxesOptions = {}): Sandboxes {
  const { threads, hosts, graceMs, onHostCrash, onStall, onStateProblem } = options;
  const pool = new SandboxPool({
    hosts,
    graceMs,
    onHostCrash: (crash, movesOn) => void (movesOn || onHostCrash?.(crashText(crash))),
    onStall: ({ name }, stall) => onStall?.(name, stallText(stall)),
    onStateProblem: ({ name }, problem) => onStateProblem?.(name, problem),
  });
  const startInHost = (spec: SandboxSpec, past?: ScriptPast): Promise<Sandbox> => loaded(pool.createSandbox(spec, past));
  const inThreads = threads === undefined ? null : new ThreadStarter(startInHost, threads);
  return {
    hosts: pool.size,
    start: (spec: SandboxSpec, past?: ScriptPast): Promise<Sandbox> =>
      inThreads === null || past !== undefined ? startInHost(spec, past) : inThreads.start(spec),
    startInput: (spec: SandboxSpec): Promise<InputSandbox> => loaded(pool.createInput(spec)),
    warm: () => pool.warm(),
    memory: async () => (process.platform === 'linux' ? memoryOf([process.pid, ...pool.hostPids]) : process.memoryUsage.rss()),
    close: async () => {
      threads?.close();
      await pool.close();
    },
  };
}

/** The words about a plugin that holds others up, to stand after its name. */
function stallText(stall: Stall | { readonly over: number }): string {
  if ('over' in stall) return `holds nothing up any more; it did for ${stall.over} s`;
  const { ms, messageMs, waiting } = stall;
  const how = messageMs === null ? `it has been at one call for ${seconds(ms)}` : `a message takes it ${seconds(messageMs)}`;
  return `holds up what is in front of it: ${how}, and ${waiting} ${waiting === 1 ? 'message waits' : 'messages wait'} for it alone. Make its script faster, or send it less.`;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

async function loaded<T>(sandbox: Promise<T>): Promise<T> {
  try {
    return await sandbox;
  } catch (error) {
    if (error instanceof SandboxLoadError) throw new EngineError('plugin.load', error.message, { cause: error });
    if (error instanceof SandboxHostError) throw new EngineError('sandbox.host', error.message, { cause: error });
    throw error;
  }
}
