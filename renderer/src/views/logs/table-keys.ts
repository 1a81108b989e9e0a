import type { KeyPress } from '../../lib/keys.ts';
import type { App } from '../../state/app.svelte.ts';
import { pageRows } from '../../lib/virtual.ts';

/** Does what a key means in the record table. @returns whether it meant something */
export function tableKey(press: KeyPress, app: App): boolean {
  const { logs, client } = app;
  const mod = client.platform === 'darwin' ? press.metaKey : press.ctrlKey;
  if (press.altKey) return false;
  if (mod && press.key.toLowerCase() === 'a') {
    logs.selection.all(logs.rows.total);
    return true;
  }
  const target = rowFor(press.key, mod, app);
  if (target !== null) {
    logs.select(target, press.shiftKey);
    return true;
  }
  if (press.key === 'Enter' && !mod) {
    app.prefs.inspector = { ...app.prefs.inspector, open: true };
    return true;
  }
  if (press.key === 'Escape' && logs.selection.count > 0) {
    logs.selection.clear();
    logs.detail.show(null);
    return true;
  }
  return false;
}

/** The row that a key moves to; null: it moves nowhere. */
function rowFor(key: string, mod: boolean, { logs }: App): number | null {
  const { total, extent, shown } = logs.rows;
  if (total === 0) return null;
  const here = logs.selection.cursor ?? shown.first;
  const last = total - 1;
  const bounded = (row: number): number => Math.min(last, Math.max(0, row));
  switch (key) {
    case 'ArrowDown':
      return mod ? last : bounded(logs.selection.cursor === null ? here : here + 1);
    case 'ArrowUp':
      return mod ? 0 : bounded(logs.selection.cursor === null ? here : here - 1);
    case 'PageDown':
      return bounded(here + pageRows(extent));
    case 'PageUp':
      return bounded(here - pageRows(extent));
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}
