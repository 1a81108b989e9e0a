import { lookupNamed } from '../lookup/folder.ts';
import { LookupError } from '../lookup/lookup.ts';
import { RuleMistake } from './mistake.ts';

const PLACEHOLDER = /%([^%\s]+)%/;
/** Values that a text with placeholders may stand for. */
const MOST_VALUES = 50_000;

/**
 * The texts that one with placeholders (`%admins%`) stands for: each value of the list of the user that is named so, a file `lookups/admins.csv`.
 * @param escaped writes a value as plain text of the rule
 * @throws {RuleMistake} when there is no such list
 */
export function expanded(text: string, line: number, escaped: (value: string) => string): readonly string[] {
  const [whole, name] = PLACEHOLDER.exec(text) ?? [];
  if (whole === undefined || name === undefined) return [text];
  const at = text.indexOf(whole);
  const values = [...new Set(valuesOf(name, line))].map(escaped);
  const rest = expanded(text.slice(at + whole.length), line, escaped);
  if (values.length * rest.length > MOST_VALUES)
    throw new RuleMistake(`${text} stands for ${values.length * rest.length} values, more than ${MOST_VALUES}`, line);
  return values.flatMap((value) => rest.map((tail) => text.slice(0, at) + value + tail));
}

function valuesOf(name: string, line: number): readonly string[] {
  try {
    const keys = lookupNamed(name).keys();
    if (keys === null) throw new LookupError('a database has too many values');
    return keys;
  } catch (cause) {
    if (!(cause instanceof LookupError)) throw cause;
    throw new RuleMistake(`the placeholder %${name}% has no values: ${cause.message}`, line, { cause });
  }
}
