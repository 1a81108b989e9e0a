/** Parts of the window that F6 goes through; each marks the element that takes the focus with `data-part`. */

/** Moves the focus to the next part, or with −1 to the one before. */
export function movePart(step: 1 | -1): void {
  const parts = [...document.querySelectorAll<HTMLElement>('[data-part]')].filter((part) => part.offsetParent !== null);
  if (parts.length === 0) return;
  const here = parts.findIndex((part) => part.contains(document.activeElement));
  const next = here === -1 ? (step === 1 ? 0 : parts.length - 1) : (here + step + parts.length) % parts.length;
  const target = parts[next];
  if (target === undefined) return;
  focusFirst(target);
}

const FOCUSABLE = 'button:not(:disabled), input:not(:disabled), [tabindex="0"], select, textarea, a[href]';

function focusFirst(part: HTMLElement): void {
  if (part.matches(FOCUSABLE)) part.focus();
  else part.querySelector<HTMLElement>(FOCUSABLE)?.focus();
}
