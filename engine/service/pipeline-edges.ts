import type { InputConfig, ScriptInputConfig } from '../config/schema/sections.ts';
import type { Input } from '../inputs/types.ts';
import type { Writer } from '../outputs/writers.ts';
import type { Consumer } from '../pipeline/consumer.ts';

/** Replacements of inputs and writers for the trial of a configuration: nothing is read, listened to, run or sent. */
export interface PipelineEdges {
  /** Makes the replacement of an input. */
  input(config: InputConfig): Input;
  /** Texts that the script of an input reads from its source; null: the script does not run. */
  texts(config: ScriptInputConfig): readonly string[] | null;
  /** Delivers messages that belong to no input of the configuration. */
  readonly messages: Input;
  /** Makes the writer of the output of that name. */
  writer(name: string): Writer;
  /** Receives all routed messages. */
  readonly observer: Consumer;
}
