import type { Writable } from 'node:stream';
import type { z } from 'zod';
import { once } from '../base/once.ts';
import { sectionSchema, without, type Rule, type Shape, type ValuesOf } from '../section/section-schema.ts';
import type { Writer } from './writers.ts';

/** The context that outputs are made with, besides their parameters. */
export interface OutputContext {
  /** The stream that `LogOutput` writes to. */
  readonly stdout: Writable;
  /** Folder of its own for what it has to know after the service was killed. */
  readonly stateFolder?: string | undefined;
  /** Messages after which its disk buffer notes that they were delivered; absent: it has none. */
  readonly notedAfter?: number | undefined;
  /** Reports a problem to the user. */
  readonly onProblem: (text: string) => void;
}

/** Parameters of a section for the steps before the output itself; the target of a script does not have them. */
const OF_SECTIONS = ['message_matcher', 'message_signer', 'encoder', 'use_framing', 'use_buffering', 'buffering', 'can_exit'] as const;

/** The parameters that an output is made of. */
type Own<S extends Shape> = Omit<ValuesOf<S>, (typeof OF_SECTIONS)[number]> & {
  readonly name: string;
  /** The data comes from the disk queue: it is tried again rather than lost. */
  readonly use_buffering: boolean;
};

interface Definition<Name extends string, S extends Shape> {
  /** The `type` of its sections. */
  readonly type: Name;
  /** Its purpose, for the documentation. */
  readonly summary: string;
  /** Sections that use it, for the documentation. */
  readonly example: string;
  /** Makes the parameters: most are of types that a configuration does not use. */
  readonly parameters: () => S;
  readonly rules?: readonly Rule<Own<S>>[];
  /** Its writer reads pieces only until `write` has settled: their memory may be used again then. */
  readonly keepsNothing?: true;
  /**
   * Opens files; connections are made when the first message comes.
   * @throws {Error} when that cannot be
   */
  make(config: Own<S>, context: OutputContext): Writer | Promise<Writer>;
}

/** A type of built-in outputs. */
export interface OutputType<Name extends string = string, S extends Shape = Shape> extends Definition<Name, S> {
  /** Checks a section. */
  readonly schema: z.ZodObject<{ type: z.ZodLiteral<Name> } & S, z.core.$strict>;
  /** Checks the target of a script. */
  readonly targetSchema: z.ZodObject;
}

/** Completes the definition of a type of outputs with its schemas. */
export function outputType<const Name extends string, S extends Shape>(definition: Definition<Name, S>): OutputType<Name, S> {
  const { type, parameters, rules } = definition;
  const schema = once(() => sectionSchema(type, parameters(), rules));
  const targetSchema = once(() => sectionSchema(type, without(schema().shape, ['type', ...OF_SECTIONS]), rules));
  return {
    ...definition,
    get schema() {
      return schema();
    },
    get targetSchema() {
      return targetSchema();
    },
  };
}
