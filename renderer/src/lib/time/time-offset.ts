const UNITS: Readonly<Record<string, number>> = { d: 86_400, h: 3600, m: 60, min: 60, s: 1, ms: 0.001 };
const LONGEST = 315_576_000;
const PARTS = /^([+-]?)\s*((?:\d+(?:\.\d+)?\s*(?:d|h|min|ms|m|s)\s*)+)$/i;

/** Seconds that a text such as `2h`, `-1 h 30 min` or `90s` says; an empty one says 0. null: it says none, or more than ten years. */
export function readOffset(text: string): number | null {
  const trimmed = text.trim().replace('−', '-');
  if (trimmed === '' || trimmed === '0') return 0;
  const [, sign = '', parts = ''] = PARTS.exec(trimmed) ?? [];
  let seconds = 0;
  for (const [, count = '', unit = ''] of parts.matchAll(/(\d+(?:\.\d+)?)\s*(min|ms|d|h|m|s)/gi)) {
    seconds += Number(count) * (UNITS[unit.toLowerCase()] ?? NaN);
  }
  if (parts === '' || seconds > LONGEST) return null;
  return Math.round((sign === '-' ? -seconds : seconds) * 1000) / 1000;
}

/** The same in words: `+2 h`, `−1 h 30 min`; empty for 0. */
export function offsetText(seconds: number): string {
  let rest = Math.round(Math.abs(seconds) * 1000);
  const words = (
    [
      ['d', 86_400_000],
      ['h', 3_600_000],
      ['min', 60_000],
      ['s', 1000],
      ['ms', 1],
    ] as const
  ).flatMap(([unit, ms]) => {
    const count = Math.floor(rest / ms);
    rest -= count * ms;
    return count === 0 ? [] : [`${count} ${unit}`];
  });
  return words.length === 0 ? '' : `${seconds < 0 ? '−' : '+'}${words.join(' ')}`;
}
