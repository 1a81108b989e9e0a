/**
 * Texts within other records: what a container, a service under systemd or a sender of syslog wrote is a record of its own when it is JSON or logfmt.
 * Its time and its level win, those of the envelope become the fields envelope_time and envelope_severity.
 */
import { boolConfig } from '../modules/config.ts';
import { flatten, parseExactly } from '../modules/json.ts';
import type { LogMessage } from '../modules/table_writer.ts';
import { HOSTS, LOGGERS, MESSAGES, PROCESSES, SEVERITIES } from './json/json_members.ts';
import { NumberFields } from './number_fields.ts';
import { PairFields } from './pair_decoder.ts';
import { RecordMessage } from './record_message.ts';
import { wrapped } from './wrapped.ts';

/** The names that json_lines knows, of members and of pairs. */
const NAMES = {
  time: 'time, timestamp, @timestamp, ts, datetime, @t, t.$date, t, Time, Timestamp',
  severity: `${SEVERITIES}, s, @l`,
  message: `${MESSAGES}, @m, @mt`,
  hostname: HOSTS,
  logger: `${LOGGERS}, c`,
  pid: PROCESSES,
};
/** A JSON object, perhaps behind the mark of Common Event Expression. */
const OBJECT = /^(?:@cee: ?)?\s*(?=\{)/;
/** Pairs that begin with the names of a log: other texts have an equals sign as well. */
const PAIRS = /^(?:time|ts|t|timestamp|level|lvl|severity|msg|at)=\S/;
const MOST_ENVELOPES = 2;

/** Opens envelopes, unless the parameter unwrap says no. */
export class Envelope {
  readonly #opens = boolConfig('unwrap', true);
  readonly #message = new RecordMessage(NAMES, { isConfigured: false });
  readonly #pairs = new PairFields({ separator: ' ', assignment: '=' }, new NumberFields('*'));

  /** The record that a text is; null: it is words. Fields and headers of inner envelopes are part of it. */
  open(text: string, envelopes = 1): LogMessage | null {
    if (!this.#opens) return null;
    const inner = this.#read(text);
    if (inner?.Payload === undefined || envelopes >= MOST_ENVELOPES) return inner;
    const innermost = this.open(inner.Payload, envelopes + 1);
    return innermost === null ? inner : wrapped(inner, innermost, { severity: inner.Severity });
  }

  #read(text: string): LogMessage | null {
    const code = text.charCodeAt(0);
    if (code === BRACE || code === AT || code === BLANK) return this.#readObject(text);
    return code >= FIRST_SMALL && PAIRS.test(text) ? this.#readPairs(text) : null;
  }

  #readObject(text: string): LogMessage | null {
    const mark = OBJECT.exec(text)?.[0];
    if (mark === undefined) return null;
    const object = parseExactly(text.slice(mark.length));
    if (object === null) return null;
    this.#message.begin();
    try {
      flatten(object, (name, value, isJson) => this.#message.add(name, value, isJson ? 'json' : undefined));
    } catch {
      return null;
    }
    return this.#message.build();
  }

  #readPairs(text: string): LogMessage | null {
    this.#message.begin();
    const { pairs, error } = this.#pairs.read(text, 0, text.length, this.#message);
    return error !== null || pairs < 2 ? null : this.#message.build();
  }
}

const [BLANK, AT, FIRST_SMALL, BRACE] = [32, 64, 97, 123];
