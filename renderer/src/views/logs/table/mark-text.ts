import type { RecordDetail } from '../../../../../engine/api/types.ts';

/** A marked record in the list, as the table shows it: the values of its columns and its text; as it was read, where there are neither. */
export function markText({ fields, payload }: Pick<RecordDetail, 'fields' | 'payload'>, columns: readonly string[], raw: string): string {
  const values = columns.flatMap((name) => fields.find((field) => field.name === name)?.values.join(', ') ?? []);
  const shown = [...values, payload ?? ''].filter((text) => text.trim() !== '').join('  ');
  return shown === '' ? raw : shown;
}
