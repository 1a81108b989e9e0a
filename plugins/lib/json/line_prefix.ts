/** Names that a tool wrote in front of a line of JSON: `[pod/api-7cfd/api] {…}` of kubectl, `api-7cfd api {…}` of stern, `web-1  | {…}` of compose. */

const PREFIX = /^(?:\[([^\][{"]{1,120})\]|([^|{"\n]{1,80}?) *\||((?:[\w.+-]{1,80} ){1,3}?)) *(?=\{)/;

export interface LinePrefix {
  readonly name: string;
  /** The position behind it. */
  readonly to: number;
}

/** The prefix of a line; null: it has none that is known. */
export function linePrefix(line: string): LinePrefix | null {
  const found = PREFIX.exec(line);
  if (found === null) return null;
  return { name: (found[1] ?? found[2] ?? found[3] ?? '').trim(), to: found[0].length };
}
