/** Zones behind times. */
import { offsetAt } from '../../base/dates.ts';
import { integerIn, isDigit, isLetter } from '../../base/scan.ts';
import { zoneHours } from '../../base/zone_names.ts';
import { digitsTo } from './date_parts.ts';

const [PLUS, DASH, COLON, OPEN, CLOSE, UPPER_Z, UNDERSCORE] = [43, 45, 58, 40, 41, 90, 95];

/** The position after the zone at `at`, perhaps behind a blank, or -1 when there is none. */
export function zoneEnd(text: string, at: number, end: number): number {
  const blank = text.charCodeAt(at) === 32;
  const from = blank ? at + 1 : at;
  const code = text.charCodeAt(from);
  if (code === PLUS || code === DASH) {
    const to = digitsTo(text, from + 1, end);
    const colon = to - from === 3 && text.charCodeAt(to) === COLON;
    const last = colon ? digitsTo(text, to + 1, end) : to;
    const whole = last - from === 5 || (colon && last - from === 6) || ((last - from === 3 || last - from === 4) && !blank);
    return whole && !isWordCode(text.charCodeAt(last)) && !Number.isNaN(zoneSeconds(text, from, last)) ? last : -1;
  }
  const opened = code === OPEN ? from + 1 : from;
  if (code !== OPEN && code === UPPER_Z && !isWordCode(text.charCodeAt(from + 1))) return from + 1;
  let to = opened;
  while (to < end && to < opened + 5 && isLetter(text.charCodeAt(to))) to++;
  if (to - opened < 3 || isWordCode(text.charCodeAt(to)) || zoneHours(text.slice(opened, to)) === undefined) return -1;
  return opened === from ? to : text.charCodeAt(to) === CLOSE ? to + 1 : -1;
}

/** Seconds of the zone in [at, to), which `zoneEnd` accepted; NaN for an offset that there is not. */
export function zoneSeconds(text: string, at: number, to: number): number {
  const from = text.charCodeAt(at) === 32 ? at + 1 : at;
  const code = text.charCodeAt(from);
  if (code === PLUS || code === DASH) {
    if (to - from === 3) return offsetAt(`${text.slice(from, to)}00`, 0, 0);
    // DB2 writes minutes.
    if (to - from === 4) return integerIn(text, from + 1, to) * (code === PLUS ? 60 : -60);
    return offsetAt(text, from, to - from === 6 ? 1 : 0);
  }
  if (code === UPPER_Z) return 0;
  return (zoneHours(code === OPEN ? text.slice(from + 1, to - 1) : text.slice(from, to)) ?? 0) * 3600;
}

function isWordCode(code: number): boolean {
  return isDigit(code) || isLetter(code) || code === UNDERSCORE;
}
