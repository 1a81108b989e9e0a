/**
 * Lines of syslog as daemons write most of them, read from the bytes of their text: priority or none, date, host, program with or without its number, message.
 * `SyslogLine.parse` reads these lines in the same way, and all others.
 */
import { isDigit } from '../../base/scan.ts';
import type { SyslogDate } from './syslog_date.ts';
import type { SyslogLine } from './syslog_line.ts';

const [BLANK, DASH, ZERO, ONE, TWO, COLON, LESS, GREATER, OPEN, CLOSE, UPPER_M] = [32, 45, 48, 49, 50, 58, 60, 62, 91, 93, 77];
const [FIRST_CAPITAL, LAST_CAPITAL, FIRST_SMALL, LAST_SMALL] = [65, 90, 97, 122];
const [LOWER_A, LOWER_G, LOWER_L, LOWER_N, LOWER_P] = [97, 103, 108, 110, 112];
const HIGHEST_PRIORITY = 191;
/** Digits of a number of a process that is certainly small enough. */
const MOST_DIGITS = 9;

/** Takes the line [at, end) apart, as far as it is a usual one. @returns whether it is */
export function readUsualLine(line: SyslogLine, date: SyslogDate, span: PayloadSpan, units: Uint8Array, at: number, end: number): boolean {
  let priority = -1;
  let from = at;
  if (units[at] === LESS) {
    let number = 0;
    let to = at + 1;
    for (; to < end && to < at + 4 && isDigit(units[to] as number); to++) number = number * 10 + (units[to] as number) - ZERO;
    if (to === at + 1 || to >= end || units[to] !== GREATER || number > HIGHEST_PRIORITY) return false;
    priority = number;
    from = to + 1;
  }
  // A digit may be a count of octets or a version: with the dash of a date behind four of them it is neither.
  if (!isCapital(units[from] as number) && units[from + 4] !== DASH) return false;
  const usual = date.readUsual(units, from, end);
  const host = (usual < 0 ? date.read(span.text, from, end, priority >= 0) : usual) + 1;
  if (host <= 0 || host >= end || units[host - 1] !== BLANK) return false;
  const first = units[host] as number;
  // `Message forwarded from`, `last message repeated` and `---` stand in the place of a host.
  if (first === UPPER_M || first === DASH || (first === LOWER_L && units[host + 1] === LOWER_A)) return false;
  const program = wordEnd(units, host, end) + 1;
  if (program === host + 1 || program >= end || units[program - 1] !== BLANK) return false;
  const programEnd = wordEnd(units, program, end);
  if (programEnd === program || programEnd >= end) return false;
  let to = programEnd;
  let pid = -1;
  if (units[to] === OPEN) {
    const digits = ++to;
    pid = 0;
    for (; to < end && isDigit(units[to] as number); to++) pid = pid * 10 + (units[to] as number) - ZERO;
    if (to === digits || to - digits > MOST_DIGITS || units[to] !== CLOSE) return false;
    to++;
  }
  if (to + 1 >= end || units[to] !== COLON || units[to + 1] !== BLANK) return false;

  line.clear();
  line.priority = priority;
  line.structured = false;
  line.ns = date.ns;
  line.pid = pid;
  line.host.set(host, program - 1);
  line.program.set(program, programEnd);
  line.message.set(to + 2, end);
  return true;
}

/** The position of the first `:`, `[` or white space from `at` on. */
function wordEnd(units: Uint8Array, at: number, end: number): number {
  while (at < end) {
    const code = units[at] as number;
    if (code <= OPEN && (code === OPEN || code === COLON || code === BLANK || (code >= 9 && code <= 13))) return at;
    at++;
  }
  return end;
}

const isCapital = (code: number): boolean => code >= FIRST_CAPITAL && code <= LAST_CAPITAL;
const isSmall = (code: number): boolean => code >= FIRST_SMALL && code <= LAST_SMALL;

/**
 * Whether the text [from, to) is certainly no record of its own: it begins with a capital and small letters, with small ones and a blank, or with a number or an
 * id that is no date, and has no bracket around one.
 */
export function areWords(units: Uint8Array, from: number, to: number): boolean {
  if (to - from < 4) return false;
  const first = units[from] as number;
  const second = units[from + 1] as number;
  if (isDigit(first)) return !mayBeDate(units, from, to) && !hasBracket(units, from, to);
  if (!isSmall(second)) return false;
  if (isCapital(first)) return isSmall(units[from + 2] as number) && isSmall(units[from + 3] as number);
  if (!isSmall(first)) return false;
  // `npm`, `pnpm`, `gyp` and `node-pre-gyp` begin records.
  let at = from + 2;
  while (at < to && isSmall(units[at] as number)) at++;
  return units[at] === BLANK && at < to && first !== LOWER_N && first !== LOWER_P && first !== LOWER_G;
}

/** Whether a date may begin with the digits at `from`: few with a separator behind them, or many. */
function mayBeDate(units: Uint8Array, from: number, to: number): boolean {
  let at = from;
  while (at < to && isDigit(units[at] as number)) at++;
  const digits = at - from;
  const next = at < to ? (units[at] as number) : BLANK;
  if (digits > 8 || next === COLON) return true;
  if (digits === 8) return units[from] === ONE || units[from] === TWO;
  return !isCapital(next) && !isSmall(next) && (digits < 3 || next !== BLANK);
}

function hasBracket(units: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (units[at] === OPEN) return true;
  return false;
}
