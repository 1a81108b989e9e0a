import { parsePlace } from '../../api/time/goto.ts';
import { UsageError } from '../command.ts';
import type { ZoneOffset } from './clock.ts';

const NS_PER_MS = 1_000_000n;
/** A time that tells its own zone. */
const ZONED = /^\d{4}-\d\d-\d\d[t ]\d\d:\d\d\S* ?(?:z|[+-]\d\d:?\d\d)$/i;

/**
 * The nanoseconds of a time, in all forms that Go to in the window takes: clocks are of today, offsets count from now, spans such as `1h` back from it, and all are
 * of the zone in which times are shown.
 * @throws {UsageError}
 */
export function timeOf(option: string, text: string, zone: ZoneOffset, now = Date.now()): bigint {
  const shift = zone(now);
  const here = now + shift;
  const placeOf = (typed: string): ReturnType<typeof parsePlace> =>
    parsePlace(typed, { total: 1, span: null, here, now: here, zone: 'utc' });
  const found = placeOf(text);
  const past = found.kind === 'time' || !/^\d/.test(text) ? found : placeOf(`-${text}`);
  const place = past.kind === 'time' ? past : found;
  if (place.kind === 'time') {
    // The clock of the zone may have been put forward or back since then.
    const time = ZONED.test(text.trim()) ? place.time : place.time - zone(place.time - shift);
    return BigInt(Math.round(time)) * NS_PER_MS;
  }
  const why = place.kind === 'none' && place.problem !== '' ? place.problem : `“${text}” is no time`;
  throw new UsageError(`${option}: ${why}; it takes times such as 12:40, yesterday 9:00, monday, 11-22, 2026-11-22 12:40 or 1h (ago)`);
}

/** Options whose values may begin with a dash, and how these look. */
const DASHED: Readonly<Record<string, { readonly option: string; readonly value: RegExp }>> = {
  '--since': { option: '--since', value: /^-\s?\d/ },
  '--until': { option: '--until', value: /^-\s?\d/ },
  '--where': { option: '--where', value: /^-(?:[\w.@]+:|["'/(])/ },
  '-w': { option: '--where', value: /^-(?:[\w.@]+:|["'/(])/ },
};

/** Arguments of which values that begin with a dash, such as `-1h` and `-status:200`, are joined to their options. */
export function withDashesJoined(args: readonly string[]): string[] {
  const joined: string[] = [];
  let isOver = false;
  for (let at = 0; at < args.length; at++) {
    const [arg, next] = [args[at] as string, args[at + 1]];
    isOver ||= arg === '--';
    const dashed = !isOver && next !== undefined && Object.hasOwn(DASHED, arg) ? DASHED[arg] : undefined;
    const isValue = dashed?.value.test(next as string) === true;
    joined.push(isValue ? `${dashed.option}=${next as string}` : arg);
    if (isValue) at++;
  }
  return joined;
}
