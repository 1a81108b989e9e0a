/** Lists of numbers as text that keeps every bit of them: the saved form of graphs. */

/** The numbers separated by blanks, with `nan`, `inf` and `-inf`. */
export function formatNumberList(values: ArrayLike<number>): string {
  const texts: string[] = [];
  for (let i = 0; i < values.length; i++) texts.push(format(values[i] as number));
  return texts.join(' ');
}

function format(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  return Number.isFinite(value) ? String(value) : value > 0 ? 'inf' : '-inf';
}

/** Parses such a text. Throws when an item is not a number. */
export function parseNumberList(text: string): number[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .map(parse);
}

function parse(word: string): number {
  if (word === 'nan') return NaN;
  if (word === 'inf' || word === '-inf') return word === 'inf' ? Infinity : -Infinity;
  const value = Number(word);
  if (Number.isNaN(value)) throw new SyntaxError(`${word} is not a number`);
  return value;
}
