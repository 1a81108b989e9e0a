import type { z } from 'zod';
import type { SourceKind } from '../../api/types.ts';
import { sectionSchema, without, type Rule, type Shape, type ValuesOf } from '../../section/section-schema.ts';
import { recordSplitter } from './parameters.ts';
import type { SplitOptions } from '../splitters/index.ts';
import type { StatHub } from '../stats/stat-hub.ts';
import type { Input } from '../types.ts';

/** What inputs are made with, besides their parameters. */
export interface InputContext {
  readonly hostname: string;
  /** Folder of checkpoints. */
  readonly stateDirectory: string;
  /** Type of what listeners receive; the name of the input by default. */
  readonly type?: string;
  /** How the input cuts what it reads, if it does. */
  readonly split: SplitOptions;
  /** Where stats are counted. */
  readonly stats: StatHub;
  /** The pipeline never ends by itself: commands say also while they run that nothing comes for now. */
  readonly endless?: boolean;
}

/** How the window shows an input that nobody gave a name. */
export interface InputFacts {
  readonly kind: SourceKind;
  readonly label: string;
  readonly location: string;
}

/** How the script of an input reads from an input of the type. */
interface SourceUse<Config> {
  /** What comes when the section names no splitter: pieces of streams, things that are whole (a datagram, the output of a command), or messages. */
  form(config: Config): 'chunks' | 'whole' | 'records';
  /** It goes on after a restart where everything had been through. */
  readonly remembers?: boolean;
  /** It has ended when it has nothing to read for now. */
  endsWhenIdle?(config: Config): boolean;
}

/** What a section does with what its input brings: not the work of the input itself, and not there in the source of a script. */
const OF_SECTIONS = [
  'decoder',
  'synchronous_decode',
  'send_decode_failures',
  'log_decode_failures',
  'can_exit',
  'splitter',
  'signers',
  'skip_authentication',
  'clock',
] as const;

/** The parameters that an input is made of. */
type Own<S extends Shape> = Omit<ValuesOf<S>, (typeof OF_SECTIONS)[number]> & { readonly name: string };

interface Definition<Name extends string, S extends Shape> {
  /** What the `type` of its sections is. */
  readonly type: Name;
  /** What it is for, for the documentation, … */
  readonly summary: string;
  /** … and sections that use it. */
  readonly example: string;
  readonly parameters: S;
  readonly rules?: readonly Rule<Own<S>>[];
  /** Parameters that name a section of another type. */
  readonly references?: Readonly<Record<string, string>>;
  /** Absent: no script reads from it. */
  readonly source?: SourceUse<Own<S>>;
  facts(config: Own<S>): InputFacts;
  /** @throws {InputError} for what cannot be used */
  make(config: Own<S>, context: InputContext): Input;
}

/** A type of built-in inputs: everything that the rest needs to know of it. */
export interface InputType<Name extends string = string, S extends Shape = Shape> extends Definition<Name, S> {
  /** Checks a section. */
  readonly schema: z.ZodObject<{ type: z.ZodLiteral<Name> } & S, z.core.$strict>;
  /** Checks the source of a script; absent: no script reads from it. */
  readonly sourceSchema?: z.ZodObject;
}

/** Completes what is said of a type of inputs. */
export function inputType<const Name extends string, S extends Shape>(definition: Definition<Name, S>): InputType<Name, S> {
  const { type, parameters, rules, source } = definition;
  const schema = sectionSchema(type, parameters, rules);
  if (source === undefined) return { ...definition, schema };
  const ofSource = { ...without(parameters, OF_SECTIONS), ...('splitter' in parameters && { splitter: recordSplitter.optional() }) };
  return { ...definition, schema, sourceSchema: sectionSchema(type, ofSource, rules) };
}
