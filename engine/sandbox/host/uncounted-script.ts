import type { ScriptShape } from '../contract/protocol.ts';
import { instrument, type InstrumentedScript } from './instrument.ts';

/**
 * A script that runs as it is, without a step counter. It is parsed only when the loop around a place is wanted.
 * @param own its variables are kept in checkpoints
 */
export function uncountedScript(text: string, { form, own: ending }: ScriptShape, own: boolean): InstrumentedScript {
  let parsed: InstrumentedScript | null = null;
  return {
    code: own ? text + ending : text,
    form,
    original: (line, column) => ({ line, column }),
    loopAround: (line, column) => (parsed ??= instrument(text, form)).loopAround(line, column),
  };
}
