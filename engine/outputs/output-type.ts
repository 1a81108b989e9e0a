import type { Writable } from 'node:stream';
import type { z } from 'zod';
import { sectionSchema, without, type Rule, type Shape, type ValuesOf } from '../section/section-schema.ts';
import type { Writer } from './writers.ts';

/** What outputs are made with, besides their parameters. */
export interface OutputContext {
  /** Where `LogOutput` writes to. */
  readonly stdout: Writable;
  /** Something that the user should know. */
  readonly onProblem: (text: string) => void;
}

/** What a section does before its output has anything to write: not there in the target of a script. */
const OF_SECTIONS = ['message_matcher', 'message_signer', 'encoder', 'use_framing', 'use_buffering', 'buffering', 'can_exit'] as const;

/** The parameters that an output is made of. */
type Own<S extends Shape> = Omit<ValuesOf<S>, (typeof OF_SECTIONS)[number]> & {
  readonly name: string;
  /** What is written comes from the disk: it is tried again rather than lost. */
  readonly use_buffering: boolean;
};

interface Definition<Name extends string, S extends Shape> {
  /** What the `type` of its sections is. */
  readonly type: Name;
  /** What it is for, for the documentation, … */
  readonly summary: string;
  /** … and sections that use it. */
  readonly example: string;
  readonly parameters: S;
  readonly rules?: readonly Rule<Own<S>>[];
  /**
   * Opens files; connections are made when the first message comes.
   * @throws {Error} when that cannot be
   */
  make(config: Own<S>, context: OutputContext): Writer | Promise<Writer>;
}

/** A type of built-in outputs: everything that the rest needs to know of it. */
export interface OutputType<Name extends string = string, S extends Shape = Shape> extends Definition<Name, S> {
  /** Checks a section. */
  readonly schema: z.ZodObject<{ type: z.ZodLiteral<Name> } & S, z.core.$strict>;
  /** Checks the target of a script. */
  readonly targetSchema: z.ZodObject;
}

/** Completes what is said of a type of outputs. */
export function outputType<const Name extends string, S extends Shape>(definition: Definition<Name, S>): OutputType<Name, S> {
  const { type, parameters, rules } = definition;
  return {
    ...definition,
    schema: sectionSchema(type, parameters, rules),
    targetSchema: sectionSchema(type, without(parameters, OF_SECTIONS), rules),
  };
}
