import type { ExportFormat } from '../../../engine/api/types.ts';

const ENDINGS: Readonly<Record<ExportFormat, string>> = { raw: '.log', json: '.jsonl', csv: '.csv', 'exact-csv': '.csv' };

/** The file name that is suggested for an export. @param labels of the sources that are shown */
export function exportName(labels: readonly string[], format: ExportFormat): string {
  const [only] = labels;
  const source = labels.length === 1 && only !== undefined ? only.replace(/(\.\w{1,5})?$/, '') : 'records';
  return `${source.replaceAll(/[^\w.-]+/g, '_')}-export${ENDINGS[format]}`;
}
