import type { ScriptOutputConfig } from '../config/schema/sections.ts';
import type { Sandbox } from '../sandbox/types.ts';
import type { OutputTarget } from '../pipeline/filter-runner.ts';
import { makeWriter, type WriterSurroundings } from './make-writer.ts';
import { WritingSandbox } from '../pipeline/scripts/writing-sandbox.ts';

export interface TargetSurroundings extends WriterSurroundings {
  /** Hears of what is lost. */
  readonly onError: (text: string) => void;
}

/**
 * The sandbox of an output with the target that its section names, if it names one.
 * @throws {Error} when that cannot be written to
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
