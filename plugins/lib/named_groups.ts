/** Expressions whose named groups are read often. JavaScript makes the groups of a match a dictionary, which takes longer than the match itself. */

/** The parts of a text by their names. */
export type Groups = Readonly<Record<string, string | undefined>>;

/** An expression without the names of its groups. */
export interface NumberedPattern {
  readonly expression: RegExp;
  /** The names by the numbers of their groups; undefined for those that have none. */
  readonly names: readonly (string | undefined)[];
}

/** Tokens of a pattern that contain a parenthesis: escapes and classes, which begin no group, and the beginnings of groups. */
const TOKEN = /\\[^]|\[(?:\\[^]|[^\]\\])*\]|\((?!\?)|\(\?<(?![=!])([^>]+)>/g;

/** Takes the names out of a pattern that does not refer to its groups. */
export function numberedPattern({ source, flags }: RegExp): NumberedPattern {
  const names: (string | undefined)[] = [undefined];
  const numbered = source.replace(TOKEN, (token, name: string | undefined) => {
    if (token.startsWith('(')) names.push(name);
    return name === undefined ? token : '(';
  });
  return { expression: new RegExp(numbered, flags), names };
}

/** A function that reads the named groups of the first of these patterns that fits a text; null when none does. To be made at load. */
export function firstMatch(patterns: readonly RegExp[]): (text: string) => Groups | null {
  const numbered = patterns.map(numberedPattern);
  const steps = numbered.map(({ names }, i) => `found = expression${i}.exec(text); if (found !== null) return {${members(names)}};`);
  const scope = Object.fromEntries(numbered.map(({ expression }, i) => [`expression${i}`, expression]));
  return compile_function(['text'], `let found; ${steps.join('\n')} return null;`, scope);
}

/** When two alternatives have a group of the same name, the one that took part counts. */
function members(names: readonly (string | undefined)[]): string {
  const values = new Map<string, string>();
  for (const [i, name] of names.entries()) {
    if (name === undefined) continue;
    const before = values.get(name);
    values.set(name, before === undefined ? `found[${i}]` : `${before} ?? found[${i}]`);
  }
  return Array.from(values, ([name, value]) => `${JSON.stringify(name)}: ${value}`).join();
}
