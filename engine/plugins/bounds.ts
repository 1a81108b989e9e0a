import type { ConfigValue } from '../sandbox/contract/types.ts';
import type { ParameterMeta } from './types.ts';

/** Type and bounds of a parameter. */
export type Bounds = Pick<ParameterMeta, 'type' | 'minimum' | 'maximum' | 'values' | 'format'>;

/** Tells whether a value is within the type and bounds of a parameter. */
export function fits(bounds: Bounds, value: ConfigValue): boolean {
  switch (bounds.type) {
    case 'bool':
      return typeof value === 'boolean';
    case 'string':
      return typeof value === 'string' && isText(bounds, value);
    case 'number':
      return typeof value === 'number' && isWithin(bounds, value);
    case 'int':
    case 'uint':
      return Number.isInteger(value) && isWithin(bounds, value as number);
  }
}

/** Describes the bounds as part of a sentence: `a whole number from 2 to 100`, `one of sum, min, max`. */
export function boundsText(bounds: Bounds): string {
  const { type, values, format } = bounds;
  if (values !== undefined) return `one of ${values.join(', ')}`;
  if (format === 'regexp') return 'a regular expression';
  const range = rangeText(bounds);
  return range === '' ? TYPES[type] : `${TYPES[type]} ${range}`;
}

const TYPES = { string: 'a text', bool: 'true or false', int: 'a whole number', uint: 'a whole number', number: 'a number' } as const;

/** Smallest value of a number; undefined when there is none. */
export const leastOf = ({ type, minimum }: Bounds): number | undefined => (type === 'uint' ? Math.max(0, minimum ?? 0) : minimum);

function rangeText(bounds: Bounds): string {
  const least = leastOf(bounds);
  const { maximum } = bounds;
  if (least === undefined) return maximum === undefined ? '' : `up to ${maximum}`;
  return maximum === undefined ? `from ${least} on` : `from ${least} to ${maximum}`;
}

function isWithin(bounds: Bounds, value: number): boolean {
  return value >= (leastOf(bounds) ?? -Infinity) && value <= (bounds.maximum ?? Infinity);
}

function isText({ values, format }: Bounds, value: string): boolean {
  return (values?.includes(value) ?? true) && (format !== 'regexp' || isRegExp(value));
}

function isRegExp(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}
