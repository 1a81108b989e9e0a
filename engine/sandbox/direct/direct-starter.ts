import { realpathSync } from 'node:fs';
import { isBundled } from '../../bundled.ts';
import { DEFAULT_LIMITS, type Sandbox, type SandboxSpec } from '../types.ts';
import { DirectSandbox } from './direct-sandbox.ts';
import { InterruptedError } from './direct-script.ts';

interface DirectOptions {
  /** SIGINT breaks calls: for a command that has nothing to bring to its end then. */
  readonly interruptible: boolean;
}

/** Starts bundled decoders in this process, which saves the way to a host and back, and all others in sandboxes. The results are the same. */
export class DirectStarter {
  readonly #startSandbox: (spec: SandboxSpec) => Promise<Sandbox>;
  readonly #interruptible: boolean;

  /** @param startSandbox starts what does not run here */
  constructor(startSandbox: (spec: SandboxSpec) => Promise<Sandbox>, { interruptible }: DirectOptions) {
    this.#startSandbox = startSandbox;
    this.#interruptible = interruptible;
  }

  async start(spec: SandboxSpec): Promise<Sandbox> {
    const start = (): Promise<Sandbox> => this.#startSandbox(spec);
    try {
      if (runsHere(spec)) return new DirectSandbox(spec, start, this.#interruptible);
    } catch (error) {
      if (error instanceof InterruptedError) throw error;
      // The sandbox says why it does not load.
    }
    return start();
  }
}

/** Whether a script is our own code, with the limits that are nobody's wish, and neither needs nor keeps anything of earlier calls. */
const runsHere = ({ kind, script, text, stateless, profile, preservation, beside, limits }: SandboxSpec): boolean =>
  kind === 'decoder' &&
  text === undefined &&
  stateless === true &&
  profile !== true &&
  preservation === undefined &&
  beside !== true &&
  Object.entries(DEFAULT_LIMITS).every(([name, limit]) => limits[name as keyof typeof limits] === limit) &&
  script.endsWith('.ts') &&
  isBundled(realpathSync(script));
