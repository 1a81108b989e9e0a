import { findPlugin } from '../../plugins/catalog.ts';
import type { FilterTemplate } from '../file/templates.ts';

/** Lengths of rows that people expect, in seconds. */
const LENGTHS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200];
const DAY = 86_400;

/**
 * The seconds of a row with which the graphs of a filter have room for so many milliseconds; never fewer than its script has by default. null: they are not
 * for us to choose, because the script has no such parameter, the section sets it, or tests of anomalies count in rows.
 */
export function secondsPerRow({ script, config }: FilterTemplate, spanMs: number): number | null {
  if (config['sec_per_row'] !== undefined || config['anomaly_config'] !== undefined) return null;
  const { sec_per_row: length, rows: count } = findPlugin('filter', script).meta?.parameters ?? {};
  const rows = config['rows'] ?? count?.default;
  if (typeof length?.default !== 'number' || typeof rows !== 'number') return null;
  // The span may begin and end within a row.
  const needed = Math.max(length.default, spanMs / 1000 / Math.max(1, rows - 1));
  return LENGTHS.find((candidate) => candidate >= needed) ?? DAY * Math.ceil(needed / DAY);
}
