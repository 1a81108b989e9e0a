import { state } from './state/state.ts';

/** Whether the current message or tick has released all messages so far, and whether it is held itself. */
let releases = false;
let holds = false;
/** The first row of the call that is held; -1: none is. */
let held = -1;
/** All rows of the call in front of the held ones are released, and those of earlier calls. */
let released = false;

/** `hold_messages` of the scripts' interface: the current message and all after it are not safe yet. */
export function hold_messages(): void {
  if (!state.loaded) throw new Error('hold_messages: not while the script is loading');
  holds = true;
}

/** `release_messages` of the scripts' interface: everything up to the current message is safe. */
export function release_messages(): void {
  if (!state.loaded) throw new Error('release_messages: not while the script is loading');
  releases = true;
  holds = false;
}

/** The message or tick is through: what it has said counts. A tick has no message to hold. */
export function commitHeld(): void {
  if (releases) {
    released = true;
    held = -1;
  }
  if (holds && held < 0) held = state.row;
  dropHeld();
}

/** Forgets what the current message or tick has said. */
export function dropHeld(): void {
  releases = false;
  holds = false;
}

/** Messages that the call has held and released; begins anew for the next call. */
export function takeHeld(): { readonly held?: number; readonly released?: boolean } {
  const said = { ...(held < 0 ? {} : { held }), ...(released ? { released } : {}) };
  held = -1;
  released = false;
  dropHeld();
  return said;
}
