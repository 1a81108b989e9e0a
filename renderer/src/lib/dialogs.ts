/** Whether a dialog is open: it has keys and commands to itself. */
export const isDialogOpen = (): boolean => document.querySelector('[role="dialog"][data-state="open"]') !== null;

/** Lets a dialog whose controls come a little later have the focus itself until then, instead of one of its buttons. */
export function holdFocus(event: Event): void {
  event.preventDefault();
  requestAnimationFrame(() => {
    const dialog = document.querySelector<HTMLElement>('[role="dialog"][data-state="open"]');
    if (dialog !== null && !dialog.contains(document.activeElement)) dialog.focus({ preventScroll: true });
  });
}

/** Gives the focus to the first field of an element when it appears. */
export function focusField(element: HTMLElement): void {
  element.querySelector<HTMLElement>(':is(input, select, textarea):not(:disabled)')?.focus({ preventScroll: true });
}

/**
 * Gives the focus to the records, or to the main view as a whole, when the control that had it is gone with a dialog or a view: a control
 * of a list that fills would be gone in a moment, too.
 */
export function keepFocus(): void {
  requestAnimationFrame(() => {
    if (isDialogOpen()) return;
    const { activeElement } = document;
    const main = document.querySelector<HTMLElement>('[data-part="main"]');
    const closing = activeElement?.closest('[role="dialog"]') ?? null;
    if (activeElement === document.body || activeElement === main || closing !== null)
      (document.querySelector<HTMLElement>('[data-part="table"]') ?? main)?.focus();
  });
}
