import type { EditorState } from '@codemirror/state';
import type { CallHelp } from './types/service.ts';
import type { TypeClient } from './types/type-client.ts';

/** Milliseconds after the last key before the place of a call is looked up. */
const CALL_MS = 60;
/** Characters before the caret in which the bracket of a call is looked for. */
const MOST_BEFORE = 400;

/** Looks up the call in which the caret stands, after a pause in typing. An answer to a text that was changed since is passed over: its places are not in this one. */
export class CallLook {
  readonly #types: Pick<TypeClient, 'ask'>;
  readonly #show: (call: CallHelp | null) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;

  /** @param show null: it stands in none */
  constructor(types: Pick<TypeClient, 'ask'>, show: (call: CallHelp | null) => void) {
    this.#types = types;
    this.#show = show;
  }

  /** The text or the place of the caret is another one. */
  changed(now: () => EditorState): void {
    this.forget();
    this.#timer = setTimeout(() => void this.#look(now()), CALL_MS);
  }

  /** Passes over the answer to the last question. */
  forget(): void {
    this.#asked++;
    clearTimeout(this.#timer);
  }

  async #look(state: EditorState): Promise<void> {
    const mine = ++this.#asked;
    const { head, empty } = state.selection.main;
    // Without a bracket before it in these lines there is no call.
    const isInside = empty && state.sliceDoc(Math.max(0, head - MOST_BEFORE), head).includes('(');
    const call = isInside ? await this.#types.ask('call', state.doc.toString(), { at: head }) : null;
    if (mine === this.#asked) this.#show(call);
  }
}
