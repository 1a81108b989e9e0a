/** Records of logs of which nothing is known. */
import { injectWritten } from '../base/inject.ts';
import { isDigit, isLetter } from '../base/scan.ts';
import { boolConfig, stringConfig } from '../modules/config.ts';
import { configuredClock } from '../modules/time_zone.ts';
import { LogHeader } from './log_header.ts';
import { LogTime, type DateOrder } from './log_time.ts';
import { Span } from './syslog_line.ts';
import { TimeFinder } from './time_finder.ts';

const COLUMNS: readonly WriterColumn[] = [
  { name: 'context', kind: 'slice' },
  { name: 'container', kind: 'slice' },
  { name: 'thread', kind: 'slice' },
  { name: 'source', kind: 'slice' },
  { name: 'undated', kind: 'bool' },
];
const [CONTEXT, CONTAINER, THREAD, SOURCE, UNDATED] = [0, 1, 2, 3, 4];
/** The prefix of `docker compose logs`: a name, padded with blanks, and a bar. */
const OF_CONTAINER = /^([A-Za-z][\w.-]*) +\| ?/;
const LONGEST_NAME = 64;
const PARENTHESIS = 41;
/** The class at the end of a line, as Kafka has it: `(kafka.server.KafkaServer)`. */
const CLASS_AT_END = /\(([A-Za-z_$][\w$]*(?:\.[\w$]+)+)\)$/;
/** What may stand right around a time. */
const OPENING = new Set([...' \t[(<{"\'='].map((character) => character.charCodeAt(0)));
const CLOSING = new Set([...'])>}"\''].map((character) => character.charCodeAt(0)));

/** Reads one record at a time: its first line has a time and a header, all others belong to its words. */
export class AnyRecord {
  readonly container = new Span();
  /** The position behind the container's name. */
  words = 0;
  readonly #time = new LogTime(() => read_message('Timestamp') ?? 0, configuredClock(), stringConfig('date_order') as DateOrder);
  readonly #finder = new TimeFinder(this.#time);
  readonly #header = new LogHeader();
  readonly #context = new Span();
  readonly #type = stringConfig('type', null);
  readonly #keepRecord = boolConfig('payload_keep');
  readonly #writer = message_writer(COLUMNS);

  /** Takes the prefix off. `container` and `words` are of this record then. */
  begin(record: string): void {
    this.container.set(0, 0);
    this.words = 0;
    const bar = record.indexOf('|');
    if (bar < 0 || bar > LONGEST_NAME || !isLetter(record.charCodeAt(0))) return;
    const found = OF_CONTAINER.exec(record);
    if (found === null) return;
    this.container.set(0, (found[1] as string).length);
    this.words = found[0].length;
  }

  /**
   * Injects the message of the record that began last. Returns the status of `process_message`.
   * @param offset of the record in the payload's text; -1: it stands there in another form
   */
  inject(record: string, offset: number, written: string): ProcessStatus {
    const line = record.indexOf('\n', this.words);
    const end = line < 0 ? record.length : line;
    const dated = this.#finder.find(record, this.words, end);
    const words = this.#readHeader(record, dated, end);
    this.#write(record, offset, { dated, words });
    if (this.#keepRecord) this.#writer.payload(written);
    return injectWritten(this.#writer);
  }

  /** Reads what stands around the time. Returns the position of the words. */
  #readHeader(record: string, dated: boolean, end: number): number {
    const header = this.#header;
    header.begin();
    this.#context.set(0, 0);
    if (dated) this.#readBefore(record, this.#finder.from);
    let from = dated ? this.#finder.to : this.words;
    while (dated && from < end && CLOSING.has(record.charCodeAt(from))) from++;
    let words = header.read(record, from, end);
    if (header.severity < 0) words = header.readFurther(record, words, end);
    if (header.component.empty && record.charCodeAt(end - 1) === PARENTHESIS) this.#readClass(record, words, end);
    return words;
  }

  /** Reads what stands in front of the time. */
  #readBefore(record: string, time: number): void {
    let to = time;
    while (to > this.words && OPENING.has(record.charCodeAt(to - 1))) to--;
    if (to === this.words) return;
    const from = this.#header.read(record, this.words, to);
    for (let at = from; at < to; at++) {
      const code = record.charCodeAt(at);
      if (isLetter(code) || isDigit(code)) return this.#context.set(from, to);
    }
  }

  #readClass(record: string, words: number, end: number): void {
    const name = CLASS_AT_END.exec(record.slice(Math.max(words, end - LONGEST_NAME * 2), end))?.[1];
    if (name !== undefined) this.#header.component.set(end - 1 - name.length, end - 1);
  }

  #write(record: string, offset: number, { dated, words }: { dated: boolean; words: number }): void {
    const writer = this.#writer;
    const { severity, pid, component, thread, source } = this.#header;
    if (this.#type !== null) writer.type(this.#type);
    if (dated) writer.timestamp(this.#time.ns);
    if (severity >= 0) writer.severity(severity);
    if (pid >= 0) writer.pid(pid);
    const name = component.empty ? this.container : component;
    if (!name.empty) writer.logger(record.slice(name.from, name.to));
    this.#writeSpan(CONTEXT, this.#context, record, offset);
    this.#writeSpan(CONTAINER, this.container, record, offset);
    this.#writeSpan(THREAD, thread, record, offset);
    this.#writeSpan(SOURCE, source, record, offset);
    if (!dated) writer.bool(UNDATED, true);
    if (offset < 0) writer.payload(record.slice(words));
    else writer.payloadSlice(offset + words, offset + record.length);
  }

  #writeSpan(column: number, { from, to }: Span, record: string, offset: number): void {
    if (from === to) return;
    if (offset < 0) this.#writer.text(column, record.slice(from, to));
    else this.#writer.slice(column, offset + from, offset + to);
  }
}
