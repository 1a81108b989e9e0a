/** Texts that are objects of JSON: events whose members are known, and those of logging libraries. */
import { isDateText } from '../time/date_text.ts';
import { parseExactly, type ExactObject } from '../../modules/json.ts';
import type { LogMessage } from '../../modules/table_writer.ts';
import { auditForm } from '../json/audit_event.ts';
import { CLOUDTRAIL } from '../json/cloudtrail_event.ts';
import { JsonEvents } from '../json/json_events.ts';
import { addMembers, knownHeaders } from '../json/json_fields.ts';
import { HOSTS, LOGGERS, MESSAGES, PROCESSES, SEVERITIES, TIMES } from '../json/json_members.ts';
import { suricataForm } from '../json/suricata_event.ts';
import type { HeaderDefaults } from '../header/record_headers.ts';
import { RecordMessage } from '../record_message.ts';

/** A JSON object, perhaps behind the mark of Common Event Expression. */
const OBJECT = /^(?:@cee: ?)?\s*(?=\{)/;
const AUDIT = 'audit.k8s.io/v1';
/** Names of members, as json_lines has them. */
const NAMES: HeaderDefaults = {
  time: TIMES,
  severity: SEVERITIES,
  message: MESSAGES,
  hostname: HOSTS,
  logger: LOGGERS,
  pid: PROCESSES,
};

/** Objects whose members have names of their own. */
interface Dialect {
  readonly isIn: (object: ExactObject) => boolean;
  readonly names: HeaderDefaults;
}

const isText = (object: ExactObject, ...names: readonly string[]): boolean => names.every((name) => typeof object[name] === 'string');

const DIALECTS: readonly Dialect[] = [
  {
    // MongoDB.
    isIn: (object) => typeof object['t'] === 'object' && isText(object, 's', 'c', 'ctx', 'msg'),
    names: { ...NAMES, time: 't.$date', severity: 's', logger: 'c' },
  },
  {
    // Serilog's compact form.
    isIn: (object) => isText(object, '@t') && (object['@mt'] ?? object['@m']) !== undefined,
    names: { ...NAMES, time: '@t', severity: '@l', message: '@m, @mt' },
  },
  {
    // PostgreSQL's jsonlog.
    isIn: (object) => isText(object, 'timestamp', 'error_severity'),
    names: { ...NAMES, severity: 'error_severity' },
  },
  {
    // Falco.
    isIn: (object) => isText(object, 'output', 'priority', 'rule'),
    names: { ...NAMES, severity: 'priority', message: 'output' },
  },
  {
    // Rust's tracing.
    isIn: (object) => isText(object, 'timestamp', 'level', 'target'),
    names: { ...NAMES, logger: 'target' },
  },
  {
    // The journal of systemd.
    isIn: (object) => isText(object, '__REALTIME_TIMESTAMP'),
    names: { ...NAMES, logger: 'SYSLOG_IDENTIFIER, _COMM' },
  },
];
const KNOWN_TIMES = TIMES.split(', ');
/** Names of times, beyond which objects have the usual ones. */
const MOST_NAMES = 16;

/** Reads objects of JSON. To be made at load. */
export class JsonTexts {
  readonly #usual = new RecordMessage(NAMES, { isConfigured: false });
  readonly #dialects = new Map<Dialect, RecordMessage>();
  readonly #audit: JsonEvents;
  readonly #refined: (event: ExactObject) => ExactObject;
  readonly #cloudtrail = new JsonEvents(CLOUDTRAIL, false);
  readonly #suricata = new JsonEvents(suricataForm(false), false);
  /** Messages by the name of their time, where that is an unusual one. */
  readonly #byTime = new Map<string, RecordMessage>();

  /** @param now nanoseconds since 1970 at which a text was written, for dates without a year */
  constructor(now: () => number) {
    const audit = auditForm(now);
    this.#audit = new JsonEvents(audit, false);
    this.#refined = audit.refined;
  }

  /** The message of an object; null: the text is none. */
  read(text: string): LogMessage | null {
    const mark = OBJECT.exec(text)?.[0];
    if (mark === undefined) return null;
    const line = mark === '' ? text : text.slice(mark.length);
    const object = parseExactly(line);
    return object === null ? null : (this.#event(object) ?? this.#message(object, line));
  }

  #event(object: ExactObject): LogMessage | null {
    const { apiVersion } = object;
    if (typeof apiVersion === 'string' && apiVersion.startsWith(AUDIT) && isText(object, 'stage'))
      return this.#audit.build(this.#refined(object));
    if (isText(object, 'eventVersion', 'eventTime', 'eventSource', 'eventName')) return this.#cloudtrail.build(object);
    return isText(object, 'event_type', 'timestamp') && object['flow_id'] !== undefined ? this.#suricata.build(object) : null;
  }

  #message(object: ExactObject, line: string): LogMessage | null {
    const dialect = DIALECTS.find(({ isIn }) => isIn(object));
    const message = dialect === undefined ? this.#withTime(object) : this.#inDialect(dialect);
    message.begin();
    return addMembers(message, object, line) ? message.build(knownHeaders(object)) : null;
  }

  #inDialect(dialect: Dialect): RecordMessage {
    const message = this.#dialects.get(dialect) ?? new RecordMessage(dialect.names, { isConfigured: false });
    this.#dialects.set(dialect, message);
    return message;
  }

  /** The message of an object without a member that is known to be a time: the first date in it is. */
  #withTime(object: ExactObject): RecordMessage {
    if (KNOWN_TIMES.some((name) => object[name] !== undefined)) return this.#usual;
    for (const name of Object.keys(object)) {
      const value = object[name];
      if (typeof value === 'string' && isDateText(value)) return this.#timed(name);
    }
    return this.#usual;
  }

  #timed(time: string): RecordMessage {
    const known = this.#byTime.get(time);
    if (known !== undefined) return known;
    if (this.#byTime.size >= MOST_NAMES) return this.#usual;
    const message = new RecordMessage({ ...NAMES, time }, { isConfigured: false });
    this.#byTime.set(time, message);
    return message;
  }
}
