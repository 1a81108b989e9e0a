import { createRequire } from 'node:module';
import { fingerprint, keepsPrepared, preparedOf } from '../../base/product/prepared.ts';
import type * as Instrument from '../host/instrument.ts';
import type { InstrumentedText } from '../contract/protocol.ts';

const require = createRequire(import.meta.url);

/** Directories of what the instrumented text depends on. */
const SOURCES = ['../host/', '../../message/'].map((path) => new URL(path, import.meta.url));

let sources: string | null = null;

/**
 * A bundled file with its step counter, which hosts would make anew for each sandbox; null when nothing is kept here, and of a file that does not parse,
 * of which the host says what is wrong.
 */
export function instrumentedText(text: string): InstrumentedText | null {
  if (!keepsPrepared()) return null;
  sources ??= fingerprint(SOURCES);
  return JSON.parse(preparedOf('instrumented.json', text, sources, () => JSON.stringify(make(text)))) as InstrumentedText | null;
}

/** The parser is loaded only when it is needed: mostly the text was made at an earlier start. */
function make(text: string): InstrumentedText | null {
  const { instrument, shapeOf } = require('../host/instrument.ts') as typeof Instrument;
  try {
    const { code, form } = instrument(text);
    return { code, ...shapeOf(text, form) };
  } catch {
    return null;
  }
}
