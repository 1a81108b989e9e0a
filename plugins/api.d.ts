/**
 * The interface of sandboxed scripts: the functions that they can call, and the types of the ones that they provide. A script is a classic
 * script (global functions) or an ES module (exported functions), in JavaScript or TypeScript. It has no access to files, network, timers or
 * a console.
 */

/** A value that a message field or header can hold in a script. */
type Scalar = string | number | boolean;

/** A part of a payload, for `add_to_payload` and `inject_payload`. A circular buffer is written in its text form. */
type PayloadPart = Scalar | bigint | null | undefined | PayloadText;

/** An object with a text form of its own, such as a circular buffer. */
interface PayloadText {
  /** The text that goes into a payload. */
  toPayload(): string;
}

/** The explicit form of a field's value in `inject_message`. */
interface FieldValue {
  value: Scalar | bigint | Uint8Array | readonly Scalar[] | readonly bigint[];
  /** 0 string, 1 bytes, 2 integer, 3 double, 4 bool. Derived from the value when left out. */
  value_type?: 0 | 1 | 2 | 3 | 4;
  representation?: string;
}
/** A BigInt is an integer of 64 bits, a number is a double. */
type FieldInput = Scalar | bigint | readonly Scalar[] | readonly bigint[] | FieldValue | PayloadText;

/** A message to inject. Timestamp is in nanoseconds since 1970 (a number, a BigInt, or a string of digits); any other value counts as none. */
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
/**
 * Returns a parameter from the `config` table of the script's section, or its default in `meta`. null when there is neither, or when it is
 * not a scalar.
 */
declare function read_config(name: string): Scalar | null;
/**
 * A variable of the current message: `Type`, `Logger`, `Payload`, `EnvVersion`, `Hostname`, `Uuid`, `Timestamp`, `Severity`, `Pid`,
 * `raw` or `Fields[name]`. The indexes are zero-based and apply to fields only. null when there is no such value, and always
 * outside of `process_message`.
 */
declare function read_message(name: 'raw'): Uint8Array | null;
declare function read_message(name: 'Timestamp' | 'Severity' | 'Pid'): number | null;
declare function read_message(name: string, fieldIndex?: number, arrayIndex?: number): Scalar | null;
/**
 * All digits of an integer: of `Timestamp`, and of a field whose values are integers, of which `read_message` gives the nearest double. null where there is none.
 */
declare function read_integer(name: string, fieldIndex?: number, arrayIndex?: number): bigint | null;
/**
 * Changes the current message (decoders and encoders). A number makes a field of doubles, a BigInt one of integers with all their digits. Pid and
 * Severity take integers of 32 bits.
 */
declare function write_message(
  name: string,
  value: Scalar | bigint | null | undefined,
  representation?: string,
  fieldIndex?: number,
  arrayIndex?: number,
): void;
/**
 * Returns the next field of the current message as [value_type, name, value, representation, count]. All are null after the last field.
 * @deprecated Use `decode_message(read_message('raw')).Fields` instead, which has all values of each field.
 */
declare function read_next_field(): [number | null, string | null, Scalar | null, string | null, number | null];
/** Appends text to the payload buffer. What a decoder or encoder adds for a message and then returns a status below 0 is taken back. */
declare function add_to_payload(...parts: PayloadPart[]): void;
/** Injects a message whose Payload is the payload buffer followed by the parts, with this payload type (`txt` when it is left out) and name. Clears the buffer. */
declare function inject_payload(type?: string | null, name?: string | null, ...parts: PayloadPart[]): void;
/** Injects a message, given as an object or as the bytes of an encoded message. */
declare function inject_message(message: InjectMessage | string | Uint8Array): void;
/**
 * Writes one record to the target of an output. The parts are joined: texts, numbers in the form that they have in payloads, and bytes unchanged. A
 * record is a datagram, a request or a line; no line end is added. Records written for a message that the script then refuses are dropped.
 */
declare function write_output(...parts: (PayloadPart | Uint8Array)[]): void;
/**
 * Keeps the current message of an output, and those after it, in its disk buffer until `release_messages`: for scripts that gather messages in memory
 * before they write them. After a crash the service delivers them again. Without `use_buffering` it has no effect.
 */
declare function hold_messages(): void;
/** Says that all messages that an output has taken so far, the current one included, are written or need not be: its disk buffer forgets them. */
declare function release_messages(): void;
/**
 * Waits for the next piece from the source of an input and returns it as text; null at the end. With a splitter in the source a piece is one record.
 * `rest` is an unfinished end of the last piece, such as an incomplete line: it is returned again in front of the next piece of the same file or
 * connection.
 */
declare function read_input(rest?: string): string | null;
/** Does what `read_input` does, with bytes. The source must not have a splitter. */
declare function read_bytes(rest?: Uint8Array): Uint8Array | null;
/** Returns the name of the file or connection of the last piece, and whether it has ended. When it has, a `rest` is not returned again. */
declare function input_source(): { name: string; ended: boolean };
/** Decodes an encoded message. Raises an error for null, as for any other value that is none: the current message always has its `raw`. */
declare function decode_message(bytes: string | Uint8Array | null): DecodedMessage;
/**
 * Returns what a lookup, a list or a database of addresses in the folder of lookups, has for a value in a column: `lookup(address, 'geo', 'country')`. Returns null
 * where it has nothing, also for a missing value and for texts of more than 1024 characters. Raises an error when there is no such lookup or column.
 */
