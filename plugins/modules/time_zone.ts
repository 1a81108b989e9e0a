/** Time zones: converts between UTC and dates without a zone, as the clock of a zone shows them. */
import { stringConfig } from './config.ts';
import { checkNumber, checkString, unexpected } from '../base/arguments.ts';
import { exactTime, type Instant } from '../base/instant.ts';
import { shownOffset, zoneOffset, type ZoneOffset } from '../base/zone_offset.ts';

const SECOND = 1_000_000_000n;
/** Seconds from 1970, two days before the first and the last date that there is. */
const MAX_SECONDS = 8.64e12 - 2 * 86_400;

/**
 * The clock of a time zone. Because of daylight saving it shows some times twice a year, of which the first is meant, and others never, which are read as
 * an hour later.
 */
export class WallClock {
  readonly #offsetAt: ZoneOffset;
  readonly #shown: ZoneOffset;

  /** @param zone `UTC`, `Local`, an offset such as `+02:00`, or a name of the IANA database; raises an error for any other */
  constructor(zone: string) {
    checkString('WallClock', 1, zone);
    this.#offsetAt = zoneOffset(zone);
    this.#shown = shownOffset(this.#offsetAt);
  }

  /** Seconds that the clock is ahead of UTC when it shows the time that UTC shows at `seconds`. */
  ahead(seconds: number): number {
    checkNumber('ahead', 1, seconds);
    if (!isDate(seconds)) throw unexpected('ahead', 1, 'time in seconds', seconds);
    return this.#shown(seconds);
  }

  /** Nanoseconds since 1970 at which the clock shows the time that UTC shows at `ns`. */
  toUtc(ns: number): number;
  toUtc(ns: bigint): bigint;
  toUtc(ns: number | bigint): number | bigint {
    const ahead = this.ahead(secondsOf('toUtc', ns));
    return typeof ns === 'bigint' ? ns - BigInt(ahead) * SECOND : ns - ahead * 1e9;
  }

  /** Converts UTC to the time that the clock shows, in nanoseconds. */
  fromUtc(ns: number): number;
  fromUtc(ns: bigint): bigint;
  fromUtc(ns: number | bigint): number | bigint {
    const ahead = this.#offsetAt(secondsOf('fromUtc', ns));
    return typeof ns === 'bigint' ? ns + BigInt(ahead) * SECOND : ns + ahead * 1e9;
  }

  /** Nanoseconds since 1970 at which the clock shows this date, exactly. */
  timeOf({ seconds, nanos }: Instant): number | bigint {
    return exactTime(seconds - this.ahead(seconds), nanos);
  }
}

/** Whether dates reach so far. NaN is no date. */
function isDate(seconds: number): boolean {
  return Math.abs(seconds) <= MAX_SECONDS;
}

function secondsOf(method: string, ns: number | bigint): number {
  const seconds = typeof ns === 'number' || typeof ns === 'bigint' ? Math.floor(Number(ns) / 1e9) : NaN;
  if (isDate(seconds)) return seconds;
  throw unexpected(method, 1, 'time in nanoseconds', ns);
}

/** The clock of the parameter tz; UTC when it is not set. */
export function configuredClock(): WallClock {
  return new WallClock(stringConfig('tz', 'UTC'));
}
