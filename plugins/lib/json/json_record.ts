/** Lines of JSON objects in logs that have other lines as well. */
import { flatten, parseExactly } from '../../modules/json.ts';
import type { AnyRecord } from '../any_record.ts';
import { withInnerTime, CUT_LENGTH, cutError, cutObject } from './cut_object.ts';
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
    if (text[words] !== OPEN) return false;
    const isCut = text.charAt(text.length - 1) !== CLOSE;
    if (isCut && text.length < CUT_LENGTH) return false;
    const whole = isCut ? cutObject(text.slice(words)) : text.slice(words);
    const read = whole === null ? null : parseExactly(whole);
    if (read === null) return false;
    const object = isCut ? withInnerTime(read, text.slice(words), (name) => this.#message.isTime(name)) : read;
    this.#message.begin();
    if (isCut) this.#message.add('decode_error', cutError(text));
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
