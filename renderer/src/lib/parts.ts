/** Parts of the window that F6 goes through; each marks the element that takes the focus with `data-part`. */

/** A splitter at the edge of a part takes the focus, too, but is not what one goes there for. */
const FOCUSABLE = ':is(button, input, select, textarea):not(:disabled), [tabindex="0"]:not([role="separator"]), a[href]';

/** Moves the focus to the next part, or with −1 to the one before. */
export function movePart(step: 1 | -1): void {
  const stops = [...document.querySelectorAll<HTMLElement>('[data-part]')].flatMap((part) => {
    const target = firstIn(part);
    // When the first control belongs to a part within this one, that part is the stop.
    return target === undefined || target.closest('[data-part]') !== part ? [] : [{ part, target }];
  });
  const here = stops.findLastIndex(({ part }) => part.contains(document.activeElement));
  const next = here === -1 ? (step === 1 ? 0 : stops.length - 1) : (here + step + stops.length) % stops.length;
  stops[next]?.target.focus();
}

function firstIn(part: HTMLElement): HTMLElement | undefined {
  if (part.matches(FOCUSABLE)) return visible(part) ? part : undefined;
  return [...part.querySelectorAll<HTMLElement>(FOCUSABLE)].find((element) => element.tabIndex >= 0 && visible(element));
}

const visible = (element: HTMLElement): boolean => element.offsetParent !== null;
