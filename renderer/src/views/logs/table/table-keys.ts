import type { KeyPress } from '../../../lib/keys.ts';
import { localKey, TABLE_KEYS, type RecordMove } from '../../../lib/filter/local-keys.ts';
import type { App } from '../../../state/app.svelte.ts';

/** Runs the action of a key in the record table. @returns whether it has one */
export function tableKey(press: KeyPress, app: App): boolean {
  const { logs } = app;
  const does = localKey(TABLE_KEYS, press, app.client.platform);
  switch (does) {
    case null:
      return false;
    case 'all':
      logs.selection.all(logs.rows.total);
      return true;
    case 'inspect':
      app.prefs.inspector = { ...app.prefs.inspector, open: true };
      return true;
    case 'none':
      if (logs.selection.count === 0 && !logs.search.active) return false;
      if (logs.selection.count === 0) logs.search.close();
      logs.selection.clear();
      logs.detail.show(null);
      return true;
    default: {
      if (does === 'last' && !press.shiftKey && app.showAhead()) return true;
      if (logs.rows.total === 0) return false;
      const extend = press.shiftKey && press.key.length > 1;
      if (does === 'first' || does === 'last') logs.places.selectEnd(does, extend);
      else logs.places.select(rowFor(does, app), extend);
      return true;
    }
  }
}

/** The row that a key moves to. */
function rowFor(move: Exclude<RecordMove, 'first' | 'last'>, { logs }: App): number {
  const { total, pageRows, shown } = logs.rows;
  const { cursor } = logs.selection;
  const here = cursor ?? shown.first;
  const last = total - 1;
  const bounded = (row: number): number => Math.min(last, Math.max(0, row));
  switch (move) {
    case 'next':
      return bounded(cursor === null ? here : here + 1);
    case 'previous':
      return bounded(cursor === null ? here : here - 1);
    case 'pageDown':
      return bounded(here + pageRows);
    case 'pageUp':
      return bounded(here - pageRows);
    case 'halfDown':
      return bounded(here + halfPage(pageRows));
    case 'halfUp':
      return bounded(here - halfPage(pageRows));
  }
}

const halfPage = (rows: number): number => Math.max(1, Math.floor(rows / 2));
