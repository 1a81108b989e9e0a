import type { TargetConfig } from '../config/schema/script-ports.ts';
import type { PlainOutputConfig } from '../config/schema/sections.ts';
import { outputTypeOf } from '../outputs/built-in.ts';
import type { OutputContext } from '../outputs/output-type.ts';
import type { Writer } from '../outputs/writers.ts';

/** The section of an output, or the target of a script output with the values it needs of the section. */
type WriterConfig = PlainOutputConfig | (TargetConfig & { readonly name: string; readonly use_buffering: boolean });

export interface WriterSurroundings extends OutputContext {
  /** Used instead of the one that the section describes. */
  readonly writer?: Writer | undefined;
}

/**
 * Makes the writer of an output. Files are opened; connections are made at the first message.
 * @throws {Error} when the writer cannot be made
 */
export async function makeWriter(config: WriterConfig, { writer, ...context }: WriterSurroundings): Promise<Writer> {
  return writer ?? outputTypeOf(config.type).make(config, context);
}
