import { EngineError } from '../errors.ts';
import type { SandboxStarter } from './sandboxes.ts';

/** Sandboxes and the processes that they live in. */
export interface Sandboxes extends SandboxStarter {
  /** Resident bytes of the sandbox hosts. */
  memory(): Promise<number>;
  /** Ends the hosts, and the sandboxes with them. */
  close(): Promise<void>;
}

/** Makes sandboxes possible; the first host is started when the first sandbox is. */
export function startSandboxes(): Promise<Sandboxes> {
  return Promise.reject(new EngineError('sandbox.missing', 'this build has no sandbox hosts'));
}
