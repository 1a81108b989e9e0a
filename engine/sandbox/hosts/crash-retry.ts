import type { Call } from '../calls/calls.ts';

/** After so long without a crash of its host, an input is not the cause of the next one. */
const INPUT_CALM_MS = 30_000;

/** Decides whether a sandbox's call may be tried on another host, after the one that served it crashed: it may once. The call of an input lasts, and may again later. */
export class CrashRetry {
  /** The call that was under way at the last crash, and when that was. */
  #last = { call: -1, at: -Infinity };

  /** @param call the call that was under way at this crash; undefined: none */
  mayTryAgain(call: Call | undefined): boolean {
    const before = this.#last;
    const now = performance.now();
    this.#last = { call: call?.id ?? 0, at: now };
    return before.call !== this.#last.call || (call?.kind === 'run' && now - before.at > INPUT_CALM_MS);
  }
}
