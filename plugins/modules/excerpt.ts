/** The first `length` characters, as a text of their own. */
export function excerpt(text: string, length: number): string {
  return text.length <= length ? text : ownText(text.slice(0, length));
}

/** The same text on its own: a mere piece of a text keeps all of it in memory. */
export function ownText(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
