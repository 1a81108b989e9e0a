/** The messages between the shell and the engine process, over Node's IPC channel with structured clone. */
import type { EngineEvents, Refusal, RequestName } from './types.ts';

/** The use that the window may make of a file that the user chose. */
export type GrantUse = 'script' | 'export';

export type ToEngine =
  | { readonly kind: 'request'; readonly id: number; readonly name: RequestName; readonly input: unknown }
  /** Someone chose a file in a dialog of the shell: the window may use it for this. */
  | { readonly kind: 'grant'; readonly use: GrantUse; readonly path: string }
  | { readonly kind: 'stop' };

export type FromEngine =
  | { readonly kind: 'ready'; readonly pid: number }
  | { readonly kind: 'reply'; readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly kind: 'reply'; readonly id: number; readonly ok: false; readonly error: Refusal }
  | {
      readonly [N in keyof EngineEvents]: { readonly kind: 'event'; readonly name: N; readonly data: EngineEvents[N] };
    }[keyof EngineEvents];
