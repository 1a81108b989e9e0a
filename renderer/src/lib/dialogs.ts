import { focusPart } from './parts.ts';

/** Whether a dialog is open: it has keys and commands to itself. */
export const isDialogOpen = (): boolean => document.querySelector('[role="dialog"][data-state="open"]') !== null;

/** Gives the focus to the main view after a dialog has closed, if the control that had it before is gone. */
export function keepFocus(): void {
  requestAnimationFrame(() => {
    const { activeElement } = document;
    const closing = activeElement?.closest('[role="dialog"]:not([data-state="open"])') ?? null;
    if (activeElement === document.body || closing !== null) focusPart('main');
  });
}
