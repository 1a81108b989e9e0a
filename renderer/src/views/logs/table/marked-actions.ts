import type { Action } from '../../../lib/actions.ts';
import { newHighlighter } from '../../../lib/filter/highlighter.ts';
import type { App } from '../../../state/app.svelte.ts';
import { shorten } from '../../../state/filter/value-actions.ts';

/** The text that is marked within an element, in one line; null: there is none. */
export function markedText(within: Element | null, marked: Selection | null = window.getSelection()): string | null {
  if (within === null || marked === null || marked.isCollapsed) return null;
  if (!within.contains(marked.anchorNode) || !within.contains(marked.focusNode)) return null;
  const text = marked.toString().trim();
  return text === '' || /[\t\n\r]/.test(text) ? null : text;
}

/** The actions on a text that is marked in a record. */
export function markedActions(app: App, text: string): Action[] {
  const { logs, highlighters } = app;
  const short = `“${shorten(text)}”`;
  const filter = (out: boolean): void => logs.add({ kind: 'text', text, label: text, caseSensitive: false, out });
  return [
    {
      label: `Search for ${short}`,
      run: () => {
        app.asked = null;
        logs.search.open();
        logs.search.change({ text, regex: false, word: false });
      },
    },
    { label: `Filter for ${short}`, run: () => filter(false) },
    { label: `Filter out ${short}`, run: () => filter(true) },
    { label: `Highlight ${short}…`, run: () => highlighters.edit(newHighlighter(highlighters.list, { kind: 'text', text })) },
    { label: 'Copy the marked text', run: () => void app.copy(text, 'Text') },
  ];
}
