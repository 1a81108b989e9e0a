/** The continuation of a path that Tab takes: the common start of all that are offered, as a shell does; the text itself when there is none. */
export function completed(text: string, offers: readonly string[]): string {
  const others = offers.filter((offer) => offer !== text);
  const [first = text] = others;
  let { length } = first;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--;
  return first.slice(0, length);
}
