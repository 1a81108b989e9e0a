import type { End, ScriptPlace } from '../../api/ends.ts';
import type { Outcome } from '../prelude/index.ts';
import { cutReason, placesOf } from '../prelude/errors.ts';
import type { EndInside } from '../prelude/state/state.ts';
import type { CreateHead } from '../contract/protocol.ts';
import { withKinds } from '../contract/interface-kinds.ts';
import type { SandboxKind, SandboxLimits } from '../contract/types.ts';
import { LoadError } from './loader.ts';

/**
 * V8's words when an isolate has no more room for bytes. It refuses them with an error where other objects end the isolate, and says it in no other way.
 * A script that throws an error of these words names a wrong end of its own.
 */
const NO_BUFFER = 'RangeError: Array buffer allocation failed';
/** The words of isolated-vm for a call that it has stopped. A script can throw them too, but not as late. */
const TIMED_OUT = 'Script execution timed out.';

/** Whether an error can be that of a call that was stopped for its time. */
export const isTimeout = (error: unknown): boolean => error instanceof Error && error.message === TIMED_OUT;

/** Place of code that runs while a script loads. */
export const TOP_LEVEL = 'at the top level';

/** Finds places of a script in the stacks of its errors. */
export interface Places {
  placeOf(stack: string): ScriptPlace | null;
  loopOf(stack: string): { readonly place: ScriptPlace; readonly loop: number | null } | null;
}

/** Finds out why a sandbox ends, and says it. */
export class EndReasons {
  readonly #kind: SandboxKind;
  readonly #limits: SandboxLimits;
  readonly #places: Places;

  constructor({ kind, limits }: Pick<CreateHead, 'kind' | 'limits'>, places: Places) {
    this.#kind = kind;
    this.#limits = limits;
    this.#places = places;
  }

  /** Says of an end that the prelude found where in the script that was. */
  located({ during, stack, ...end }: EndInside): End {
    if (during === undefined || stack === undefined) return end;
    const found = this.#places.loopOf(stack);
    if (found === null) return { ...end, reason: `${end.reason} ${during}` };
    const { place, loop } = found;
    const around = loop === null ? '' : ` (a loop that began at ${loop})`;
    return { ...end, reason: `${end.reason} ${during}, ${place.file}:${place.line}${around}`, place };
  }

  /**
   * Returns the end that follows from the outcome of a call; null when the sandbox goes on.
   * @param call its name in front of what it threw; empty for the top level
   */
  ofOutcome(call: string, outcome: Outcome): End | null {
    if (outcome.length === 1) return outcome[0] ?? null;
    const [text, stack, overLimit] = outcome;
    if (this.#isOutOfMemory(text))
      return this.located({ ...this.#outOfMemory, during: call === '' ? TOP_LEVEL : `in ${call.slice(0, -2)}`, stack });
    const thrown = this.#thrown(text, stack, call);
    return overLimit ? { ...thrown, code: 'limit.output', limit: this.#limits.output } : thrown;
  }

  /**
   * Of an error that came out of the isolate.
   * @param during what ran
   * @param disposed the isolate is gone: nothing but a want of memory ends one so
   * @param late the call has taken the time that it may take
   */
  ofError(error: unknown, during: string, disposed: boolean, late: boolean): End {
    if (error instanceof LoadError) return error.end;
    if (!(error instanceof Error)) return this.#thrown(String(error), '', '');
    if (late && isTimeout(error)) {
      const { callMs } = this.#limits;
      const end: End = { code: 'limit.time', reason: `exceeded the time limit of ${callMs} ms`, limit: callMs };
      return this.located({ ...end, during, stack: error.stack ?? '' });
    }
    const text = `${error.name}: ${error.message}`;
    if (this.#isOutOfMemory(text)) return this.located({ ...this.#outOfMemory, during, stack: error.stack ?? '' });
    if (disposed) return this.#outOfMemory;
    return this.#thrown(cutReason(text), placesOf(error.stack ?? '', text), '');
  }

  #thrown(thrown: string, stack: string, call: string): End {
    const said = withKinds(thrown, this.#kind);
    const place = this.#places.placeOf(stack);
    const at = place === null ? [] : [`${place.file}:${place.line}:${place.column}:`];
    const reason = [...(call === '' ? [] : [call]), ...at, said].join(' ');
    return { code: 'script.throws', reason, place: place ?? undefined, said };
  }

  #isOutOfMemory(text: string): boolean {
    return text === NO_BUFFER && this.#limits.memory > 0;
  }

  get #outOfMemory(): End {
    const { memory } = this.#limits;
    return { code: 'limit.memory', reason: `exceeded memory_limit of ${memory}`, limit: memory };
  }
}
