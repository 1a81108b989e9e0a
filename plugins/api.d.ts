/**
 * What a sandboxed script sees: the functions that Sluicebox offers it and the ones it must provide. A script is a classic script
 * (global functions) or an ES module (exported functions), in JavaScript or TypeScript. There is nothing else: no file,
 * network, timer or console.
 */

/** A value that a message field or header can hold in a script. */
type Scalar = string | number | boolean;

/** What `add_to_payload` and `inject_payload` take; a circular buffer is written in its text form. */
type PayloadPart = Scalar | bigint | null | undefined | PayloadText;

/** An object that knows its own text form, such as a circular buffer. */
interface PayloadText {
  /** The text that goes into a payload. */
  toPayload(): string;
}

/** The explicit form of a field's value in `inject_message`. */
interface FieldValue {
  value: Scalar | bigint | Uint8Array | readonly Scalar[];
  /** 0 string, 1 bytes, 2 integer, 3 double, 4 bool; follows the value when left out. */
  value_type?: 0 | 1 | 2 | 3 | 4;
  representation?: string;
}
type FieldInput = Scalar | readonly Scalar[] | FieldValue | PayloadText;

/** A message to inject. Timestamp is in nanoseconds since 1970 (Number, BigInt or a string that holds one). */
interface InjectMessage {
  Uuid?: string | Uint8Array;
  Timestamp?: number | bigint | string;
  Type?: string;
  Logger?: string;
  Payload?: string;
  EnvVersion?: string;
  Hostname?: string;
  Severity?: number | string;
  Pid?: number | string;
  Fields?: Record<string, FieldInput> | readonly (FieldValue & { name: string })[];
}

/** A message in decoded form: every `value` is an array. */
interface DecodedMessage {
  Uuid: Uint8Array;
  Timestamp: number;
  Type?: string;
  Logger?: string;
  Payload?: string;
  EnvVersion?: string;
  Hostname?: string;
  Severity?: number;
  Pid?: number;
  Fields?: { name: string; value: Scalar[]; value_type?: number; representation?: string }[];
}

/** Loads a module by name from the module directories, once. */
declare function require(name: string): unknown;
/** A parameter of this plugin's `config` section, or its default in `meta`; null when there is neither, or when it is no scalar. */
declare function read_config(name: string): Scalar | null;
/**
 * A variable of the current message: `Type`, `Logger`, `Payload`, `EnvVersion`, `Hostname`, `Uuid`, `Timestamp`, `Severity`, `Pid`,
 * `raw` or `Fields[name]`. Indexes are zero-based and only for fields. null when there is no such value, and always outside `process_message`.
 */
declare function read_message(name: 'raw'): Uint8Array | null;
declare function read_message(name: 'Timestamp' | 'Severity' | 'Pid'): number | null;
declare function read_message(name: string, fieldIndex?: number, arrayIndex?: number): Scalar | null;
/** Changes the current message (decoders and encoders). */
declare function write_message(
  name: string,
  value: Scalar | bigint | null | undefined,
  representation?: string,
  fieldIndex?: number,
  arrayIndex?: number,
): void;
/** The next field of the current message: [value_type, name, value, representation, count]; all null at the end. */
declare function read_next_field(): [number | null, string | null, Scalar | null, string | null, number | null];
/** Appends text to the payload buffer. */
declare function add_to_payload(...parts: PayloadPart[]): void;
/** Injects the payload buffer and the further parts as a message of this payload type and name, and clears the buffer. */
declare function inject_payload(type?: string, name?: string, ...parts: PayloadPart[]): void;
/** Injects a message: a table, or the bytes of an encoded message. */
declare function inject_message(message: InjectMessage | string | Uint8Array): void;
/**
 * Writes a record to the target of an output, made of these parts: texts, numbers as in a payload, and bytes as they are. One call is one record: a
 * datagram, a request, a line (which brings its own line end). What was written for a message that is refused is dropped.
 */
