/** Units of numbers that can be converted: what they measure, and how many of its smallest unit one is. */
const UNITS: Readonly<Record<string, readonly [measure: 'time' | 'size', factor: number]>> = {
  ns: ['time', 1],
  us: ['time', 1e3],
  µs: ['time', 1e3],
  ms: ['time', 1e6],
  s: ['time', 1e9],
  min: ['time', 60e9],
  h: ['time', 3600e9],
  d: ['time', 86_400e9],
  B: ['size', 1],
  By: ['size', 1],
  kB: ['size', 1e3],
  KiB: ['size', 2 ** 10],
  MB: ['size', 1e6],
  MiB: ['size', 2 ** 20],
  GB: ['size', 1e9],
  GiB: ['size', 2 ** 30],
};

/** Representations that say how a value is written, or that it is a plain number. */
const NO_UNITS: ReadonlySet<string> = new Set([
  ...['', '1', 'count', 'ipv4', 'ipv6', 'hostname', 'unix', 'date-time', 'json', 'base64', 'file-extension'],
]);

/** Whether a representation is a unit, of which numbers of another one are not to be added up with. */
export const isUnit = (representation: string | null): representation is string => representation !== null && !NO_UNITS.has(representation);

/** The factor by which numbers of one unit become those of another; null: they measure different things, or it is not known what. */
export function conversion(from: string, to: string): { readonly times: number; readonly by: number } | null {
  const [one, other] = [UNITS[from], UNITS[to]];
  if (from === to) return { times: 1, by: 1 };
  if (!one || !other || one[0] !== other[0]) return null;
  return one[1] >= other[1] ? { times: one[1] / other[1], by: 1 } : { times: 1, by: other[1] / one[1] };
}
