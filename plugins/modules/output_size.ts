import { utf8Length } from './utf8.ts';

/** Bytes that one output may have: somewhat less than the usual output_limit. */
const MAX_BYTES = 60_000;

/** The first texts, as many as fit into one output with a separator behind each. */
export function fittingOutput(texts: readonly string[]): readonly string[] {
  let bytes = 0;
  const end = texts.findIndex((text) => (bytes += utf8Length(text) + 1) > MAX_BYTES);
  return end < 0 ? texts : texts.slice(0, end);
}
