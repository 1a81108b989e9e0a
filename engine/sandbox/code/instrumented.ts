import { createRequire } from 'node:module';
import { fingerprint, keepOf, keepsPrepared, keptOf, preparedOf } from '../../base/product/prepared.ts';
import type * as Instrument from '../host/instrument.ts';
import { isTyped } from '../../base/text/strip-types.ts';
import type { InstrumentedText } from '../contract/protocol.ts';

const require = createRequire(import.meta.url);

/** Directories of what the instrumented text depends on. */
const SOURCES = ['../host/', '../../message/', '../../base/text/'].map((path) => new URL(path, import.meta.url));

let known: string | null = null;
const sources = (): string => (known ??= fingerprint(SOURCES));

/**
 * A bundled file with its step counter, which hosts would make anew for each sandbox; null when nothing is kept here, and of a file that does not parse,
 * of which the host says what is wrong.
 */
export function instrumentedText(text: string): InstrumentedText | null {
  if (!keepsPrepared()) return null;
  return JSON.parse(preparedOf('instrumented.json', text, sources(), () => JSON.stringify(make(text)))) as InstrumentedText | null;
}

/** The parser is loaded only when it is needed: mostly the text was made at an earlier start. */
function make(text: string): InstrumentedText | null {
  const { instrument } = require('../host/instrument.ts') as typeof Instrument;
  try {
    return instrument(text).text;
  } catch {
    return null;
  }
}

/** Most characters of a user's file that is kept. */
const MOST_KEPT = 1 << 20;

/** The name of what is kept of a user's file: one with types is another program than the same text without. */
const nameFor = (path: string): `${string}.${string}` => (isTyped(path) ? 'instrumented_typed.json' : 'instrumented_user.json');

/** A user's file with its step counter, as a host has made it at an earlier start; null: none has. */
export function keptInstrumented(path: string, text: string): InstrumentedText | null {
  const kept = keepsPrepared() ? keptOf(nameFor(path), text, sources()) : null;
  return kept === null ? null : (JSON.parse(kept) as InstrumentedText);
}

/** Keeps what a host, in which no script has run yet, has made of a user's file. */
export function keepInstrumented(path: string, text: string, { code, form, own }: InstrumentedText): void {
  if (text.length > MOST_KEPT || !keepsPrepared()) return;
  keepOf(nameFor(path), text, sources(), JSON.stringify({ code, form, own }));
}
