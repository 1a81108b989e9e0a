/** Pixels of a cell beside its content, with some to spare. */
const CELL_PADDING = 18;

/** The width at which what the screen shows of a column is whole. @param inside an element of the table */
export function fittingWidth(inside: Element, key: string): number {
  const name = CSS.escape(key);
  const cells = inside.closest('[role="grid"]')?.querySelectorAll(`[data-column="${name}"], [data-head="${name}"]`) ?? [];
  const range = document.createRange();
  return Math.max(
    ...Array.from(cells, (cell) => {
      range.selectNodeContents(cell);
      return Math.ceil(range.getBoundingClientRect().width) + CELL_PADDING;
    }),
  );
}
