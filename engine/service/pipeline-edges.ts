import type { InputConfig } from '../config/schema/sections.ts';
import type { Input } from '../inputs/types.ts';
import type { Writer } from '../outputs/writers.ts';
import type { Consumer } from '../pipeline/consumer.ts';

/** What stands for the world around a pipeline when its configuration is only tried: nothing is read, listened to, run or sent. */
export interface PipelineEdges {
  /** Brings the messages of an input. */
  input(config: InputConfig): Input;
  /** Brings messages that come by no input of the configuration. */
  readonly messages: Input;
  /** What the output of that name writes to. */
  writer(name: string): Writer;
  /** Sees all messages that are routed. */
  readonly observer: Consumer;
}
