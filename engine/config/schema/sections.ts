import type { z } from 'zod';
import type { SandboxKind } from '../../sandbox/types.ts';
import { fileInput, tcpInput, udpInput } from './inputs.ts';
import { fileOutput, logOutput } from './outputs.ts';
import { sandboxDecoder, sandboxEncoder, sandboxFilter, sandboxInput, sandboxOutput } from './sandbox.ts';

/** A kind of section: what it is for, an example, and its schema, which is also the source of the documentation. */
export interface SectionType<S extends z.ZodType = z.ZodType> {
  readonly kind: SandboxKind;
  readonly summary: string;
  readonly example: string;
  readonly schema: S;
}

/** Every type that a section can have, in the order of the documentation. */
export const SECTION_TYPES = {
  FileInput: {
    kind: 'input',
    summary: 'Reads text files, follows them while they grow, and finds them again after they were rotated.',
    example: '[access]\ntype = "FileInput"\npaths = ["/var/log/nginx/access.log", "/var/log/nginx/*.gz"]\ndecoder = "nginx_access"',
    schema: fileInput,
  },
  UdpInput: {
    kind: 'input',
    summary: 'Listens for datagrams; each is one record. What cannot be taken in time is dropped and counted.',
    example: '[syslog]\ntype = "UdpInput"\naddress = "127.0.0.1:5514"\ndecoder = "rsyslog"',
    schema: udpInput,
  },
  TcpInput: {
    kind: 'input',
    summary: 'Listens for connections. A sender waits when the pipeline is busy.',
    example: '[stream]\ntype = "TcpInput"\naddress = "[::1]:5514"\nsplitter = "line"',
    schema: tcpInput,
  },
  SandboxInput: {
    kind: 'input',
    summary: 'Runs a script that makes messages.',
    example: '[clock]\ntype = "SandboxInput"\nfilename = "inputs/clock.js"\nticker_interval = 10',
    schema: sandboxInput,
  },
  SandboxDecoder: {
    kind: 'decoder',
    summary: 'Runs a script that turns records into messages with fields. Inputs name it as their `decoder`.',
    example:
      '[nginx]\ntype = "SandboxDecoder"\nplugin = "nginx_access"\n[nginx.config]\nlog_format = \'$remote_addr [$time_local] "$request" $status\'',
    schema: sandboxDecoder,
  },
  SandboxFilter: {
    kind: 'filter',
    summary: 'Runs a script that watches messages. What it injects becomes a message of its own.',
    example:
      '[http_status]\ntype = "SandboxFilter"\nplugin = "http_status"\nmessage_matcher = "Type == \'nginx.access\'"\nticker_interval = 60\npreserve_data = true\n[http_status.config]\nrows = 1440\nsec_per_row = 60',
    schema: sandboxFilter,
  },
  SandboxEncoder: {
    kind: 'encoder',
    summary: 'Runs a script that turns messages into bytes. Outputs name it as their `encoder`.',
    example: '[alerts]\ntype = "SandboxEncoder"\nplugin = "alert"',
    schema: sandboxEncoder,
  },
  SandboxOutput: {
    kind: 'output',
    summary: 'Runs a script that receives messages.',
    example: '[counter]\ntype = "SandboxOutput"\nfilename = "outputs/counter.js"\nmessage_matcher = "TRUE"\nticker_interval = 5',
    schema: sandboxOutput,
  },
  LogOutput: {
    kind: 'output',
    summary: 'Writes messages to standard output.',
    example: '[console]\ntype = "LogOutput"\nmessage_matcher = "Severity <= 3"\nencoder = "text"',
    schema: logOutput,
  },
  FileOutput: {
    kind: 'output',
    summary: 'Appends messages to a file.',
    example:
      '[errors]\ntype = "FileOutput"\npath = "/var/log/errors.jsonl"\nencoder = "json"\nmessage_matcher = "Fields[status] >= 500"\nuse_buffering = true\n[errors.buffering]\nfull_action = "block"',
    schema: fileOutput,
  },
} as const satisfies Readonly<Record<string, SectionType>>;

export type SectionTypeName = keyof typeof SECTION_TYPES;

/** Where a section stands. */
export interface Origin {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
}

/** A checked section of a type, with all defaults filled in; parameters keep the names that they have in the file. */
export type SectionOf<T extends SectionTypeName> = z.output<(typeof SECTION_TYPES)[T]['schema']> & {
  readonly name: string;
  readonly origin: Origin;
};

export type InputConfig = SectionOf<'FileInput' | 'UdpInput' | 'TcpInput' | 'SandboxInput'>;
export type DecoderConfig = SectionOf<'SandboxDecoder'>;
export type FilterConfig = SectionOf<'SandboxFilter'>;
export type EncoderConfig = SectionOf<'SandboxEncoder'>;
export type OutputConfig = SectionOf<'SandboxOutput' | 'LogOutput' | 'FileOutput'>;
