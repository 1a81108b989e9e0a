import { focusPart } from './parts.ts';

/** Whether a dialog is open: it has keys and commands to itself. */
export const isDialogOpen = (): boolean => document.querySelector('[role="dialog"][data-state="open"]') !== null;

/** To be called when a dialog closes. What had the focus before may be gone with its view: the main view has it then. */
export function keepFocus(): void {
  requestAnimationFrame(() => {
    const { activeElement } = document;
    const closing = activeElement?.closest('[role="dialog"]:not([data-state="open"])') ?? null;
    if (activeElement === document.body || closing !== null) focusPart('main');
  });
}
