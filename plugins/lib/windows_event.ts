/** Messages of Windows' events whose values stand under names, as in tables and lists. */
import { boolConfig, stringConfig } from '../modules/config.ts';
import type { LogField, LogMessage } from '../modules/table_writer.ts';
import type { EventColumn } from './windows_columns.ts';
import { isAuditFailure, windowsSeverity } from './header/windows_levels.ts';

/** Name of a type, which PowerShell writes in place of a list. */
const TYPE_NAME = /^System\.[\w.]+(?:`\d+)?\[/;
const FIELD_NAMES: Readonly<Partial<Record<EventColumn, string>>> = {
  source: 'Provider',
  id: 'EventID',
  task: 'Task',
  keywords: 'Keywords',
};
const FAILED = 4;
const MAX_PID = 2_147_483_647;

/** Collects the values of one event after the other, by the parameters type and payload_keep. */
export class WindowsEvent {
  readonly #type = stringConfig('type', null);
  readonly #keepPayload = boolConfig('payload_keep');
  readonly #timeOf: (text: string) => bigint | null;
  #message: LogMessage = {};
  #fields: LogField[] = [];
  #failed = false;

  /** @param timeOf reads a time; null: it is none */
  constructor(timeOf: (text: string) => bigint | null) {
    this.#timeOf = timeOf;
  }

  /** Forgets the last event. */
  begin(): void {
    this.#message = {};
    this.#fields = [];
    this.#failed = false;
  }

  /**
   * Takes a value. Empty ones and names of types are left out.
   * @param column its content; null when it is a field of the name
   */
  add(column: EventColumn | null, name: string, value: string): void {
    if (value === '' || TYPE_NAME.test(value)) return;
    this.#failed ||= column === 'keywords' && isFailedAudit(value);
    if (column === 'source') this.#message.Logger = value;
    if (column === null || !this.#setHeader(column, value)) this.#fields.push(fieldOf(column, name, value));
  }

  /** The message of the values that were added; `record` is what they were read from. */
  message(record: string): LogMessage {
    const message = this.#message;
    if (this.#failed) message.Severity = FAILED;
    if (this.#type !== null) message.Type = this.#type;
    if (this.#keepPayload) message.Payload = record;
    return { ...message, Fields: this.#fields };
  }

  /** Whether the value became a header. The word of a level counts before its number. */
  #setHeader(column: EventColumn, value: string): boolean {
    const message = this.#message;
    switch (column) {
      case 'time': {
        const ns = this.#timeOf(value);
        if (ns === null || message.Timestamp !== undefined) return false;
        message.Timestamp = ns;
        return true;
      }
      case 'level': {
        const severity = windowsSeverity(value);
        if (severity >= 0) message.Severity = severity;
        return severity >= 0 && !/^\d$/.test(value);
      }
      case 'message':
        if (this.#keepPayload) return false;
        message.Payload = value;
        return true;
      case 'computer':
        message.Hostname = value;
        return true;
      case 'process':
        if (!/^\d{1,10}$/.test(value) || Number(value) > MAX_PID) return false;
        message.Pid = Number(value);
        return true;
      default:
        return false;
    }
  }
}

function fieldOf(column: EventColumn | null, name: string, value: string): LogField {
  const own = (column === null ? undefined : FIELD_NAMES[column]) ?? name;
  return column === 'id' && /^\d{1,10}$/.test(value) ? { name: own, value: Number(value) } : { name: own, value };
}

/** Whether keywords are those of a failed audit: in words, or as a number, which Export-Csv writes with a sign. */
function isFailedAudit(keywords: string): boolean {
  if (/^-?\d{1,19}$/.test(keywords)) return isAuditFailure(BigInt.asUintN(64, BigInt(keywords)).toString(16));
  return windowsSeverity(keywords) === FAILED;
}