declare function lookup(
  value: string | number | bigint | boolean | null | undefined,
  name: string,
  column: string,
): string | number | boolean | null;
/** Returns whether a lookup has a value: `in_lookup(address, 'blocked')`. Raises an error when there is no such lookup. */
declare function in_lookup(value: string | number | bigint | boolean | null | undefined, name: string): boolean;

/** A column that a decoder fills by `MessageWriter`. */
interface WriterColumn {
  name: string;
  /**
   * `slice` and `text`: strings, which can also be given as offsets into the payload; `number`: doubles; `integer`: BigInts of 64 bits; `bool`:
   * booleans.
   */
  kind: 'slice' | 'text' | 'number' | 'integer' | 'bool';
  representation?: string;
}

/**
 * The fast way to inject one message for each record: values are written directly into columns, and pieces of the payload are
 * given by their offsets instead of being copied. Values of a record that is neither injected nor discarded are dropped.
 * The result is that of `inject_message` with the fields in column order, without the columns that were not set.
 */
interface MessageWriter {
  /** The field is the piece [start, end) of `payload_span().text`. */
  slice(column: number, start: number, end: number): void;
  text(column: number, value: string): void;
  number(column: number, value: number): void;
  integer(column: number, value: bigint): void;
  bool(column: number, value: boolean): void;
  /** Sets several values of one field: numbers, BigInts, strings or booleans, by the column's kind. */
  list(column: number, values: readonly Scalar[] | readonly bigint[]): void;
  /** Sets the Timestamp in nanoseconds since 1970. When it is not set, it is the time of injection. */
  timestamp(ns: number | bigint): void;
  type(value: string): void;
  logger(value: string): void;
  payload(value: string): void;
  /** The payload is the piece [start, end) of `payload_span().text`. */
  payloadSlice(start: number, end: number): void;
  hostname(value: string): void;
  severity(value: number): void;
  pid(value: number): void;
  /** Adds a column as the last one, or before the column `at`; the indexes of that column and all later ones then grow by one. */
  addColumn(column: WriterColumn, at?: number): void;
  /** Injects the message and starts the next one. */
  inject(): void;
  /** Drops the values that were set since the last `inject`. */
  discard(): void;
}

/**
 * Compiles a function from source text, for parsers that are generated from a format. The function has the same limits as the script; `eval` and
 * `Function` stay disabled. `scope` holds the values that the text can refer to. All texts that a script compiles, while it loads and later, may have
 * 1,048,576 characters together.
 */
declare function compile_function<F extends (...args: never[]) => unknown>(
  parameters: readonly string[],
  body: string,
  scope?: Readonly<Record<string, unknown>>,
): F;

/** The position of the current message's payload: `text.slice(start, end)` is `read_message('Payload')`. The object is reused for each message. */
interface PayloadSpan {
  text: string;
  start: number;
  end: number;
  /** The code units of `text`, where they are bytes that are at hand: to read these is faster. null: only the text is there. */
  readonly units: Uint8Array | null;
}
declare function payload_span(): PayloadSpan;
/** Makes a writer for these columns. Call it once, at load or as soon as the columns are known. Decoders only. */
declare function message_writer(columns: readonly WriterColumn[]): MessageWriter;

/** The status of `process_message`. 0: done; below 0: a failure, which is counted, with its reason; above 0: terminates the script. */
type ProcessStatus = number | [status: number, reason?: string | null];

interface ParameterMeta {
  type: 'string' | 'bool' | 'int' | 'uint' | 'number';
  summary: string;
  /** The value that `read_config` returns when the parameter is not set. Without a default it returns null. */
  default?: Scalar;
  /** Whether the parameter must be set. A required text must not be empty. */
  required?: boolean;
  /** Inclusive bounds of a number. A value outside of them is refused before the script starts; so are values that `values` and `format` exclude. */
  minimum?: number;
  maximum?: number;
  /** The allowed texts. */
  values?: readonly string[];
  /** `regexp`: the text is a regular expression. `files`, of bundled scripts only: it is paths, and `read_config` gives the texts of the files. */
  format?: 'regexp' | 'files';
}
interface ExampleMeta {
  title: string;
  config?: Record<string, Scalar>;
  /** The input: the Payload of a message, or a whole message. For a filter also several messages, after which its timer is called. */
  in: string | InjectMessage | readonly InjectMessage[];
  /** The expected messages; an empty list when there is none … */
  out?: InjectMessage | readonly InjectMessage[];
  /** … or the reason for which the input is refused. */
  fails?: string;
}
/** A regular expression in RE2 syntax (without look-around and backreferences), or its text. The flags can be i, m and s. */
type PatternMeta = RegExp | string;

