import { runsHere } from './direct-starter.ts';
import { shippedCode } from './script-code.ts';
import type { ScriptPast } from '../hosts/remote-sandbox.ts';
import type { Sandbox, SandboxSpec } from '../contract/types.ts';
import type { ThreadPool } from './thread-pool.ts';
import { ThreadSandbox } from './thread-sandbox.ts';

/** Starts bundled decoders as they were shipped that keep nothing from one record to the next in threads of this process, and all others in sandboxes. The results are the same. */
export class ThreadStarter {
  readonly #startSandbox: (spec: SandboxSpec, past?: ScriptPast) => Promise<Sandbox>;
  readonly #pool: ThreadPool;

  /** @param startSandbox starts what does not run in a thread */
  constructor(startSandbox: (spec: SandboxSpec, past?: ScriptPast) => Promise<Sandbox>, pool: ThreadPool) {
    this.#startSandbox = startSandbox;
    this.#pool = pool;
  }

  async start(spec: SandboxSpec): Promise<Sandbox> {
    const isOurs = this.#pool.size > 0 && runsInThreads(spec);
    const start = (past: ScriptPast): Promise<Sandbox> => this.#startSandbox(spec, past);
    const code = (): string => shippedCode(spec.script);
    const sandbox = isOurs ? await ThreadSandbox.start({ spec, pool: this.#pool, code, start }) : null;
    // The sandbox says why it does not load.
    return sandbox ?? this.#startSandbox(spec);
  }
}

/** Whether a script is our own code, and may be started anew at any record. */
const runsInThreads = (spec: SandboxSpec): boolean => spec.kind === 'decoder' && spec.stateless === true && runsHere(spec);
