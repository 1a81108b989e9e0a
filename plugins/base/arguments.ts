/** Checks of the arguments that scripts give; scripts need not be typed. */

/** The error for an argument at fault; positions count from 1. */
export function badArgument(method: string, position: number, reason: string): RangeError {
  return new RangeError(`bad argument #${position} to '${method}' (${reason})`);
}

export function checkCount(method: string, count: number, least: number, most: number): void {
  if (count >= least && count <= most) return;
  throw new RangeError(`bad number of arguments to '${method}' (${least === most ? least : `${least} to ${most}`} expected, not ${count})`);
}

export function checkNumber(method: string, position: number, value: unknown): void {
  if (typeof value !== 'number') throw badArgument(method, position, 'number expected');
}

export function checkString(method: string, position: number, value: unknown): void {
  if (typeof value !== 'string') throw badArgument(method, position, 'string expected');
}

export function checkBoolean(method: string, position: number, value: unknown): void {
  if (typeof value !== 'boolean') throw badArgument(method, position, 'boolean expected');
}

/** The number without its fraction, when that is at least `minimum`. */
export function wholeNumber(method: string, position: number, value: number, minimum: number): number {
  const whole = Math.trunc(value);
  if (typeof value === 'number' && whole >= minimum && Number.isFinite(whole)) return whole;
  throw badArgument(method, position, `integer of at least ${minimum} expected`);
}
