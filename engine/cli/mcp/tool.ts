import type { z } from 'zod';
import type { Asking, GrantedLogs } from './granted-logs.ts';

/** A question that a tool answers. */
export interface ToolContext extends Asking {
  readonly logs: GrantedLogs;
  /** Rows and bytes of an answer. */
  readonly rows: number;
  readonly bytes: number;
  /** The paths of files are told, not their names alone. */
  readonly paths: boolean;
}

interface ToolAnswer<D> {
  readonly data: D;
  /** The part that the answer has not, and how to get it. */
  readonly more?: string | undefined;
}

/** A tool as it is written: its arguments and its answer by their schemas. */
export interface Tool<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly input: I;
  /** Of the data of an answer. */
  readonly output: O;
  /** @throws {Refusal} with a text for the asker */
  run(input: z.output<I>, context: ToolContext): Promise<ToolAnswer<z.input<O>>>;
}

/** A tool, with the types of its arguments and answer taken from its schemas. */
export const tool = <I extends z.ZodType, O extends z.ZodType>(made: Tool<I, O>): Tool => made;
