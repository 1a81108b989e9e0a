const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'],
];
const DAY_MS = 86_400_000;

const two = (value: number): string => String(value).padStart(2, '0');
const blank = (value: number): string => String(value).padStart(2, ' ');
const dayOfYear = (time: Date): number => Math.floor((time.getTime() - Date.UTC(time.getUTCFullYear(), 0, 1)) / DAY_MS);
const hour12 = (time: Date): number => time.getUTCHours() % 12 || 12;
/** The weekday with Monday as 1 and Sunday as 7. */
const isoDay = (time: Date): number => time.getUTCDay() || 7;

/** Year and number of the week of ISO 8601: the week of the year that its Thursday is in. */
function isoWeek(time: Date): { readonly year: number; readonly week: number } {
  const thursday = new Date(time.getTime() + (4 - isoDay(time)) * DAY_MS);
  return { year: thursday.getUTCFullYear(), week: Math.floor(dayOfYear(thursday) / 7) + 1 };
}

const SPECIFIERS: Readonly<Record<string, (time: Date) => string>> = {
  a: (time) => (DAYS[time.getUTCDay()] as string).slice(0, 3),
  A: (time) => DAYS[time.getUTCDay()] as string,
  b: (time) => (MONTHS[time.getUTCMonth()] as string).slice(0, 3),
  B: (time) => MONTHS[time.getUTCMonth()] as string,
  c: (time) => formatTime('%a %b %e %H:%M:%S %Y', time),
  C: (time) => two(Math.floor(time.getUTCFullYear() / 100)),
  d: (time) => two(time.getUTCDate()),
  D: (time) => formatTime('%m/%d/%y', time),
  e: (time) => blank(time.getUTCDate()),
  f: (time) => `${String(time.getUTCMilliseconds()).padStart(3, '0')}000`,
  F: (time) => formatTime('%Y-%m-%d', time),
  g: (time) => two(isoWeek(time).year % 100),
  G: (time) => String(isoWeek(time).year),
  h: (time) => formatTime('%b', time),
  H: (time) => two(time.getUTCHours()),
  I: (time) => two(hour12(time)),
  j: (time) => String(dayOfYear(time) + 1).padStart(3, '0'),
  k: (time) => blank(time.getUTCHours()),
  l: (time) => blank(hour12(time)),
  L: (time) => String(time.getUTCMilliseconds()).padStart(3, '0'),
  m: (time) => two(time.getUTCMonth() + 1),
  M: (time) => two(time.getUTCMinutes()),
  n: () => '\n',
  p: (time) => (time.getUTCHours() < 12 ? 'AM' : 'PM'),
  r: (time) => formatTime('%I:%M:%S %p', time),
  R: (time) => formatTime('%H:%M', time),
  s: (time) => String(Math.floor(time.getTime() / 1000)),
  S: (time) => two(time.getUTCSeconds()),
  t: () => '\t',
  T: (time) => formatTime('%H:%M:%S', time),
  u: (time) => String(isoDay(time)),
  U: (time) => two(Math.floor((dayOfYear(time) + 7 - time.getUTCDay()) / 7)),
  V: (time) => two(isoWeek(time).week),
  w: (time) => String(time.getUTCDay()),
  W: (time) => two(Math.floor((dayOfYear(time) + 7 - ((time.getUTCDay() + 6) % 7)) / 7)),
  x: (time) => formatTime('%m/%d/%y', time),
  X: (time) => formatTime('%H:%M:%S', time),
  y: (time) => two(time.getUTCFullYear() % 100),
  Y: (time) => String(time.getUTCFullYear()),
  z: () => '+0000',
  Z: () => 'UTC',
  '%': () => '%',
};

/** A time in UTC by a format of the C library's `strftime`, in the C locale. Text that is no specifier stays as it is. */
export function formatTime(format: string, time: Date): string {
  return format.replace(/%(.)/gs, (whole, name: string) => SPECIFIERS[name]?.(time) ?? whole);
}
