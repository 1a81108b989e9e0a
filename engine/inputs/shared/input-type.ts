import type { z } from 'zod';
import type { SourceKind } from '../../api/types.ts';
import { once } from '../../base/once.ts';
import { sectionSchema, without, type Rule, type Shape, type ValuesOf } from '../../section/section-schema.ts';
import { recordSplitter } from './parameters.ts';
import type { TextPool } from '../../message/text-pool.ts';
import type { FileKinds } from './file-kinds.ts';
import type { SplitOptions } from '../splitters/index.ts';
import type { StatHub } from '../stats/stat-hub.ts';
import type { Input } from '../types.ts';

/** The context that inputs are made with, besides their parameters. */
export interface InputContext {
  readonly hostname: string;
  /** Folder of checkpoints. */
  readonly stateDirectory: string;
  /** Type of the records of listeners; the name of the input by default. */
  readonly type?: string | undefined;
  /** Splitting of the input's data, if it splits any. */
  readonly split: SplitOptions;
  /** Recognises the files of an input of files. */
  readonly kinds?: FileKinds | undefined;
  /** Memory for texts, which are released when their records are acknowledged. Absent: somebody keeps records for longer. */
  readonly texts?: TextPool | undefined;
  /** The accumulators that receive stats. */
  readonly stats: StatHub;
  /** The pipeline never ends by itself: commands report `idle` also while they run. */
  readonly endless?: boolean;
}

/** The facts by which the window shows an input without a name. */
export interface InputFacts {
  readonly kind: SourceKind;
  readonly label: string;
  readonly location: string;
  /** Its messages may include outputs of filters on other machines, which are shown as those of filters here are. */
  readonly bringsOutputs?: boolean;
}

/** The use of an input type as the source of an input script. */
interface SourceUse<Config> {
  /** Form of the data when the section names no splitter: pieces of streams, whole units (a datagram, the output of a command), or messages. */
  form(config: Config): 'chunks' | 'whole' | 'records';
  /** After a restart it continues behind the data that was processed completely. */
  readonly remembers?: boolean;
  /** It has ended when it has nothing to read for now. */
  endsWhenIdle?(config: Config): boolean;
}

/** Parameters of a section for the steps behind the input itself; the source of a script does not have them. */
const OF_SECTIONS = [
  'decoder',
  'synchronous_decode',
  'send_decode_failures',
  'log_decode_failures',
  'time_offset',
  'can_exit',
  'splitter',
  'signers',
  'skip_authentication',
] as const;

/** The parameters that an input is made of. */
type Own<S extends Shape> = Omit<ValuesOf<S>, (typeof OF_SECTIONS)[number]> & { readonly name: string };

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
  /** Parameters that name a section of another type. */
  readonly references?: Readonly<Record<string, string>>;
  /** Records that were not delivered before a stop come again: the input reads on there, or its senders are told and send it again. */
  readonly repeats?: boolean;
  /** Absent: no script reads from it. */
  readonly source?: SourceUse<Own<S>>;
  facts(config: Own<S>): InputFacts;
  /** @throws {InputError} for values that cannot be used */
  make(config: Own<S>, context: InputContext): Input;
}

/** A type of built-in inputs. */
export interface InputType<Name extends string = string, S extends Shape = Shape> extends Definition<Name, S> {
  /** Checks a section. */
  readonly schema: z.ZodObject<{ type: z.ZodLiteral<Name> } & S, z.core.$strict>;
  /** Checks the source of a script; absent: no script reads from it. */
  readonly sourceSchema?: z.ZodObject | undefined;
}

/** Completes the definition of a type of inputs with its schemas. */
export function inputType<const Name extends string, S extends Shape>(definition: Definition<Name, S>): InputType<Name, S> {
  const { type, parameters, rules, source } = definition;
  const schema = once(() => sectionSchema(type, parameters(), rules));
  const sourceSchema = once(() => {
    const shape = without(schema().shape, ['type', ...OF_SECTIONS]);
    return sectionSchema(type, { ...shape, ...('splitter' in schema().shape ? { splitter: recordSplitter.optional() } : {}) }, rules);
  });
  return {
    ...definition,
    get schema() {
      return schema();
    },
    get sourceSchema() {
      return source && sourceSchema();
    },
  };
}
