import { UsageError } from '../command.ts';

const NS_PER_MS = 1_000_000n;
const MS_PER_SECOND = 1000;
/** Offsets of zones change at full quarters of an hour alone. */
const QUARTER_MS = 15 * 60_000;

/** Milliseconds that the clocks of a zone are before universal time, at some time. */
export type ZoneOffset = (ms: number) => number;

export const UNIVERSAL: ZoneOffset = () => 0;
export const LOCAL: ZoneOffset = (ms) => -new Date(ms).getTimezoneOffset() * 60_000;

/** The zone of a name such as Europe/Berlin. @throws {UsageError} */
export function zoneNamed(name: string): ZoneOffset {
  if (/^utc$/i.test(name)) return UNIVERSAL;
  if (/^local$/i.test(name)) return LOCAL;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' });
  } catch (error) {
    throw new UsageError(`--tz must be a time zone such as UTC or Europe/Berlin, not '${name}'`, { cause: error });
  }
  const known = new Map<number, number>();
  return (ms) => {
    const quarter = Math.floor(ms / QUARTER_MS);
    let offset = known.get(quarter);
    if (offset === undefined) known.set(quarter, (offset = writtenOffset(format, quarter * QUARTER_MS)));
    return offset;
  };
}

function writtenOffset(format: Intl.DateTimeFormat, ms: number): number {
  const text = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes, seconds] = /([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(text) ?? [];
  if (hours === undefined) return 0;
  return (sign === '-' ? -1 : 1) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds ?? 0)) * MS_PER_SECOND;
}

/** Writes times as `2026-11-20 14:31:02`, with milliseconds from the first one that has a fraction on. */
export class ClockWriter {
  readonly #offset: ZoneOffset;
  #hasFractions = false;
  #second = NaN;
  #written = '';

  constructor(offset: ZoneOffset) {
    this.#offset = offset;
  }

  /** Columns that a time takes. */
  get width(): number {
    return this.#hasFractions ? 23 : 19;
  }

  /** Looks at times that are about to be written. */
  expect(times: BigInt64Array): void {
    this.#hasFractions ||= times.some((time) => time % 1_000_000_000n !== 0n);
  }

  write(ns: bigint): string {
    const ms = Number(ns / NS_PER_MS) - (ns < 0n && ns % NS_PER_MS !== 0n ? 1 : 0);
    const second = Math.floor(ms / MS_PER_SECOND);
    if (second !== this.#second) {
      this.#second = second;
      const start = second * MS_PER_SECOND;
      this.#written = new Date(start + this.#offset(start)).toISOString().slice(0, -5).replace('T', ' ');
    }
    return this.#hasFractions ? `${this.#written}.${String(ms - second * MS_PER_SECOND).padStart(3, '0')}` : this.#written;
  }
}
