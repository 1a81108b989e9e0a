import type { Input } from 'electron';
import { completed } from '../../engine/api/completion.ts';

/** Characters that are kept: a path is no longer. */
const MOST = 4096;
/** Keys that write nothing by themselves. */
const MODIFIERS: ReadonlySet<string> = new Set(['Shift', 'AltGraph', 'CapsLock', 'NumLock']);

/**
 * The text that a person has typed in the window and ended with Enter, by the keys themselves: no page can press one. What was pasted, or written between
 * other characters, is not known. Tab takes the continuation that the engine offered last for the text, as the page does.
 */
export class TypedText {
  #text = '';
  #isEnded = false;
  #offered: { readonly text: string; readonly offers: readonly string[] } | null = null;

  /** Takes a key that was pressed. */
  press({ type, key, control, meta, alt }: Pick<Input, 'type' | 'key' | 'control' | 'meta' | 'alt'>): void {
    if (type !== 'keyDown' || MODIFIERS.has(key)) return;
    if (key === 'Enter') {
      this.#isEnded = true;
      return;
    }
    const before = this.#isEnded || control || meta || alt ? '' : this.#text;
    this.#isEnded = false;
    this.#text = control || meta || alt ? '' : this.#after(before, key).slice(-MOST);
  }

  /** Takes the continuations that the engine has offered for a text. Those of a text of before may come later. */
  offer(text: string, offers: readonly string[]): void {
    if (text === this.#text) this.#offered = { text, offers };
  }

  /** Whether a person has typed exactly this, and Enter. */
  has(text: string): boolean {
    return this.#isEnded && text !== '' && text === this.#text;
  }

  #after(text: string, key: string): string {
    if (key === 'Backspace') return text.slice(0, -1);
    if (key === 'Tab') return this.#offered?.text === text ? completed(text, this.#offered.offers) : '';
    return [...key].length === 1 ? text + key : '';
  }
}
