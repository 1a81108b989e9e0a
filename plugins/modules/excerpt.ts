/** The first `length` characters, as a text of their own: a mere piece of a text keeps all of it in memory. */
export function excerpt(text: string, length: number): string {
  return text.length <= length ? text : (JSON.parse(JSON.stringify(text.slice(0, length))) as string);
}
