/** Fields of log lines, tried on single values. */
import type { FieldType } from '../../../plugins/lib/format/log_fields.ts';
import { notingWriter } from './script_globals.ts';

/**
 * The calls of the writer for a value that a type takes as a whole: with the name and form of the column in place of its number, and the text of a piece. null: the
 * type does not take it.
 */
export function written(type: FieldType, value: string, name = 'x'): unknown[] | null {
  const text = `<${value}>`;
  const to = value.length + 1;
  if (type.scan(text, 1, to) !== to) return null;
  const { writer, calls } = notingWriter();
  type.write(writer, 0, text, 1, to);
  const columns = type.columns(name);
  return calls.map(([method, ...values]) => {
    if (method === 'payloadSlice') return [method, text.slice(values[0] as number, values[1] as number)];
    if (values.length < 2) return [method, ...values];
    const [column, ...rest] = values as [number, ...unknown[]];
    const shown =
      columns[column]?.representation === undefined ? columns[column]?.name : `${columns[column].name} (${columns[column].representation})`;
    return [shown, method === 'slice' ? text.slice(rest[0] as number, rest[1] as number) : rest[0]];
  });
}

/** The items of a format as a text: fields by their names, and delimiters as they are. */
export function shownItems(items: readonly { readonly kind: string; readonly name?: string; readonly text?: string }[]): string[] {
  return items.map(({ name, text = '' }) => (name === undefined ? text : `<${name}>`));
}
