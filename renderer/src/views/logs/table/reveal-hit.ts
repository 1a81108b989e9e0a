/** Pixels between a hit and the edge of its cell, at least. */
const MARGIN = 8;

/** Scrolls the cells of a row so that the first hit in each is in sight: a long text begins further to the right then. */
export function revealHits(row: HTMLElement): void {
  for (const cell of row.querySelectorAll<HTMLElement>('.cell.text')) {
    const hit = cell.querySelector<HTMLElement>('mark.found') ?? cell.querySelector<HTMLElement>('mark.filtered');
    if (hit === null) {
      if (cell.scrollLeft > 0) cell.scrollLeft = 0;
      continue;
    }
    const isOutOfSight = hit.offsetLeft + hit.offsetWidth + MARGIN > cell.clientWidth;
    cell.scrollLeft = isOutOfSight ? hit.offsetLeft - Math.max(MARGIN, (cell.clientWidth - hit.offsetWidth) / 2) : 0;
  }
}
