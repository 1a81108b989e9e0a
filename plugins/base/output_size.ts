/** Outputs that keep to the output limit of a sandbox, which ends one whose output is larger. */
import { utf8Length } from './utf8.ts';

/** Bytes of an output: somewhat less than the usual output_limit. */
export const MAX_BYTES = 60_000;

/** The first texts, as many as fit into one output with a separator behind each. */
export function fittingOutput(texts: readonly string[]): readonly string[] {
  let bytes = 0;
  const end = texts.findIndex((text) => (bytes += outputBytes(text) + 1) > MAX_BYTES);
  return end < 0 ? texts : texts.slice(0, end);
}

/** The size of an output in bytes; of one that is too large already, the number of its characters. */
export function outputBytes(text: string): number {
  return text.length > MAX_BYTES || !/[\u0080-\uffff]/.test(text) ? text.length : utf8Length(text);
}

/** Injects a payload; when that is larger than the output limit, the shorter one that `shorten` makes for so many bytes. */
export function injectWithin(type: string, name: string, text: string, shorten: (bytes: number) => string): void {
  try {
    inject_payload(type, name, text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    inject_payload(type, name, shorten(MAX_BYTES));
  }
}
