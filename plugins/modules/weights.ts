/** Tables of values and their weights, as tab-separated text, and the values as their keys. */
import { checkString } from '../base/arguments.ts';
import { excerpt } from '../base/excerpt.ts';
import { valueText, type FieldScalar } from '../base/fields.ts';
import { fittingOutput, injectWithin } from '../base/output_size.ts';

/** Characters by which values are told apart. */
const KEY_LENGTH = 1000;

/** A text as the key of a table. The key of a very long text is made of its beginning and its length, so that the size of a table is bounded. */
export function keyOf(text: string): string {
  checkString('keyOf', 1, text);
  return text.length <= KEY_LENGTH ? text : `${excerpt(text, KEY_LENGTH)}… (${text.length} characters)`;
}

/** A value of a message as the key of a table. Bytes are read as text. */
export function valueKey(value: FieldScalar): string {
  return keyOf(valueText(value));
}

/**
 * Injects a table with the columns `heading` and `Weight`, in the order of the entries. Line ends and tabs in a value are written as blanks. If
 * the entries exceed the output limit, only the first ones are output.
 */
export function injectWeights(title: string, heading: string, entries: Iterable<readonly [value: string, weight: number]>): void {
  checkString('injectWeights', 1, title);
  checkString('injectWeights', 2, heading);
  const rows = Array.from(entries, ([value, weight]) => `${value.replace(/[\t\n\r]/g, ' ')}\t${weight}\n`);
  const head = `${heading}\tWeight\n`;
  injectWithin('tsv', title, head + rows.join(''), () => head + fittingOutput(rows).join(''));
}
