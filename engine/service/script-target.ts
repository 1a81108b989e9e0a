import type { ScriptOutputConfig } from '../config/schema/sections.ts';
import type { Sandbox } from '../sandbox/contract/types.ts';
import type { OutputTarget } from '../pipeline/filter-runner.ts';
import { makeWriter, type WriterSurroundings } from './make-writer.ts';
import { WritingSandbox } from '../pipeline/scripts/writing-sandbox.ts';

export interface TargetSurroundings extends WriterSurroundings {
  /** Called when messages are lost. */
  readonly onError: (text: string) => void;
}

/**
 * Connects the sandbox of an output to the target that its section names, if any.
 * @throws {Error} when the target cannot be opened
 */
export async function withTarget(
  { name, target, use_buffering: buffered }: ScriptOutputConfig,
  sandbox: Sandbox,
  surroundings: TargetSurroundings,
): Promise<{ readonly sandbox: Sandbox; readonly target?: OutputTarget }> {
  if (target === undefined) return { sandbox };
  const writer = await makeWriter({ ...target, name, use_buffering: buffered }, surroundings);
  const writing = new WritingSandbox(sandbox, writer, surroundings.onError);
  return { sandbox: writing, target: writing };
}
