import type { App } from './app.svelte.ts';

/** Scrolls to the card of a plugin on request; cards name their plugin in `data-plugin`. */
export function focusOutputs(app: App, ready: () => boolean): void {
  let done = 0;
  $effect(() => {
    const { on, count } = app.focusWish;
    if (!ready() || !on.startsWith('output ') || count === done) return;
    const card = document.querySelector<HTMLElement>(`[data-plugin="${CSS.escape(on.slice('output '.length))}"]`);
    if (card === null) return;
    done = count;
    card.scrollIntoView({ block: 'start' });
    card.focus();
  });
}
