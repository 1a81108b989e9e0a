/** A parsed line. Each kind is accumulated differently. */
export interface Stat {
  readonly bucket: string;
  readonly kind: 'counter' | 'gauge' | 'timer';
  /** The value as it was written; see `numberOf`. */
  readonly value: string;
  /** The part of all events that was sent; 1 without a rate. */
  readonly rate: number;
}

const KINDS: Readonly<Record<string, Stat['kind']>> = { c: 'counter', g: 'gauge', ms: 'timer', h: 'counter', m: 'counter' };
/** Kinds that may have more behind them; the longest come first. */
const OPEN_KINDS = ['ms', 'c', 'g'] as const;
const RATE = '|@';
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * Reads a line `bucket:value|kind` or `bucket:value|kind|@rate`, without blanks around it. Text behind the kind that is no rate is not
 * looked at, and neither is the value. Returns null for a line of another form.
 */
export function parseStat(line: string): Stat | null {
  const colon = line.indexOf(':');
  if (colon < 0 || line.length - colon < 3) return null;
  const pipe = line.indexOf('|', colon + 1);
  if (pipe < 0 || pipe + 1 >= line.length) return null;
  const stat = { bucket: line.slice(0, colon), value: line.slice(colon + 1, pipe) };
  const modifier = line.slice(pipe + 1);
  const alone = Object.hasOwn(KINDS, modifier) ? KINDS[modifier] : undefined;
  if (alone !== undefined) return { ...stat, kind: alone, rate: 1 };
  const open = OPEN_KINDS.find((name) => modifier.startsWith(name));
  if (open === undefined) return null;
  const rate = rateOf(modifier.slice(open.length));
  return rate === null ? null : { ...stat, kind: KINDS[open] as Stat['kind'], rate };
}

/** The stats of a datagram, and the number of its lines that are none. Lines end with a newline; blanks around them do not count. */
export function parseStats(text: string): { readonly stats: readonly Stat[]; readonly bad: readonly string[] } {
  const stats: Stat[] = [];
  const bad: string[] = [];
  for (const piece of text.split('\n')) {
    const line = trimBlanks(piece);
    if (line === '') continue;
    const stat = parseStat(line);
    if (stat === null) bad.push(line);
    else stats.push(stat);
  }
  return { stats, bad };
}

/** The number that a text is in decimal notation; 0 when it is none, as that is the fault of the sender. */
export function numberOf(text: string): number {
  return decimal(text) ?? 0;
}

/** 1 where there is no rate; null where it is no number that can be divided by. */
function rateOf(rest: string): number | null {
  if (!rest.startsWith(RATE) || rest.length === RATE.length) return 1;
  const rate = decimal(rest.slice(RATE.length));
  return rate === null || Math.fround(rate) === 0 ? null : rate;
}

function decimal(text: string): number | null {
  const value = DECIMAL.test(text) ? Number(text) : Infinity;
  return Number.isFinite(value) ? value : null;
}

function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

const isBlank = (code: number): boolean => code === 32 || code === 9;