declare function write_output(...parts: (PayloadPart | Uint8Array)[]): void;
/**
 * What comes next from the source of an input, as text; waits for it. null at the end. `rest` is the end of what was read last that is to come again, in front
 * of what follows in the same file or connection: a line that is not complete. With a splitter in the source it is one record.
 */
declare function read_input(rest?: string): string | null;
/** The same as bytes, of a source without a splitter. */
declare function read_bytes(rest?: Uint8Array): Uint8Array | null;
/** Where what was read last is from, and whether it was the last of that: then what is given back does not come again. */
declare function input_source(): { name: string; ended: boolean };
/** Decodes the bytes of an encoded message. */
declare function decode_message(bytes: string | Uint8Array): DecodedMessage;

/** A column that a decoder fills by `MessageWriter`. */
interface WriterColumn {
  name: string;
  /** `slice` and `text`: strings, which pieces of the payload can be given as by their offsets; `number`: doubles; `bool`: booleans. */
  kind: 'slice' | 'text' | 'number' | 'bool';
  representation?: string;
}

/**
 * The fast way to inject one message for each record: values go straight into columns, and pieces of the payload are
 * named by their offsets instead of being cut out. A record that is neither injected nor discarded leaves nothing behind.
 * Same result as `inject_message` with these fields in column order; a column that was not set is left out.
 */
interface MessageWriter {
  /** The field is the piece [start, end) of `payload_span().text`. */
  slice(column: number, start: number, end: number): void;
  text(column: number, value: string): void;
  number(column: number, value: number): void;
  bool(column: number, value: boolean): void;
  /** Several values in one field; numbers, strings or booleans as the column's kind says. */
  list(column: number, values: readonly Scalar[]): void;
  /** Nanoseconds since 1970; the time of injection when it is not set. */
  timestamp(ns: number | bigint): void;
  type(value: string): void;
  logger(value: string): void;
  payload(value: string): void;
  /** The payload is the piece [start, end) of `payload_span().text`. */
  payloadSlice(start: number, end: number): void;
  hostname(value: string): void;
  severity(value: number): void;
  pid(value: number): void;
  /** Adds a column: before the column `at`, which moves on with all behind it, or as the last one. */
  addColumn(column: WriterColumn, at?: number): void;
  /** Injects the message and starts the next. */
  inject(): void;
  /** Forgets what was set since the last `inject`. */
  discard(): void;
}

/**
 * Makes a function from source text, at load only (top level): for parsers that are generated from a format. The text is
 * instrumented and limited as the script itself is; `eval` and `Function` stay disabled. `scope` holds the values that it may name. All that
 * a script compiles may have 1,048,576 characters.
 */
declare function compile_function<F extends (...args: never[]) => unknown>(
  parameters: readonly string[],
  body: string,
  scope?: Readonly<Record<string, unknown>>,
): F;

/** Where the current message's payload lies: `text.slice(start, end)` is `read_message('Payload')`. The object is reused. */
interface PayloadSpan {
  text: string;
  start: number;
  end: number;
}
declare function payload_span(): PayloadSpan;
/** A writer for these columns; made once, at load or as soon as the columns are known. Decoders only. */
declare function message_writer(columns: readonly WriterColumn[]): MessageWriter;

/** The status of `process_message`: 0 done, < 0 a failure that is counted (with its reason), > 0 terminates the sandbox. */
type ProcessStatus = number | [status: number, reason?: string | null];

