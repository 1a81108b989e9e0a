import type { z } from 'zod';
import { once } from '../../base/once.ts';
import { INPUT_TYPES } from '../../inputs/built-in.ts';
import type { InputType } from '../../inputs/shared/input-type.ts';
import { OUTPUT_TYPES } from '../../outputs/built-in.ts';
import type { OutputType } from '../../outputs/output-type.ts';
import type { SandboxKind } from '../../sandbox/contract/types.ts';
import { sandboxManagerFilter } from './manager.ts';
import { rulesFilter } from './rules.ts';
import { sandboxDecoder, sandboxEncoder, sandboxFilter } from './sandbox.ts';
import { sandboxInput, sandboxOutput } from './script-ports.ts';

/** A type of sections: its purpose, an example and its schema, from which the documentation is generated. */
export interface SectionType {
  readonly kind: SandboxKind;
  readonly summary: string;
  readonly example: string;
  readonly schema: z.ZodType;
  /** Parameters that name a section of another type. */
  readonly references?: Readonly<Record<string, string>>;
}

/** Types of sections by name, in the order of the documentation. */
export type SectionTypes = Readonly<Record<string, SectionType>>;

const BETWEEN = {
  SandboxDecoder: {
    kind: 'decoder',
    summary: 'Runs a script that turns records into messages with fields. Inputs name it as their `decoder`.',
    example:
      '[nginx]\ntype = "SandboxDecoder"\nplugin = "nginx_access"\n[nginx.config]\nlog_format = \'$remote_addr [$time_local] "$request" $status\'',
    schema: sandboxDecoder,
  },
  SandboxFilter: {
    kind: 'filter',
    summary: 'Runs a script that analyses messages. Everything that it injects becomes a message.',
    example:
      '[http_status]\ntype = "SandboxFilter"\nplugin = "http_status"\nmessage_matcher = "Type == \'nginx.access\'"\nticker_interval = 60\npreserve_data = true\n[http_status.config]\nrows = 1440\nsec_per_row = 60',
    schema: sandboxFilter,
  },
  SandboxManagerFilter: {
    kind: 'filter',
    summary:
      'Loads and unloads filters while the service runs, as control messages say. `sluicebox manager` sends them. Filters that were loaded are ' +
      'loaded again at the next start. See [managing-filters.md](../managing-filters.md).',
    example:
      '[sbxmgr]\ntype = "SandboxManagerFilter"\nmessage_signer = "ops"\nmax_filters = 10\n\n[control]\ntype = "TcpInput"\naddress = "127.0.0.1:5565"\nsplitter = "framing"\n[control.signers.ops_1]\nhmac_key = "a long secret"',
    schema: sandboxManagerFilter,
  },
  RulesFilter: {
    kind: 'filter',
    summary:
      'Runs Sigma rules on messages. Each hit becomes an alert, as those of scripts are: of the Type `svc.sandbox-output`, with the rule and the fields of the ' +
      'message. See [rules.md](../rules.md).',
    example: '[rules]\ntype = "RulesFilter"\nrules = ["/etc/sluicebox/rules"]\nlevel = "medium"\nalert_throttle = 3600',
    schema: rulesFilter,
  },
  SandboxEncoder: {
    kind: 'encoder',
    summary: 'Runs a script that turns messages into bytes. Outputs name it as their `encoder`.',
    example: '[alerts]\ntype = "SandboxEncoder"\nplugin = "alert"',
    schema: sandboxEncoder,
  },
} as const satisfies SectionTypes;

/** Returns every section type, given the inputs and outputs that run no script. */
export function sectionTypes(inputs: readonly InputType[], outputs: readonly OutputType[]): SectionTypes {
  const inputSchema = once(() => sandboxInput(inputs));
  const outputSchema = once(() => sandboxOutput(outputs));
  const input: SectionType = {
    kind: 'input',
    summary:
      'Runs a script that makes messages, by itself or from what it reads from its source. The checkpoint of a source moves on only when all messages ' +
      'that the script made have been processed and, with `preserve_data`, its state is written. So a crash loses nothing.',
    example:
      '[tables]\ntype = "SandboxInput"\nfilename = "inputs/tables.js"\n[tables.source]\ntype = "FileInput"\npaths = ["/var/log/tables.log"]',
    get schema() {
      return inputSchema();
    },
  };
  const output: SectionType = {
    kind: 'output',
    summary:
      'Runs a script that receives messages and encodes them itself. What it passes to `write_output` goes to its target, in order, as if an ' +
      'output of that type sent it. A slow target slows down the script and the inputs. A message of a disk buffer counts as delivered when ' +
      'everything that the script wrote for it was delivered.',
    example:
      '[sender]\ntype = "SandboxOutput"\nfilename = "outputs/sender.js"\nmessage_matcher = "Severity <= 3"\nuse_buffering = true\n' +
      '[sender.target]\ntype = "TcpOutput"\naddress = "127.0.0.1:6000"',
    get schema() {
      return outputSchema();
    },
  };
  return {
    ...ofKind('input', inputs),
    SandboxInput: input,
    ...BETWEEN,
    SandboxOutput: output,
    ...ofKind('output', outputs),
  };
}

function ofKind(kind: 'input' | 'output', types: readonly (InputType | OutputType)[]): SectionTypes {
  return Object.fromEntries(types.map((type) => [type.type, sectionType(kind, type)]));
}

/** The same without making its schema. */
function sectionType(kind: 'input' | 'output', type: InputType | OutputType): SectionType {
  const { summary, example } = type;
  return {
    kind,
    summary,
    example,
    ...('references' in type ? { references: type.references } : {}),
    get schema() {
      return type.schema;
    },
  };
}

/** Every section type. */
export const SECTION_TYPES = sectionTypes(INPUT_TYPES, OUTPUT_TYPES);

/** Place of a section in its file. */
export interface Origin {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
}

/** A checked section, with all defaults filled in; parameters keep the names that they have in the file. */
type Checked<Schema extends z.ZodType> = z.output<Schema> & { readonly name: string; readonly origin: Origin };

export type ScriptInputConfig = Checked<ReturnType<typeof sandboxInput>>;
export type ScriptOutputConfig = Checked<ReturnType<typeof sandboxOutput>>;
/** An input that runs no script. */
export type PlainInputConfig = Checked<(typeof INPUT_TYPES)[number]['schema']>;
/** An output that runs no script. */
export type PlainOutputConfig = Checked<(typeof OUTPUT_TYPES)[number]['schema']>;

export type InputConfig = PlainInputConfig | ScriptInputConfig;
export type DecoderConfig = Checked<typeof sandboxDecoder>;
export type FilterConfig = Checked<typeof sandboxFilter>;
export type ManagerConfig = Checked<typeof sandboxManagerFilter>;
export type RulesConfig = Checked<typeof rulesFilter>;
export type EncoderConfig = Checked<typeof sandboxEncoder>;
export type OutputConfig = PlainOutputConfig | ScriptOutputConfig;
