/** Headers that a pattern left in the words of a record. */
import { LogHeader } from './log_header.ts';
import { ProgramHeader } from './program_header.ts';
import type { Groups } from '../grok/named_groups.ts';
import type { Span } from '../syslog/syslog_line.ts';

/** The class at the end of a line, as Kafka has it: `(kafka.server.KafkaServer)`. */
const CLASS_AT_END = /\(([A-Za-z_$][\w$]*(?:\.[\w$]+)+)\)$/;
const LONGEST_CLASS = 128;

/** Completes the groups of a pattern that has found a time. */
export class HeaderGroups {
  readonly #header: LogHeader;
  readonly #program = new ProgramHeader();

  /** @param options smallLevels: a level in small letters needs no mark */
  constructor({ smallLevels }: { readonly smallLevels: boolean }) {
    this.#header = new LogHeader({ smallLevels });
  }

  /** The groups with level, logger, thread and process that stand at the beginning of the message, which is the rest then. */
  completed(groups: Groups): Groups {
    const { message: words = '', level, logger, thread, process, source } = groups;
    if (level !== undefined && logger !== undefined) return groups;
    const dotnet = level === undefined ? this.#ofProgram(words, groups) : null;
    if (dotnet !== null) return dotnet;
    const header = this.#header;
    const line = words.indexOf('\n');
    const end = line < 0 ? words.length : line;
    header.begin();
    if (level !== undefined) header.severity = KNOWN;
    const from = header.read(words, 0, end);
    if (header.severity < 0) header.readFurther(words, from, end);
    const cut = ({ from: start, to }: Span): string | undefined => (start === to ? undefined : words.slice(start, to));
    return {
      ...groups,
      level: level ?? (header.severity < 0 ? undefined : String(header.severity)),
      logger: logger ?? cut(header.component) ?? classAtEnd(words, end),
      thread: thread ?? cut(header.thread),
      source: source ?? cut(header.source),
      hostname: groups['hostname'] ?? cut(header.host),
      process: process ?? (header.pid < 0 ? undefined : String(header.pid)),
      message: words.slice(from),
    };
  }

  /** The groups of a record behind whose time .NET's console wrote its header; null: it did not. */
  #ofProgram(words: string, groups: Groups): Groups | null {
    const program = this.#program;
    const from = program.read(words, 0, 0);
    if (from < 0 || program.event < 0) return null;
    return {
      ...groups,
      level: String(program.severity),
      logger: words.slice(program.component.from, program.component.to),
      event_id: String(program.event),
      message: words.slice(words.charAt(from) === '\n' ? from + 1 : from),
    };
  }
}

/** A severity that is taken by now. */
const KNOWN = 0;

/** The class in parentheses at the end of the first line. */
export function classAtEnd(words: string, end: number): string | undefined {
  return words.charAt(end - 1) === ')' ? CLASS_AT_END.exec(words.slice(Math.max(0, end - LONGEST_CLASS), end))?.[1] : undefined;
}
