import { realpathSync } from 'node:fs';
import { isBundled } from '../../base/product/bundled.ts';
import type { ScriptPast } from '../hosts/remote-sandbox.ts';
import { DEFAULT_LIMITS, type Sandbox, type SandboxLimits, type SandboxSpec } from '../contract/types.ts';
import type { ThreadPool } from './thread-pool.ts';
import { ThreadSandbox } from './thread-sandbox.ts';
import { DirectSandbox, type DirectSandboxOptions } from './direct-sandbox.ts';
import { InterruptedError } from './direct-script.ts';
import { shippedCode } from './script-code.ts';

export interface DirectOptions {
  /** Threads in which decoders with much to read go on. */
  readonly threads?: ThreadPool;
  /** SIGINT breaks calls: for a command that has nothing to bring to its end then. */
  readonly interruptible: boolean;
}

/** Starts a sandbox; `past` is what its script has done in this process before, which it goes on from. */
type StartSandbox = (spec: SandboxSpec, past?: ScriptPast) => Promise<Sandbox>;

/** Starts bundled scripts as they were shipped in this process, which saves the way to a host and back, and all others in sandboxes. The results are the same. */
export class DirectStarter {
  readonly #startSandbox: StartSandbox;
  readonly #options: DirectOptions;

  /** @param startSandbox starts what does not run here */
  constructor(startSandbox: StartSandbox, options: DirectOptions) {
    this.#startSandbox = startSandbox;
    this.#options = options;
  }

  async start(spec: SandboxSpec): Promise<Sandbox> {
    const start = (past?: ScriptPast): Promise<Sandbox> => this.#startSandbox(spec, past);
    try {
      if (runsHere(spec)) return new DirectSandbox(spec, start, this.#optionsOf(spec, start));
    } catch (error) {
      if (error instanceof InterruptedError) throw error;
      // The sandbox says why it does not load.
    }
    return start();
  }

  #optionsOf(spec: SandboxSpec, start: (past: ScriptPast) => Promise<Sandbox>): DirectSandboxOptions {
    const { interruptible, threads: pool } = this.#options;
    const code = (): string => shippedCode(spec.script);
    if (pool === undefined || pool.size === 0) return { code, interruptible };
    return { code, interruptible, onward: { start: (counters) => ThreadSandbox.start({ spec, pool, code, start, counters }) } };
  }
}

/** Limits that the prelude alone holds, here as in a sandbox. */
const HELD_HERE: ReadonlySet<string> = new Set(['output', 'processInject', 'timerInject'] satisfies (keyof SandboxLimits)[]);

/** Whether a script is our own code, with the limits that are nobody's wish, and what it keeps of earlier calls is no more than what a sandbox can go on from. */
export const runsHere = ({ kind, script, text, profile, preservation, beside, judged, sampling, limits }: SandboxSpec): boolean =>
  (kind === 'decoder' || kind === 'filter' || kind === 'encoder') &&
  text === undefined &&
  profile !== true &&
  preservation === undefined &&
  beside !== true &&
  judged !== true &&
  (sampling?.profile ?? 0) === 0 &&
  Object.entries(DEFAULT_LIMITS).every(([name, limit]) => HELD_HERE.has(name) || limits[name as keyof SandboxLimits] === limit) &&
  script.endsWith('.ts') &&
  isBundled(realpathSync(script));
