import { printableLine } from '../api/printable.ts';
import { cutTo, displayWidth, fillOf } from './display-width.ts';

interface TableColumn {
  readonly title: string;
  /** Numbers stand at the right. */
  readonly isNumber?: boolean;
}

const GAP = '  ';

/**
 * Lays out rows below their titles, as lines of at most so many columns: the first column is cut where there is too little room.
 * @param rows texts as others may have written them
 */
export function textTable(columns: readonly TableColumn[], rows: readonly (readonly string[])[], width: number): string[] {
  const cells = [columns.map(({ title }) => title), ...rows.map((row) => row.map(printableLine))];
  const widths = columns.map((_, i) => Math.max(...cells.map((row) => displayWidth(row[i] ?? ''))));
  const others = widths.slice(1).reduce((sum, each) => sum + each + GAP.length, 0);
  widths[0] = Math.max(LEAST_NAME, Math.min(widths[0] ?? 0, width - others));
  return cells.map((row) =>
    columns
      .map(({ isNumber = false }, i) => {
        const text = cutTo(row[i] ?? '', widths[i] ?? 0);
        const fill = fillOf(text, widths[i] ?? 0);
        return isNumber ? fill + text : text + fill;
      })
      .join(GAP)
      .trimEnd(),
  );
}

/** Columns that a name has at least. */
const LEAST_NAME = 8;
