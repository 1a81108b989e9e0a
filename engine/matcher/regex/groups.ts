import { RE2JS } from 're2js';

/** The texts of the named groups of an expression of RE2 syntax, where it first matches; those that took no part are empty. Takes linear time. */
export function namedGroups(source: string, text: string): Readonly<Record<string, string>> {
  const regex = RE2JS.compile(source);
  const names = Object.keys(regex.namedGroups());
  if (names.length === 0) return {};
  const matcher = regex.matcher(text);
  if (!matcher.find()) return {};
  return Object.fromEntries(names.map((name) => [name, matcher.group(name) ?? '']));
}
