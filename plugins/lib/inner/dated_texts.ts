/** Texts with a date or a level in a form that the logs of programs have. */
import { isDigit } from '../../base/scan.ts';
import type { LogMessage } from '../../modules/table_writer.ts';
import { configuredClock } from '../../modules/time_zone.ts';
import { AnyRecord } from '../any_record.ts';
import { APACHE_ERRORS } from '../forms/apache_errors.ts';
import { GLOG } from '../forms/glog_lines.ts';
import { LOGRUS } from '../forms/logrus_lines.ts';
import { NGINX_ERROR_COLUMNS, NginxErrorLine } from '../forms/nginx_error_line.ts';
import { NPM } from '../forms/npm_lines.ts';
import { PHP } from '../forms/php_errors.ts';
import { POSTGRESQL } from '../forms/postgresql_records.ts';
import { programLayouts } from '../forms/program_layouts.ts';
import { REDIS } from '../forms/redis_lines.ts';
import { severityOfWord } from '../header/severity.ts';
import { NO_TIME, patternReader, type RecordForms } from '../pattern_decoder.ts';
import { SyslogLine } from '../syslog/syslog_line.ts';
import { syslogRecord } from '../syslog/syslog_record.ts';
import { AccessTexts, EnvoyTexts } from './access_texts.ts';
import { CollectedRecord } from './collected_record.ts';

type Read = (text: string) => LogMessage | null;

/** A form, and the beginning without which it is not tried. */
interface Form {
  readonly begins: RegExp;
  readonly read: Read;
}

const YEAR_FIRST = /^\[?\d{4}[-/.]\d\d[-/.]\d\d[T ]/;
/** A priority, a month and a day, or a date with a host, a program and its process. */
const SYSLOG = /^(?:<\d{1,3}>|[A-Z][a-z]{2} [ \d]\d (?:\d{4} )?\d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\S+ [\w.-]+ [\w./-]+\[\d+\]: )/;
const PROGRAM =
  /^(?:[A-Z], |\[\d+\] |\[? ?[A-Z]{4,9} {0,9}\]?[:,]?\s+(?:\[[^\]\n]{1,80}\] )?|[A-Z]{4,9}:)?\[?\d\d(?:\d\d[-/.]\d\d[-/.]\d\d|[ -][A-Z][a-z]{2}[ -]\d{4})(?:[T ]| {2})\d?\d:\d\d/;
/** A time in other shapes. */
const ANY = /^[[(<]?(?:\d{1,4}[-/.:]\d|\d{1,2} [A-Z]|(?:19|20)\d{6}[-T_: ]|[A-Z][a-z]{2}\w* |\d{10}[.\d]|#?\d{4}年)|^\[GIN\] \d{4}\//;
/** The beginnings of texts with a digit in front, but for access logs: ids of mails and counts are no dates. */
const DIGITS = /^(?:\d{1,4}[-/.:年]|\d{1,2} [A-Z]|(?:19|20)\d{6}[-T_: ]|\d{10}[.\d]|\d+:)/;
/** A time of day alone. */
const CLOCK_ALONE = /^[[(<]?\d{1,2}:\d\d/;

/** Gin's mark in front of a date. */
const GIN = '[GIN] ';

const NS_IN_S = 1e9;

/** Reads texts by the first form that they have. Readers are made for the first text of their form: most logs have none. */
export class DatedTexts {
  readonly #now: () => number;
  readonly #clock = configuredClock();
  readonly #access: Form = {
    begins: /^(?:[\w.:-]+|\[[\da-f:.]+\]) \S+ [^[\n]{1,120}\[\d\d\//,
    read: madeOnce(() => readerOf(new AccessTexts())),
  };
  readonly #forms: readonly Form[];

  /** @param now nanoseconds since 1970 at which a text was written, for dates without a year or a day */
  constructor(now: () => number) {
    this.#now = now;
    this.#forms = [
      { begins: /^[IWEF]\d{4}/, read: this.#pattern(() => GLOG) },
      this.#access,
      { begins: /^\[\d{4}-\d\d-\d\dT\S+\] "/, read: madeOnce(() => readerOf(new EnvoyTexts())) },
      { begins: /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d \[/, read: madeOnce(() => this.#nginxReader()) },
      { begins: /^\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d /, read: this.#pattern(() => APACHE_ERRORS) },
      { begins: /^\[\d\d-[A-Z][a-z]{2}-\d{4} /, read: this.#pattern(() => PHP) },
      { begins: /^(?:\d+:(?:[A-Z] |signal)|\[\d+[^\]]*\] (?:\d|\())/, read: this.#pattern(() => REDIS) },
      { begins: /^(?:< ?)?\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? (?:[A-Z]{3,5}|[+-]\d\d)/, read: this.#pattern(() => POSTGRESQL) },
      { begins: /^[A-Z]{4}\[\d{4}/, read: this.#pattern(() => LOGRUS) },
      { begins: /^(?:p?npm|gyp|node-pre-gyp) /, read: this.#pattern(() => NPM) },
      { begins: SYSLOG, read: madeOnce(() => this.#syslogReader()) },
      { begins: PROGRAM, read: this.#pattern(() => programLayouts({ smallLevels: false })) },
      { begins: ANY, read: madeOnce(() => this.#anyReader()) },
    ];
  }

  read(text: string): LogMessage | null {
    if (isDigit(text.charCodeAt(0)) && !DIGITS.test(text)) return readIn(this.#access, text);
    for (const form of this.#forms) {
      const found = readIn(form, text);
      if (found !== null) return found;
    }
    return null;
  }

  #pattern(forms: () => RecordForms): Read {
    return madeOnce(() => {
      const read = patternReader(forms(), this.#now);
      return (text) => {
        const found = read(text);
        return found === NO_TIME ? null : found;
      };
    });
  }

  #syslogReader(): Read {
    const line = new SyslogLine(this.#now, this.#clock);
    return (text) => {
      if (!line.parse(text, 0, text.length)) return null;
      const { host } = line;
      if (line.priority < 0 && (line.program.empty || host.empty)) return null;
      return YEAR_FIRST.test(text) && severityOfWord(text.slice(host.from, host.to)) >= 0 ? null : syslogRecord(line, text);
    };
  }

  #nginxReader(): Read {
    const line = new NginxErrorLine(this.#clock);
    const record = new CollectedRecord(NGINX_ERROR_COLUMNS);
    return (text) => (line.read(record.begin(text), text, 0, text.length) === null ? record.take() : null);
  }

  /** A time of day without a level may be anything. One that is that of the envelope, with fewer digits, is not better. */
  #anyReader(): Read {
    const record = new AnyRecord(this.#now);
    return (text) => {
      const found = record.read(text.startsWith(GIN) ? text.slice(GIN.length) : text);
      if (found === null || !CLOCK_ALONE.test(text)) return found;
      const { Timestamp, ...others } = found;
      if (others.Severity === undefined) return null;
      return Number(Timestamp) === Math.floor(this.#now() / NS_IN_S) * NS_IN_S ? others : found;
    };
  }
}

const readIn = ({ begins, read }: Form, text: string): LogMessage | null => (begins.test(text) ? read(text) : null);

const readerOf =
  (texts: { read: Read }): Read =>
  (text) =>
    texts.read(text);

/** A reader that is made when it is called for the first time. */
function madeOnce(make: () => Read): Read {
  let made: Read | null = null;
  return (text) => (made ??= make())(text);
}
