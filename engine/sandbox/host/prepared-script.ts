import type { InstrumentedText } from '../contract/protocol.ts';
import { instrument, type InstrumentedScript } from './instrument.ts';

/**
 * A script that was instrumented before.
 * @param text brings the original, which is parsed only when a place in it is wanted
 * @param own its variables are kept in checkpoints
 */
export function preparedScript({ code, form, own: ending }: InstrumentedText, text: () => string, own: boolean): InstrumentedScript {
  let parsed: InstrumentedScript | null = null;
  const places = (): InstrumentedScript => (parsed ??= instrument(text(), form, undefined, own));
  return {
    code: own ? code + ending : code,
    form,
    original: (line, column) => places().original(line, column),
    loopAround: (line, column) => places().loopAround(line, column),
  };
}
