import type { TargetConfig } from '../config/schema/script-ports.ts';
import type { PlainOutputConfig } from '../config/schema/sections.ts';
import { outputTypeOf } from '../outputs/built-in.ts';
import type { OutputContext } from '../outputs/output-type.ts';
import type { Writer } from '../outputs/writers.ts';

/** The section of an output, or the target of a script with what its section says for it. */
type WriterConfig = PlainOutputConfig | (TargetConfig & { readonly name: string; readonly use_buffering: boolean });

export interface WriterSurroundings extends OutputContext {
  /** Taken instead of what the section names. */
  readonly writer?: Writer;
}

/**
 * Makes what an output writes to. Files are opened; connections are made when the first message comes.
 * @throws {Error} when that cannot be
 */
export async function makeWriter(config: WriterConfig, { writer, ...context }: WriterSurroundings): Promise<Writer> {
  return writer ?? outputTypeOf(config.type).make(config, context);
}
