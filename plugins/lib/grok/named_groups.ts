/** Expressions whose named groups are read often. JavaScript makes the groups of a match a dictionary, which takes longer than the match itself. */
import { numberedPattern } from '../../base/numbered_pattern.ts';

/** The parts of a text by their names. */
export type Groups = Readonly<Record<string, string | undefined>>;

/** A function that reads the named groups of the first of these patterns that fits a text; null when none does. To be made at load. */
export function firstMatch(patterns: readonly RegExp[]): (text: string) => Groups | null {
  const numbered = patterns.map(numberedPattern);
  const steps = numbered.map(({ names }, i) => `found = expression${i}.exec(text); if (found !== null) return {${members(names)}};`);
  const scope = Object.fromEntries(numbered.map(({ expression }, i) => [`expression${i}`, expression]));
  return compile_function(['text'], `let found; ${steps.join('\n')} return null;`, scope);
}

/** Code of the members of an object with the named groups. Of groups of one name in two alternatives, the one that took part counts. */
function members(names: readonly (string | undefined)[]): string {
  const values = new Map<string, string>();
  for (const [i, name] of names.entries()) {
    if (name === undefined) continue;
    const before = values.get(name);
    values.set(name, before === undefined ? `found[${i}]` : `${before} ?? found[${i}]`);
  }
  return Array.from(values, ([name, value]) => `${JSON.stringify(name)}: ${value}`).join();
}