interface ParameterMeta {
  type: 'string' | 'bool' | 'int' | 'uint' | 'number';
  summary: string;
  /** The value that `read_config` gives when the parameter is not set; null without a default. */
  default?: Scalar;
  /** It must be set; a text must not be empty either. */
  required?: boolean;
  /** Bounds of a number, which it may reach; a value beyond them is refused before the script starts, as with `values` and `format`. */
  minimum?: number;
  maximum?: number;
  /** The only texts that it may be. */
  values?: readonly string[];
  /** The text is a regular expression. */
  format?: 'regexp';
}
interface ExampleMeta {
  title: string;
  config?: Record<string, Scalar>;
  /** The payload of the message that goes in, or the whole message; for a filter also several, after which its timer is called. */
  in: string | InjectMessage | readonly InjectMessage[];
  /** The message that comes out, or all of them; none: an empty list … */
  out?: InjectMessage | readonly InjectMessage[];
  /** … or the reason why it is refused. */
  fails?: string;
}
/** A regular expression of RE2 syntax, which has neither look-around nor backreferences, or its text. Of the flags, i, m and s are known. */
type PatternMeta = RegExp | string;

/** How files are cut into the records of a decoder. */
type SplitMeta =
  | 'line'
  /** A whole file is one record. */
  | 'none'
  /** In front of each line that begins so. `preamble`: the form of lines in front of all records, which are passed over. */
  | { before: PatternMeta; preamble?: PatternMeta }
  /** At each of these, which are thrown away; with a group in the expression, its text stays at the end of the record before. */
  | { between: PatternMeta }
  /** Lines, and line ends in values between double quotes; with the name of the parameter that holds the delimiter. */
  | { csv: string };

/**
 * What files of a decoder look like. All that is given must hold; then the decoder is tried with the first records, of which it must take 60 %.
 * Lines and records are looked at without the colours of a terminal.
 */
interface LookMeta {
  /** Occurs in the first 64 KiB, which begin at `^`; of several, all. */
  text?: PatternMeta | readonly PatternMeta[];
  /** Does not occur there; of several, none. */
  without?: PatternMeta | readonly PatternMeta[];
  /** Occurs in most lines; of several, all in one line. */
  lines?: PatternMeta | readonly PatternMeta[];
  /** The same of records, as `split` cuts them. */
  records?: PatternMeta | readonly PatternMeta[];
  /** A line or record in which this occurs does not count. */
  not?: PatternMeta | readonly PatternMeta[];
  /** The least part of the lines or records: 0.6 by default, which other logs hardly reach. For a form that other texts have by chance, 0.95. */
  least?: number;
  /** Lines that there are at least; 1 by default. */
  fewest?: number;
  /**
   * A form that takes more than patterns, with the parameters that it gives: `nginx_access` and `apache_access` (log_format), `json_lines`
   * (time_field), `columns` (header, delimiter, time_field), `logfmt` and `key_value` (none).
   */
  form?: 'nginx_access' | 'apache_access' | 'json_lines' | 'logfmt' | 'key_value' | 'columns';
  /** Parameters that the decoder then has; of several, the best. `{name}` stands for the text of the named group in `text`. */
  config?: Readonly<Record<string, Scalar>> | readonly Readonly<Record<string, Scalar>>[];
  /**
   * The less exact a form is, the higher, 0 to 9; 0 by default. All looks of one rank are tried before those of the next. Bundled decoders of
   * families of logs have 1 (what the kernel and logins bring to syslog; GELF), 2 (syslog), 3 (JSON), 4 (pairs), 5 (columns) and 6 (dates).
   */
  rank?: number;
}

/** What a plugin says about itself; its reference page and parameter checks come from here. */
interface PluginMeta {
  name: string;
  kind: 'input' | 'decoder' | 'filter' | 'encoder' | 'output';
  /**
   * Of a decoder: what it makes of a record does not depend on the records before it. Then several instances of it may share the records of
   * one input, whose order is kept.
   */
  stateless?: boolean;
  summary: string;
  /** Of a decoder: how its files are cut into records; by lines when left out. */
  split?: SplitMeta;
  /** Of a decoder: fields that a table of its records shows, five at most of those that they have, the most telling first. */
  columns?: readonly string[];
  /** Of a decoder: what its files look like, one or another; it is recognised by this. */
  looks?: readonly LookMeta[];
  parameters: Record<string, ParameterMeta>;
  examples: readonly ExampleMeta[];
}
