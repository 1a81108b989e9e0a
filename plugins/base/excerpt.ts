/** The first `length` characters, as a text of their own. */
export function excerpt(text: string, length: number): string {
  return text.length <= length ? text : ownText(text.slice(0, length));
}

/** The same text on its own: a mere piece of a text keeps all of it in memory. As the name of a property it is also quick to compare. */
export function ownText(text: string): string {
  return Object.keys({ [text]: 0 })[0] ?? '';
}

/** The same text on its own, made quickly: for one that is soon replaced by another. */
export function ownCopy(text: string): string {
  return ` ${text}`.slice(1);
}

/** The text of a few code units. */
export function textOfUnits(units: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let i = from; i < to; i++) text += String.fromCharCode(units[i] as number);
  return text;
}
