import { trunc } from './intrinsics.ts';

/** The text of a value for an error message, without running code of the script. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return typeof value;
}

/** An index argument: a number of at least 0, cut to a whole one; null and undefined are 0. */
export function indexArgument(caller: string, value: unknown, position: number): number {
  if (value === undefined || value === null) return 0;
  const index = typeof value === 'number' ? trunc(value) : NaN;
  if (!(index >= 0)) throw new RangeError(`${caller}: argument ${position} must be a number of at least 0`);
  return index;
}

/** The name in `Fields[name]`; null when it is not of this form. Names may be empty and may hold brackets. */
export function fieldName(variable: string): string | null {
  return variable.startsWith('Fields[') && variable.endsWith(']') ? variable.slice(7, variable.length - 1) : null;
}
