import type { FramedOptions } from '../framed.ts';
import { InputError } from '../notices.ts';
import { ContainerSplitter } from './container.ts';
import { CsvSplitter } from './csv.ts';
import { FramingSplitter } from './framing.ts';
import { JournalSplitter } from './journal.ts';
import { JsonSplitter } from './json.ts';
import { LineSplitter } from './line.ts';
import { OctetSplitter } from './octets.ts';
import { RawSplitter } from './raw.ts';
import { RegexSplitter } from './regex.ts';
import type { LineTest, Splitter } from '../splitter.ts';
import { WholeSplitter } from './whole.ts';

/** A way to split a source into records. */
export type SplitOptions =
  | { readonly kind: 'line' }
  /** The whole source is one record. */
  | { readonly kind: 'none' }
  /** See `RegexSplitter`; `delimiterEol` is true by default. */
  | { readonly kind: 'regex'; readonly pattern: string; readonly delimiterEol?: boolean; readonly preamble?: LineTest }
  /** Lines, and line ends in quoted values; see `CsvSplitter`. */
  | { readonly kind: 'csv'; readonly delimiter: string }
  /** Entries of a systemd journal in its export format; see `JournalSplitter`. */
  | { readonly kind: 'journal' }
  /** Lines of logs of containers, those in pieces together; see `ContainerSplitter`. */
  | { readonly kind: 'container' }
  /** Objects of JSON; see `JsonSplitter`. */
  | { readonly kind: 'json' }
  /** Messages of syslog with counts of octets; see `OctetSplitter`. */
  | { readonly kind: 'octets' }
  /** It is not cut; see `RawSplitter`. */
  | { readonly kind: 'raw'; readonly whole: boolean }
  /** Framed protobuf messages; see `FramingSplitter`. */
  | ({ readonly kind: 'framing' } & FramedOptions);

/** Longest record in bytes, where nothing else is said. */
/** Bytes of the longest record by default: what is longer is cut. */
export const DEFAULT_MAX_RECORD = 1 << 20;
const DEFAULT_MAX_WHOLE = 64 << 20;

/** Reads `line`, `none` or `regex:RE`. Throws an InputError (`split.bad`) for anything else. */
export function parseSplit(text: string): SplitOptions {
  if (text === 'line' || text === 'none') return { kind: text };
  if (text.startsWith('regex:') && text.length > 6) return { kind: 'regex', pattern: text.slice(6) };
  throw new InputError('split.bad', `"${text}" is no way to split. Use line, none or regex: with a regular expression behind it.`);
}

/** Makes a splitter. `maxRecord`: longest record in bytes, 1 MiB by default (64 MiB for `none`). Throws an InputError (`split.bad`). */
export function makeSplitter(options: SplitOptions, maxRecord?: number): Splitter {
  switch (options.kind) {
    case 'line':
      return new LineSplitter(maxRecord ?? DEFAULT_MAX_RECORD);
    case 'none':
      return new WholeSplitter(maxRecord ?? DEFAULT_MAX_WHOLE);
    case 'csv':
      return new CsvSplitter(options.delimiter, maxRecord ?? DEFAULT_MAX_RECORD);
    case 'container':
      return new ContainerSplitter(maxRecord ?? DEFAULT_MAX_RECORD);
    case 'journal':
      return new JournalSplitter(maxRecord ?? DEFAULT_MAX_RECORD);
    case 'json':
      return new JsonSplitter(maxRecord ?? DEFAULT_MAX_RECORD);
    case 'octets':
      return new OctetSplitter(maxRecord ?? DEFAULT_MAX_RECORD);
    case 'raw':
      return new RawSplitter(options.whole, maxRecord ?? DEFAULT_MAX_WHOLE);
    case 'framing':
      return new FramingSplitter(options);
    case 'regex':
      return new RegexSplitter(options.pattern, options.delimiterEol ?? true, maxRecord ?? DEFAULT_MAX_RECORD, options.preamble);
  }
}
