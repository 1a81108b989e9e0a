import type { Page } from 'playwright-core';

/**
 * Faults in the layout of the page as it is, one line each, by rules that hold with any font: the page does not scroll, controls lie in the window
 * unless they are in a part that scrolls, and the text of none is cut without an ellipsis.
 */
export const layoutFaults = (page: Page): Promise<string[]> => page.evaluate(findFaults);

/** Runs in the page. */
function findFaults(): string[] {
  const faults: string[] = [];
  const nameOf = (element: Element): string =>
    (element.getAttribute('aria-label') ?? element.textContent).trim().replaceAll(/\s+/g, ' ').slice(0, 60);
  /** Whether someone can bring it into sight by scrolling. */
  const isInScroller = (element: Element): boolean => {
    if (element.closest('[role="grid"]') !== null) return true;
    for (let parent = element.parentElement; parent !== null; parent = parent.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(parent);
      if ([overflowX, overflowY].some((how) => how === 'auto' || how === 'scroll')) return true;
    }
    return false;
  };
  /** Whether a part around it cuts some of it away, or the window does. */
  const isCut = (element: Element): boolean => {
    const box = element.getBoundingClientRect();
    const sticksOut = ({ left, top, right, bottom }: Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>): boolean =>
      box.left < left - 1 || box.top < top - 1 || box.right > right + 1 || box.bottom > bottom + 1;
    if (sticksOut({ left: 0, top: 0, right: innerWidth, bottom: innerHeight })) return true;
    for (let parent = element.parentElement; parent !== null; parent = parent.parentElement)
      if (getComputedStyle(parent).overflowX !== 'visible' && sticksOut(parent.getBoundingClientRect())) return true;
    return false;
  };

  const { scrollWidth, scrollHeight } = document.documentElement;
  if (scrollWidth > innerWidth) faults.push(`the page is ${scrollWidth - innerWidth} px too wide`);
  if (scrollHeight > innerHeight) faults.push(`the page is ${scrollHeight - innerHeight} px too high`);
  for (const control of document.querySelectorAll('button, select, input:not([type="radio"], [type="checkbox"])')) {
    const { width, height } = control.getBoundingClientRect();
    const isShown = width > 0 && height > 0 && control.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (!isShown || control.closest('[aria-hidden="true"], .sr-only') !== null) continue;
    if (isCut(control) && !isInScroller(control)) faults.push(`is cut away: ${nameOf(control)}`);
    const { overflowX, textOverflow } = getComputedStyle(control);
    const hasCutText = control.tagName === 'BUTTON' && overflowX !== 'visible' && textOverflow !== 'ellipsis';
    if (hasCutText && control.scrollWidth > control.clientWidth + 1) faults.push(`its text is cut: ${nameOf(control)}`);
  }
  return [...new Set(faults)];
}
