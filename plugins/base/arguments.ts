/** Checks of the arguments that scripts give; scripts need not be typed. Errors name the function, the argument and what was given. */
import { excerpt } from './excerpt.ts';

const MAX_SHOWN = 40;

/** The error for an argument at fault; positions count from 1. */
export function badArgument(method: string, position: number, reason: string): RangeError {
  return new RangeError(`bad argument #${position} to '${method}' (${reason})`);
}

/** The error for an argument that is of another kind than expected. */
export function unexpected(method: string, position: number, expected: string, value: unknown): RangeError {
  return badArgument(method, position, `${expected} expected, not ${given(value)}`);
}

function given(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > MAX_SHOWN ? `${excerpt(value, MAX_SHOWN)}…` : value);
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : typeof value === 'function' ? 'a function' : String(value);
}

export function checkCount(method: string, count: number, least: number, most: number): void {
  if (count >= least && count <= most) return;
  throw new RangeError(`bad number of arguments to '${method}' (${least === most ? least : `${least} to ${most}`} expected, not ${count})`);
}

export function checkNumber(method: string, position: number, value: unknown): asserts value is number {
  if (typeof value !== 'number') throw unexpected(method, position, 'number', value);
}

export function checkString(method: string, position: number, value: unknown): asserts value is string {
  if (typeof value !== 'string') throw unexpected(method, position, 'string', value);
}

export function checkBoolean(method: string, position: number, value: unknown): asserts value is boolean {
  if (typeof value !== 'boolean') throw unexpected(method, position, 'boolean', value);
}

export function checkFunction(method: string, position: number, value: unknown): void {
  if (typeof value !== 'function') throw unexpected(method, position, 'function', value);
}

export function checkList(method: string, position: number, value: unknown): asserts value is readonly unknown[] {
  if (!Array.isArray(value)) throw unexpected(method, position, 'list', value);
}

/** A text, or null or nothing for none. */
export function checkOptionalString(method: string, position: number, value: unknown): void {
  if (value !== null && value !== undefined) checkString(method, position, value);
}

/** A point in time as a number of nanoseconds: a BigInt loses what a double does not hold. */
export function timeArgument(method: string, position: number, value: unknown): number {
  const ns = typeof value === 'bigint' ? Number(value) : value;
  if (typeof ns === 'number' && Number.isFinite(ns)) return ns;
  throw unexpected(method, position, 'time in nanoseconds', value);
}

/** A length of time as a number of nanoseconds. */
export function durationArgument(method: string, position: number, value: unknown): number {
  const ns = typeof value === 'bigint' ? Number(value) : value;
  if (typeof ns === 'number' && ns >= 0) return ns;
  throw unexpected(method, position, 'duration in nanoseconds', value);
}

/** The number without its fraction, when that is at least `minimum`. */
export function wholeNumber(method: string, position: number, value: unknown, minimum: number): number {
  const whole = typeof value === 'number' ? Math.trunc(value) : NaN;
  if (whole >= minimum && Number.isFinite(whole)) return whole;
  throw unexpected(method, position, `integer of at least ${minimum}`, value);
}
