/** A table of items and their weights, heaviest first. */
export interface Weighting {
  readonly variable: string;
  readonly items: readonly { readonly item: string; readonly weight: number; readonly share: number }[];
}

/** Items that a table shows. */
const MAX_ITEMS = 1000;

/**
 * Reads the payload of a frequent-items message: a line `VARIABLE⇥Weight`, then one line `ITEM⇥WEIGHT` an item. An item may hold
 * tabs and line breaks: its weight is behind its last tab. null when it is no such table.
 */
export function parseWeighting(payload: string): Weighting | null {
  const end = payload.indexOf('\n');
  const header = end < 0 ? payload : payload.slice(0, end);
  const tab = header.lastIndexOf('\t');
  if (tab <= 0 || header.slice(tab + 1) !== 'Weight') return null;
  const items: { item: string; weight: number }[] = [];
  let pending = '';
  for (const line of end < 0 ? [] : payload.slice(end + 1).split('\n')) {
    const text = pending + line;
    const at = text.lastIndexOf('\t');
    const weight = at < 0 ? '' : text.slice(at + 1);
    if (/^\d+(\.\d+)?(e\+?\d+)?$/.test(weight)) {
      items.push({ item: text.slice(0, at), weight: Number(weight) });
      pending = '';
    } else pending = `${text}\n`;
  }
  items.sort((a, b) => b.weight - a.weight || (a.item < b.item ? -1 : 1));
  const shown = items.slice(0, MAX_ITEMS);
  const sum = shown.reduce((total, { weight }) => total + weight, 0);
  return {
    variable: header.slice(0, tab),
    items: shown.map(({ item, weight }) => ({ item, weight, share: sum === 0 ? 0 : weight / sum })),
  };
}
