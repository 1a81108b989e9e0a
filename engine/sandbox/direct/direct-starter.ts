import { realpathSync } from 'node:fs';
import { isBundled } from '../../bundled.ts';
import type { ScriptPast } from '../remote-sandbox.ts';
import { DEFAULT_LIMITS, type Sandbox, type SandboxLimits, type SandboxSpec } from '../types.ts';
import { DirectSandbox } from './direct-sandbox.ts';
import { InterruptedError } from './direct-script.ts';

interface DirectOptions {
  /** SIGINT breaks calls: for a command that has nothing to bring to its end then. */
  readonly interruptible: boolean;
}

/** Starts a sandbox; `past` is what its script has done in this process before, which it goes on from. */
type StartSandbox = (spec: SandboxSpec, past?: ScriptPast) => Promise<Sandbox>;

/** Starts bundled scripts in this process, which saves the way to a host and back, and all others in sandboxes. The results are the same. */
export class DirectStarter {
  readonly #startSandbox: StartSandbox;
  readonly #interruptible: boolean;

  /** @param startSandbox starts what does not run here */
  constructor(startSandbox: StartSandbox, { interruptible }: DirectOptions) {
    this.#startSandbox = startSandbox;
    this.#interruptible = interruptible;
  }

  async start(spec: SandboxSpec): Promise<Sandbox> {
    const start = (past?: ScriptPast): Promise<Sandbox> => this.#startSandbox(spec, past);
    try {
      if (runsHere(spec)) return new DirectSandbox(spec, start, this.#interruptible);
    } catch (error) {
      if (error instanceof InterruptedError) throw error;
      // The sandbox says why it does not load.
    }
    return start();
  }
}

/** Limits that the prelude alone holds, here as in a sandbox. */
const HELD_HERE: ReadonlySet<string> = new Set(['output', 'processInject', 'timerInject'] satisfies (keyof SandboxLimits)[]);

/** Whether a script is our own code, with the limits that are nobody's wish, and what it keeps of earlier calls is no more than what a sandbox can go on from. */
const runsHere = ({ kind, script, text, profile, preservation, beside, judged, sampling, limits }: SandboxSpec): boolean =>
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