/** The rule by which files are cut into the records of a decoder. */
type SplitMeta =
  | 'line'
  /** A whole file is one record. */
  | 'none'
  /** Cuts the output of `journalctl -o export` into entries. A field in binary form becomes a line `FIELD=value` with a blank in front of each further line. */
  | 'journal'
  /** Cuts logs of containers, of CRI and of Docker's json-file, into lines. A line that the runtime wrote in pieces is one record, with what stands between them. */
  | 'container'
  /** Cuts objects of JSON apart, over several lines or several in one, also those in a list. What stands between them is dropped, any other line is a record. */
  | 'json'
  /** Cuts messages of syslog apart by the counts of octets in front of them (RFC 6587); a line without one is a record. */
  | 'octets'
  /** Cuts before each line that begins with a match of `before`. Lines before the first record that match `preamble` are skipped. */
  | { before: PatternMeta; preamble?: PatternMeta }
  /** Cuts at each match and drops it. When the expression has a group, the text of the group stays at the end of the record before. */
  | { between: PatternMeta }
  /** Cuts at line ends outside of double quotes. `csv` is the name of the parameter that holds the delimiter. */
  | { csv: string }
  /** Cuts by another rule for each value of the parameter `by`. */
  | { by: string; cases: Readonly<Record<string, SplitMeta>> };

/**
 * One form of the files of a decoder, by which they are recognised. All conditions that are given must hold. Then the decoder is tried on the
 * first records, of which it must accept 60 %. Escape sequences for colours are removed from lines and records before they are compared.
 */
interface LookMeta {
  /** Matches in the first 64 KiB of the file; of several patterns, all must match. `^` is the start of the file. */
  text?: PatternMeta | readonly PatternMeta[];
  /** Does not match there; of several patterns, none may match. */
  without?: PatternMeta | readonly PatternMeta[];
  /** Matches in most lines; several patterns must all match in the same line. */
  lines?: PatternMeta | readonly PatternMeta[];
  /** Matches in most records, as `split` cuts them; several patterns must all match in the same record. */
  records?: PatternMeta | readonly PatternMeta[];
  /** A line or record in which this matches does not count. */
  not?: PatternMeta | readonly PatternMeta[];
  /** The smallest share of matching lines or records; 0.6 by default. Use 0.95 for a form that lines of other files can have by chance. */
  least?: number;
  /** The smallest number of lines; 1 by default. */
  fewest?: number;
  /**
   * A built-in form that patterns cannot describe, with the parameters that it sets: `nginx_access` and `apache_access` (log_format), `json_lines`
   * (time_field), `columns` (header, delimiter, time_field), `logfmt` and `key_value` (none).
   */
  form?: 'nginx_access' | 'apache_access' | 'json_lines' | 'logfmt' | 'key_value' | 'columns';
  /** Parameters for the decoder; of a list, the entry with the best result is used. `{name}` stands for the text of the named group in `text`. */
  config?: Readonly<Record<string, Scalar>> | readonly Readonly<Record<string, Scalar>>[];
  /**
   * The order of trial, 0 to 9; 0 by default. Less exact forms have a higher rank: all looks of one rank are tried before those of the next. Bundled
   * decoders of general forms have 1 (messages of the kernel and logins in syslog; GELF), 2 (syslog), 3 (JSON), 4 (pairs), 5 (columns) and 6 (dates). Rank 9 is
   * for decoders of any log, which are tried last.
   */
  rank?: number;
}

/** The description of a script, from which its reference page and the checks of its parameters are made. */
interface PluginMeta {
  name: string;
  kind: 'input' | 'decoder' | 'filter' | 'encoder' | 'output';
  /**
   * For decoders: the result for a record does not depend on earlier records. Several instances of the decoder may then share the records of
   * one input; the order of records is kept.
   */
  stateless?: boolean;
  /** For decoders: records that it passes on as they are, are no records of the log but its header or comments. Queries leave them out. */
  comments?: boolean;
  summary: string;
  /** For decoders: the rule by which files are cut into records; lines when left out. */
  split?: SplitMeta;
  /** For decoders: the fields that the table of records shows, the most important first. The first five that the records have are shown. */
  columns?: readonly string[];
  /**
   * For decoders: the template of a record in one line, as a table of several logs shows it, over fields and headers: `'[{request:request}|{method} {path}]
   * {status}[ {took:ms}] · {Payload:error}'`. `{name}` is the value of a field, with the unit of its representation; `{name|other}` that of the first one that
   * the record has; a part in brackets is left out unless all of its values are there, and of several, separated by bars, the first one that is whole is
   * written; ` · ` vanishes with what is beside it. Behind a colon stands a form: a unit for a number that has none (`ms`, `s`, `B` …), `request` (without the
   * protocol), `error` (the first line, and the exception behind it), `name` (the last part of the name of a class). A backslash makes plain characters of
   * brackets, braces and bars. Without a template it is the text of the record or, without one, its fields.
   */
  recordSummary?: string;
  /** For decoders: the forms of its files, by which they are recognised. One of them must fit. */
  looks?: readonly LookMeta[];
  parameters: Record<string, ParameterMeta>;
  examples: readonly ExampleMeta[];
}
