/** Groups by their numbers instead of their names. */

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
