import { availableParallelism } from 'node:os';
import { EngineError } from '../base/errors.ts';
import { memoryOf } from '../base/process/process-memory.ts';
import { SandboxHostError, SandboxLoadError } from '../sandbox/contract/errors.ts';
import type { InputSandbox, Stall } from '../sandbox/contract/types.ts';
import type { SandboxPool } from '../sandbox/hosts/pool.ts';
import { startSeated, type OwnSeats, type StartInHost } from '../sandbox/ours/seated.ts';
import type { ScriptStarter } from './sandboxes.ts';

/** Starts scripts, and owns the processes and threads that they run in. */
export interface Sandboxes extends ScriptStarter {
  readonly hosts: number;
  /** Bytes of memory of this process and the sandbox hosts; of this process alone on systems other than Linux. */
  memory(): Promise<number>;
  /** Ends hosts and threads, and the sandboxes with them. */
  close(): Promise<void>;
}

/** Options of a starter. Without seats of its own, all scripts run in hosts. */
export interface SandboxesOptions extends OwnSeats {
  /** Host processes; by default one for each core, at most 4. */
  readonly hosts?: number | undefined;
  /** Milliseconds that sandboxes at work have when the hosts are to end. */
  readonly graceMs?: number | undefined;
  /** Called when a host process died and a script may have ended with it; a new host replaces it. */
  readonly onHostCrash?: (text: string) => void;
  /** Called when a plugin holds up what is in front of it, and again when it does no more. */
  readonly onStall?: (plugin: string, text: string) => void;
  /** Called when a plugin's data is not kept over a restart, or not all of it. */
  readonly onStateProblem?: (plugin: string, problem: string) => void;
}

/** Makes a starter of scripts. Hosts, and the code that starts them, are loaded with the first script that needs one. */
export function startSandboxes(options: SandboxesOptions = {}): Sandboxes {
  const { hosts = Math.min(MOST_HOSTS, availableParallelism()), threads } = options;
  let pool: Promise<SandboxPool> | null = null;
  const pooled = (): Promise<SandboxPool> => (pool ??= newPool(options));
  const startInHost: StartInHost = async (spec, session) => loaded((await pooled()).createSandbox(spec, session));
  return {
    hosts: Math.max(1, hosts),
    start: (spec) => startSeated(spec, options, startInHost),
    startInput: async (spec): Promise<InputSandbox> => loaded((await pooled()).createInput(spec)),
    memory: async () =>
      process.platform === 'linux' ? memoryOf([process.pid, ...((await pool)?.hostPids ?? [])]) : process.memoryUsage.rss(),
    close: async () => {
      threads?.close();
      await (await pool)?.close();
    },
  };
}

const MOST_HOSTS = 4;

async function newPool({ hosts, graceMs, onHostCrash, onStall, onStateProblem }: SandboxesOptions): Promise<SandboxPool> {
  const [{ SandboxPool }, { crashText }] = await Promise.all([import('../sandbox/hosts/pool.ts'), import('../sandbox/hosts/crash-end.ts')]);
  return new SandboxPool({
    hosts,
    graceMs,
    onHostCrash: (crash, movesOn) => void (movesOn || onHostCrash?.(crashText(crash))),
    onStall: ({ name }, stall) => onStall?.(name, stallText(stall)),
    onStateProblem: ({ name }, problem) => onStateProblem?.(name, problem),
  });
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
