/**
 * Records whose fields have names: which of them become headers of the message. The parameters time_field, severity_field, message_field,
 * hostname_field, logger_field and pid_field name them, with commas between several; the first one that a record has counts.
 */
import { AnyDate, epochTime } from '../../modules/any_date.ts';
import { stringConfig } from '../../modules/config.ts';
import { nanoseconds } from '../../base/instant.ts';
import { OPENTELEMETRY, PINO, PYTHON, SeverityScale } from './severity.ts';
import { FormatDate } from '../../base/strftime.ts';
import { configuredClock } from '../../modules/time_zone.ts';

const HEADERS = ['time', 'severity', 'message', 'hostname', 'logger', 'pid'] as const;
export type Header = (typeof HEADERS)[number];

/** The names for each header that are looked for when its parameter is not set and has no declared default. */
export type HeaderDefaults = Readonly<Partial<Record<Header, string>>>;

/** Header that a field of this name fills, and its rank among the names for it: 0 is best. */
export interface HeaderPlace {
  readonly header: Header;
  readonly rank: number;
}

const MAX_PID = 2_147_483_647;
/** Scales of the numbers that only one library has under such a name. */
const SCALES: ReadonlyMap<string, SeverityScale> = new Map([
  ['levelno', new SeverityScale(PYTHON)],
  ...['severityNumber', 'severity_number', 'SeverityNumber'].map((name): [string, SeverityScale] => [
    name,
    new SeverityScale(OPENTELEMETRY),
  ]),
]);

export class HeaderNames {
  /** Whether the parameter time_field is set: then a time that cannot be read makes the record fail. */
  readonly strictTime: boolean;
  readonly #places = new Map<string, HeaderPlace>();
  readonly #format: FormatDate | null;
  readonly #date: AnyDate;
  readonly #scale: SeverityScale;
  readonly #clock = configuredClock();

  /**
   * Reads the parameters, also time_format, severity_scale and tz. Raises an error for a format or a scale that is none.
   * @param isConfigured false: the names are those that are given, and forms are the usual ones
   */
  constructor(undeclared: HeaderDefaults, isConfigured = true) {
    const configured = <T extends string | null>(name: string, fallback: T): string | T =>
      isConfigured ? stringConfig(name, fallback) : fallback;
    this.strictTime = configured('time_field', null) !== null;
    for (const header of HEADERS) {
      for (const [rank, name] of configured(`${header}_field`, undeclared[header] ?? '')
        .split(',')
        .entries()) {
        // A name that is the time is no level.
        if (name.trim() !== '' && !this.#places.has(name.trim())) this.#places.set(name.trim(), { header, rank });
      }
    }
    const format = configured('time_format', null);
    this.#format = format === null || format === '' ? null : new FormatDate(format);
    this.#date = new AnyDate(() => read_message('Timestamp') ?? 0, this.#clock);
    this.#scale = new SeverityScale(configured('severity_scale', PINO));
  }

  placeOf(name: string): HeaderPlace | undefined {
    return this.#places.get(name);
  }

  /** Nanoseconds since 1970, or null when the value is no time. */
  time(value: Scalar | bigint): bigint | null {
    if (typeof value === 'boolean') return null;
    if (this.#format !== null) return this.#formatted(this.#format, String(value));
    return typeof value === 'string' ? this.#date.parse(value) : epochTime(value);
  }

  #formatted(format: FormatDate, text: string): bigint | null {
    if (format.read(text, 0, text.length) !== text.length) return null;
    return BigInt(format.zoned ? nanoseconds(format) : this.#clock.timeOf(format));
  }

  /** 0 to 7, or -1 when the value of the field of a name is no severity. */
  severity(value: Scalar | bigint, name: string): number {
    return typeof value === 'bigint' ? -1 : (SCALES.get(name) ?? this.#scale).severityOf(value);
  }

  /** A process number, or -1. */
  pid(value: Scalar | bigint): number {
    const pid = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
    return typeof pid === 'number' && Number.isInteger(pid) && pid >= 0 && pid <= MAX_PID ? pid : -1;
  }
}
