import { define, toText } from './intrinsics.ts';

/** Of a reason that a script gives, this much is kept, … */
const MAX_REASON = 65536;
/** … and of a stack this much, which is more than it has without a script's help. */
const MAX_STACK = 8192;

export function cutReason(text: string): string {
  return text.length > MAX_REASON ? text.slice(0, MAX_REASON) : text;
}

const NativeError = Error;
const STACK_CALLS = 50;

/** The errors that say that output_limit was exceeded, with their texts. A script may catch them, and may make others of the same text. */
const outputLimitErrors = new WeakMap<object, string>();

export function outputLimitError(caller: string, limit: number): RangeError {
  const text = `${caller}: exceeded output_limit of ${limit}`;
  const error = new RangeError(text);
  outputLimitErrors.set(error, text);
  return error;
}

/** The text of an error that `outputLimitError` made; null for any other value that was thrown. */
export function outputLimitText(thrown: unknown): string | null {
  return typeof thrown === 'object' && thrown !== null ? (outputLimitErrors.get(thrown) ?? null) : null;
}

/** A value that a script threw: its text, its stack for finding the place, and whether it was made by `outputLimitError`. */
export type Thrown = [text: string, stack: string, overLimit: boolean];

/** Code of the script may run here; what it throws is ignored. */
export function describeThrown(thrown: unknown): Thrown {
  try {
    const text = toText(thrown);
    if (typeof thrown !== 'object' || thrown === null) return [cutReason(text), '', false];
    const { stack } = thrown as { stack?: unknown };
    return [cutReason(text), typeof stack === 'string' ? placesOf(stack, text) : '', outputLimitErrors.has(thrown)];
  } catch {
    return ['an error without a text', '', false];
  }
}

/** The stack of the script's calls. Code of the script cannot take part, for it may be at its end. */
export function stackNow(): string {
  try {
    define(NativeError, 'prepareStackTrace', { value: undefined, writable: true, configurable: true });
    define(NativeError, 'stackTraceLimit', { value: STACK_CALLS, writable: true, configurable: true });
    const { stack } = new NativeError();
    return typeof stack === 'string' ? stack.slice(0, MAX_STACK) : '';
  } catch {
    return '';
  }
}

/** The places behind the text that a stack begins with. */
export function placesOf(stack: string, text: string): string {
  const from = stack.startsWith(text) ? text.length : 0;
  return stack.slice(from, from + MAX_STACK);
}
