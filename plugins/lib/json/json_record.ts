/** Lines of JSON objects in logs that have other lines as well. */
import { flatten, parseExactly } from '../../modules/json.ts';
import type { AnyRecord } from '../any_record.ts';
import { HOSTS, LOGGERS, MESSAGES, PROCESSES, SEVERITIES } from './json_members.ts';
import { RecordMessage } from '../record_message.ts';

/** The names that json_lines knows, and those of MongoDB, Serilog and others. */
const NAMES = {
  time: 'time, timestamp, @timestamp, ts, datetime, __REALTIME_TIMESTAMP, @t, t.$date, date, eventTime, asctime',
  severity: `${SEVERITIES}, s, @l, error_severity`,
  message: `${MESSAGES}, @m, @mt, text`,
  hostname: HOSTS,
  logger: `${LOGGERS}, c, name`,
  pid: PROCESSES,
};
const [OPEN, CLOSE] = ['{', '}'];

export class JsonRecord {
  readonly #message = new RecordMessage(NAMES, { marksUndated: true });

  /** Whether the record, behind the name of its container, is an object. It is the one that `inject` takes. */
  read(text: string, { container, words }: AnyRecord): boolean {
    if (text[words] !== OPEN || text.charAt(text.length - 1) !== CLOSE) return false;
    const object = parseExactly(text.slice(words));
    if (object === null) return false;
    this.#message.begin();
    if (!container.empty) this.#message.add('container', text.slice(container.from, container.to));
    try {
      flatten(object, (name, value, isJson) => this.#message.add(name, value, isJson ? 'json' : undefined));
    } catch {
      return false;
    }
    return true;
  }

  /** Injects what was read last; [start, end) of the text is the record. Returns the status of `process_message`. */
  inject(text: string, start: number, end: number): ProcessStatus {
    return this.#message.inject(text, start, end);
  }
}
