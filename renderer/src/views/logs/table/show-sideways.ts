/** Pixels of a mark that have to be in sight, and that are left free beside it. */
const ROOM = 24;

/** Scrolls a table to the side until the first of some marks in a row is in sight, unless one is. Returns whether there is any. */
export function showSideways(table: Element, marks: readonly Element[]): boolean {
  const [first] = marks;
  if (first === undefined) return false;
  const sight = table.getBoundingClientRect();
  if (marks.some((mark) => isWithin(placeOf(mark), sight))) return true;
  const { left, right } = placeOf(first);
  table.scrollLeft += left < sight.left ? left - ROOM - sight.left : Math.min(left - ROOM - sight.left, right + ROOM - sight.right);
  return true;
}

interface Span {
  readonly left: number;
  readonly right: number;
}

/** Where a mark can be seen: what lies behind the end of its cell is cut. */
function placeOf(mark: Element): Span {
  const cell = mark.closest('.cell')?.getBoundingClientRect();
  const { left, right } = mark.getBoundingClientRect();
  if (cell === undefined) return { left, right };
  return { left: Math.min(left, Math.max(cell.left, cell.right - ROOM)), right: Math.min(right, cell.right) };
}

const isWithin = (place: Span, sight: Span): boolean => place.left >= sight.left && Math.min(place.right, place.left + ROOM) <= sight.right;
