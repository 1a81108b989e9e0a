/**
 * Fields that loggers write behind the words of a record on a console: Go's zap, zerolog, slog, logrus, hclog and geth, Rust's tracing, Python's structlog. They are
 * pairs up to the end of the first line, or zap's object of JSON behind a tab.
 */
import { flatten, parseExactly } from '../../modules/json.ts';
import type { LogField } from '../../modules/table_writer.ts';
import { PairReader } from '../key_values.ts';
import { NumberFields } from '../number_fields.ts';
import { PairFields } from '../pair_decoder.ts';
import { RecordMessage } from '../record_message.ts';

/** The signs by which pairs are told from words: none is needed, a colon in front of the first one, or a logger in brackets that may stand there. */
export type PairStyle = 'plain' | 'colon' | 'logger';

/** The words and the fields of a record. */
export interface ConsoleRecord {
  /** undefined: there are none but the pairs. */
  readonly words: string | undefined;
  readonly logger: string | undefined;
  readonly fields: readonly LogField[];
}

const SYNTAX = { separator: ' ', assignment: '=' };
const [EQUALS, BRACE, BRACKET] = [61, 125, 93];
/** The beginning of zap's object. */
const OBJECT = '\t{"';
/** Headers: of zerolog and tint, of charmbracelet's log, of logrus and geth. */
const CONSOLE =
  /(?:^| )(?:TRC|DBG|INF|WRN|ERR|FTL|PNC) (?:\S+:\d+ > )?$|\d[AP]M (?:DEBU|INFO|WARN|ERRO|FATA) (?:<\S+> )?$|^(?:TRAC|DEBU|INFO|WARN|ERRO|FATA|PANI)\[[^\]\s]{4,40}\] *$|^(?:TRACE|DEBUG|INFO|WARN|ERROR|CRIT) *\[\d\d-\d\d\|\d\d:\d\d:\d\d\.\d{3}\] $/;
/** structlog's levels fill nine characters. */
const STRUCTLOG = /(?:^| )\[(?=[a-z ]{9}\] *$)[a-z]+ {0,9}\] *$/;
const LONGEST_HEADER = 120;
const NAME = /^[A-Za-z_][\w./@-]{0,99}$/;
/** Behind these words follows a condition, and behind these marks a part of an expression. */
const SENTENCE = /(?:^|\s)(?:where|and|or|not|set|having|if|when|unless|because|than)$|[=,&?(<>+*/|;]$/i;
const COLON_BEHIND = /: *$/;
const LOGGER = /^(.*?) *\[([\w.:-]{1,100})\] *$/s;

/** Reads the words behind the header of one record at a time. To be made at load. */
export class ConsoleFields {
  readonly #reader = new PairReader(SYNTAX);
  readonly #pairs = new PairFields(SYNTAX, new NumberFields('*'));
  readonly #message = new RecordMessage({}, { isConfigured: false });

  /** Reads the words of a record whose header tells nothing but that it is text[header, words). */
  readBehind(text: string, header: number, words: number): ConsoleRecord | null {
    const mayHave = text.includes('=', words) || text.includes(OBJECT, words) || text.startsWith('[', header);
    if (!mayHave || words - header > LONGEST_HEADER) return null;
    const head = text.slice(header, words);
    return this.read(text.slice(words), STRUCTLOG.test(head) ? 'logger' : CONSOLE.test(head) ? 'plain' : null);
  }

  /** @param style null: pairs are words. Returns null when all of the record are words. */
  read(message: string, style: PairStyle | null): ConsoleRecord | null {
    const object = message.includes(OBJECT) ? this.#readObject(message) : null;
    return object ?? (style === null ? null : this.#readPairs(message, style));
  }

  /** The words in front of an object of JSON; null: there is none. */
  #readObject(message: string): ConsoleRecord | null {
    const end = firstLineEnd(message);
    if (message.charCodeAt(end - 1) !== BRACE) return null;
    const tab = message.indexOf(OBJECT);
    const object = tab < 0 || tab > end ? null : parseExactly(message.slice(tab + 1, end));
    if (object === null) return null;
    this.#message.begin();
    try {
      flatten(object, (name, value, isJson) => this.#message.add(name, value, isJson ? 'json' : undefined));
    } catch {
      return null;
    }
    return this.#record(message.slice(0, tab), message.slice(end), undefined);
  }

  /** The words in front of pairs; null: there are none, or they may be words. */
  #readPairs(message: string, style: PairStyle): ConsoleRecord | null {
    const end = firstLineEnd(message);
    const from = this.#firstPair(message, end);
    const head = message.slice(0, from < 0 ? end : from);
    const [, before = head, logger] =
      style === 'logger' && head.trimEnd().charCodeAt(head.trimEnd().length - 1) === BRACKET ? (LOGGER.exec(head) ?? []) : [];
    if (from < 0 && logger === undefined) return null;
    const words = style === 'colon' ? before.replace(COLON_BEHIND, '') : before;
    if ((style === 'colon' && words === before) || SENTENCE.test(words.trimEnd())) return null;
    this.#message.begin();
    if (from >= 0) this.#pairs.read(message, from, end, this.#message);
    return this.#record(words, message.slice(end), logger);
  }

  #record(words: string, behind: string, logger: string | undefined): ConsoleRecord {
    const whole = words.trimEnd() + behind;
    return { words: whole === '' ? undefined : whole, logger, fields: this.#message.build().Fields ?? [] };
  }

  /** Where pairs begin that reach to the end of the line; -1: nowhere, or there are others within words. */
  #firstPair(text: string, end: number): number {
    for (let at = text.indexOf('='); at >= 0 && at < end; at = text.indexOf('=', at + 1)) {
      const from = text.lastIndexOf(' ', at) + 1;
      if (NAME.test(text.slice(from, at))) return this.#arePairs(text, from, end) ? from : -1;
    }
    return -1;
  }

  #arePairs(text: string, from: number, end: number): boolean {
    const reader = this.#reader;
    reader.begin(text, from, end);
    while (reader.next()) if (reader.value === null || reader.value.charCodeAt(0) === EQUALS || !NAME.test(reader.name)) return false;
    return reader.error === null;
  }
}

function firstLineEnd(text: string): number {
  const end = text.indexOf('\n');
  return end < 0 ? text.length : end;
}
