import type { z } from 'zod';
import type { SandboxKind } from '../../sandbox/types.ts';
import { httpInput, httpListenInput } from './http-inputs.ts';
import { fileInput, tcpInput, udpInput } from './inputs.ts';
import { filePollingInput, processInput, statAccumInput, statsdInput } from './live-inputs.ts';
import { sandboxManagerFilter } from './manager.ts';
import { fileOutput, httpOutput, logOutput, searchIndexOutput, smtpOutput, tcpOutput, udpOutput } from './outputs.ts';
import { sandboxDecoder, sandboxEncoder, sandboxFilter } from './sandbox.ts';
import { sandboxInput, sandboxOutput } from './script-ports.ts';

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
  FilePollingInput: {
    kind: 'input',
    summary:
      'Reads a file anew at each tick, from its beginning to its end. Its messages have the Type `svc.file.polling` and the fields ' +
      '`TickerInterval` and `FilePath`.',
    example: '[load]\ntype = "FilePollingInput"\nfile_path = "/proc/loadavg"\nticker_interval = 2\ndecoder = "linux_loadavg"',
    schema: filePollingInput,
  },
  ProcessInput: {
    kind: 'input',
    summary:
      'Runs commands and takes what they write. Its messages have the Type `ProcessInput` and the fields `ProcessInputName` (the name of the input ' +
      'with `.stdout` or `.stderr`), `ExitStatus` (of the run before; -1 when it was killed) and, when commands in front of the last one failed, ' +
      '`SubcmdErrors`. When the service stops, whatever still runs is ended, with everything that it has started.',
    example:
      '[disk_space]\ntype = "ProcessInput"\nticker_interval = 60\nimmediate_start = true\ntimeout = 10\nsplitter = "line"\n' +
      '[disk_space.command.0]\nbin = "df"\nargs = ["-P", "-k"]\n[disk_space.command.1]\nbin = "tail"\nargs = ["-n", "+2"]',
    schema: processInput,
  },
  HttpListenInput: {
    kind: 'input',
    summary:
      'Takes the bodies of HTTP requests, each of which is one record of Type `svc.httpdata.request`, with fields for the request: Protocol, ' +
      'UserAgent, ContentType, Path, Host, RemoteAddr, chosen headers, and the parameters of the query.',
    example:
      '[web]\ntype = "HttpListenInput"\naddress = "127.0.0.1:8325"\nauth_type = "API"\napi_key = "secret"\nsplitter = "line"\ndecoder = "json_lines"',
    schema: httpListenInput,
  },
  HttpInput: {
    kind: 'input',
    summary:
      'Asks web servers again and again. An answer is a message of Type `svc.httpinput.data` with its body as Payload and the fields StatusCode, Status, ' +
      'ResponseSize, ResponseTime and Protocol; a failure is one of Type `svc.httpinput.error`.',
    example: '[health]\ntype = "HttpInput"\nurls = ["http://127.0.0.1:8080/health", "https://example.org/"]\nticker_interval = 30',
    schema: httpInput,
  },
  StatsdInput: {
    kind: 'input',
    summary: 'Listens for counters, gauges and timers in the format of statsd and brings them to a StatAccumInput. It makes no messages.',
    example: '[statsd]\ntype = "StatsdInput"\naddress = "127.0.0.1:8125"\nstat_accum_name = "stats"\n\n[stats]\ntype = "StatAccumInput"',
    schema: statsdInput,
  },
  StatAccumInput: {
    kind: 'input',
    summary: 'Adds up counters, gauges and timers and emits them as one message at each tick, also when nothing came.',
    example: '[stats]\ntype = "StatAccumInput"\nemit_in_fields = true\nticker_interval = 10\npercent_threshold = [90, 99]',
    schema: statAccumInput,
  },
  SandboxInput: {
    kind: 'input',
    summary:
      'Runs a script that makes messages, by itself or of what it reads from its source. A source that remembers how far it was read is told when ' +
      'everything has been through that the script made of it, and when its state is written that `preserve_data` keeps: nothing is lost by a crash.',
    example:
      '[tables]\ntype = "SandboxInput"\nfilename = "inputs/tables.js"\n[tables.source]\ntype = "FileInput"\npaths = ["/var/log/tables.log"]',
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
  SandboxManagerFilter: {
    kind: 'filter',
    summary:
      'Loads and unloads filters while the service runs, as control messages tell it: `sluicebox manager` sends them. What was loaded is loaded ' +
      'again at the next start. See [managing-filters.md](managing-filters.md).',
    example:
      '[sbxmgr]\ntype = "SandboxManagerFilter"\nmessage_signer = "ops"\nmax_filters = 10\n\n[control]\ntype = "TcpInput"\naddress = "127.0.0.1:5565"\nsplitter = "framing"\n[control.signers.ops_1]\nhmac_key = "a long secret"',
    schema: sandboxManagerFilter,
  },
  SandboxEncoder: {
    kind: 'encoder',
    summary: 'Runs a script that turns messages into bytes. Outputs name it as their `encoder`.',
    example: '[alerts]\ntype = "SandboxEncoder"\nplugin = "alert"',
    schema: sandboxEncoder,
  },
  SandboxOutput: {
    kind: 'output',
    summary:
      'Runs a script that receives messages and encodes them itself. What it gives to `write_output` goes to its target, in order, as an output of ' +
      'that type would send it: a slow target slows the script and all in front of it, and a message of a disk buffer counts as delivered when what ' +
      'it wrote was.',
    example:
      '[sender]\ntype = "SandboxOutput"\nfilename = "outputs/sender.js"\nmessage_matcher = "Severity <= 3"\nuse_buffering = true\n' +
      '[sender.target]\ntype = "TcpOutput"\naddress = "127.0.0.1:6000"',
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
  TcpOutput: {
    kind: 'output',
    summary:
      'Sends messages over a TCP connection, which is made again when it breaks. What was sent in the last second before that is sent again, for ' +
      'nobody knows what the other side has read of it. Messages wait on disk unless `use_buffering = false`, in files of 128 MiB, and the ' +
      'checkpoint is written after 50 of them.',
    example: '[forward]\ntype = "TcpOutput"\naddress = "logs.example.org:9125"\nuse_tls = true\nmessage_matcher = "Severity <= 4"',
    schema: tcpOutput,
  },
  UdpOutput: {
    kind: 'output',
    summary: 'Sends each message as a datagram. Whether it arrives is not known.',
    example: '[statsd]\ntype = "UdpOutput"\naddress = "127.0.0.1:8125"\nencoder = "plain_text"\nmessage_matcher = "Type == \'stat\'"',
    schema: udpOutput,
  },
  HttpOutput: {
    kind: 'output',
    summary:
      'Sends a request for each message. A request that fails, or is answered by a status from 400 on, is sent again; batches are made by filters, ' +
      'such as `influx_batch`.',
    example:
      '[influx]\ntype = "HttpOutput"\naddress = "http://127.0.0.1:8086/write?db=logs"\nencoder = "payload"\nmessage_matcher = "Fields[payload_name] == \'influx_batch\'"\n\n[payload]\ntype = "SandboxEncoder"\nplugin = "plain_text"',
    schema: httpOutput,
  },
  SmtpOutput: {
    kind: 'output',
    summary: 'Sends messages as mails.',
    example:
      '[alert_mails]\ntype = "SmtpOutput"\nsend_to = ["ops@example.org"]\nsend_interval = 60\nencoder = "alert"\nmessage_matcher = "Type == \'svc.sandbox-output\' && Fields[payload_type] == \'alert\'"',
    schema: smtpOutput,
  },
  ElasticSearchOutput: {
    kind: 'output',
    summary:
      'Sends messages to the bulk endpoint of a search index, some in each request. What the index refuses is dropped, with a line in the log. ' +
      'Messages wait on disk unless `use_buffering = false`.',
    example: '[search]\ntype = "ElasticSearchOutput"\nserver = "http://127.0.0.1:9200"\nmessage_matcher = "Type == \'nginx.access\'"',
    schema: searchIndexOutput,
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

export type InputConfig = SectionOf<
  | 'FileInput'
  | 'UdpInput'
  | 'TcpInput'
  | 'FilePollingInput'
  | 'ProcessInput'
  | 'HttpListenInput'
  | 'HttpInput'
  | 'StatsdInput'
  | 'StatAccumInput'
  | 'SandboxInput'
>;
export type DecoderConfig = SectionOf<'SandboxDecoder'>;
export type FilterConfig = SectionOf<'SandboxFilter'>;
export type ManagerConfig = SectionOf<'SandboxManagerFilter'>;
export type EncoderConfig = SectionOf<'SandboxEncoder'>;
export type OutputConfig = SectionOf<
  'SandboxOutput' | 'LogOutput' | 'FileOutput' | 'TcpOutput' | 'UdpOutput' | 'HttpOutput' | 'SmtpOutput' | 'ElasticSearchOutput'
>;
