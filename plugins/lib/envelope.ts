/**
 * Texts within other records: what a container, a service under systemd or a sender of syslog wrote is a record of its own when it is JSON, logfmt, a line of an
 * access log, or one that has a date or a level in the form of a program's log. Its headers win; those of the envelope become fields, see `wrapped`.
 */
import { boolConfig } from '../modules/config.ts';
import type { LogMessage } from '../modules/table_writer.ts';
import { COLOURS, ESCAPE } from './colours.ts';
import { DatedTexts } from './inner/dated_texts.ts';
import { JsonTexts } from './inner/json_texts.ts';
import { PairTexts } from './inner/pair_texts.ts';
import { wrapped } from './wrapped.ts';

const MOST_ENVELOPES = 2;
const LINE_END = /\r?\n$/;
/** Nanoseconds between the time of an envelope and that of a text of which nothing but a time is known, at most: zones are apart by 26 hours. */
const NEAR = 26 * 3600e9;
const [BLANK, QUOTE, COMMA, EQUALS, AT, OPEN, FIRST_SMALL, BRACE] = [32, 34, 44, 61, 64, 91, 97, 123];
/** Texts of more characters are looked at before they are opened, and stay words when they have more parts. */
const [LONG, MOST_PARTS] = [1 << 16, 1 << 13];

/** Opens envelopes, unless the parameter unwrap says no. To be made at load. */
export class Envelope {
  readonly #readers: Readers | null = boolConfig('unwrap', true) ? new Readers() : null;

  /** Whether it opens any. */
  get opens(): boolean {
    return this.#readers !== null;
  }

  /**
   * The record that a text is; null: it is words. Fields and headers of inner envelopes are part of it.
   * @param time that of the envelope
   */
  open(text: string, time?: LogMessage['Timestamp'], envelopes = 1): LogMessage | null {
    const inner = this.#readers === null ? null : this.#readers.read(text, time);
    if (inner?.Payload === undefined || envelopes >= MOST_ENVELOPES) return inner;
    const innermost = this.open(inner.Payload, inner.Timestamp ?? time, envelopes + 1);
    return innermost === null ? inner : wrapped(inner, innermost);
  }
}

/** The readers of all forms. */
class Readers {
  #now = 0;
  readonly #objects = new JsonTexts(() => this.#now);
  readonly #pairs = new PairTexts();
  readonly #dated = new DatedTexts(() => this.#now);

  read(written: string, time: LogMessage['Timestamp']): LogMessage | null {
    if (written.length > LONG && hasManyParts(written)) return null;
    const code = written.charCodeAt(0);
    if (code === BRACE || code === AT || code === BLANK) return this.#objects.read(written);
    const line = written.endsWith('\n') ? written.replace(LINE_END, '') : written;
    const text = line.includes(ESCAPE) ? line.replace(COLOURS, '') : line;
    this.#now = time === undefined ? (read_message('Timestamp') ?? 0) : Number(time);
    const pairs = code >= FIRST_SMALL || code === QUOTE ? this.#pairs.read(text) : null;
    if (pairs !== null) return pairs;
    const dated = this.#dated.read(text);
    return dated !== null && (time === undefined || isLogged(dated) || this.#isNear(dated.Timestamp)) ? dated : null;
  }

  #isNear(time: LogMessage['Timestamp']): boolean {
    return time !== undefined && Math.abs(Number(time) - this.#now) <= NEAR;
  }
}

/** Whether a text has so many members or pairs that they would take all of a decoder's memory. */
function hasManyParts(text: string): boolean {
  let parts = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((code === COMMA || code === EQUALS || code === OPEN || code === BRACE) && ++parts > MOST_PARTS) return true;
  }
  return false;
}

/** Whether there is more in a record than a time and words, which may be a sentence about that time. */
const isLogged = ({ Severity, Logger, Pid, Hostname, Fields }: LogMessage): boolean =>
  Severity !== undefined || Logger !== undefined || Pid !== undefined || Hostname !== undefined || (Fields?.length ?? 0) > 0;
