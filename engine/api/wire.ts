/** The messages between the shell and the engine process, over Node's IPC channel with structured clone. */
import type { EngineEvents, Refusal, RequestName } from './types.ts';

/** The use that the window may make of a file that the user chose: read it as a log, use it as a script, write an export into it, once, open it as a workspace, or run its rules. */
export type GrantUse = 'open' | 'script' | 'export' | 'workspace' | 'rules';

/** Something that does not start, or is not read, before the user has confirmed it in a dialog of the shell. */
export interface Demand {
  /** SHA-256 of all that it says: one that was confirmed is not asked for again. */
  readonly key: string;
  /** The origin: the window asks for it, the workspace file has it, a workspace that is opened brings it, or it is a fixed part of Sluicebox. */
  readonly by: 'window' | 'file' | 'workspace' | 'product';
  /** A script, a command, a listener, a client that connects, a file that a parameter of a script names, or a path that was typed. */
  readonly kind: 'script' | 'command' | 'listener' | 'client' | 'file' | 'open';
  /** Its section in the workspace file; empty: it has none. */
  readonly section: string;
  /** The whole of it: command line, address, URL or path. */
  readonly text: string;
  /** Only this machine reaches it. */
  readonly local: boolean;
}

export type ToEngine =
  | { readonly kind: 'request'; readonly id: number; readonly name: RequestName; readonly input: unknown }
  /** Someone chose a file in a dialog of the shell: the window may use it for this. */
  | { readonly kind: 'grant'; readonly use: GrantUse; readonly path: string }
  /** The demands of a question that may start, by their keys. */
  | { readonly kind: 'answer'; readonly id: number; readonly allowed: readonly string[] }
  /** The window shows a new page: the views of the one before are closed. */
  | { readonly kind: 'page' }
  | { readonly kind: 'stop' };

export type FromEngine =
  | { readonly kind: 'ready'; readonly pid: number }
  /** May these start? */
  | { readonly kind: 'ask'; readonly id: number; readonly demands: readonly Demand[] }
  | { readonly kind: 'reply'; readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly kind: 'reply'; readonly id: number; readonly ok: false; readonly error: Refusal }
  | {
      readonly [N in keyof EngineEvents]: { readonly kind: 'event'; readonly name: N; readonly data: EngineEvents[N] };
    }[keyof EngineEvents];
