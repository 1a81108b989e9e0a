const MOST_COLUMNS = 5;
const MOST_OF_OTHERS = 4;

/**
 * The fields that a table of a decoder's records shows unless someone chose others: of those that the records have, those that the decoder
 * names, else the first ones, and those last that begin with an underscore: the journal has many of these that it fills in by itself.
 * @param named as the decoder's meta has them
 * @param seen names of the fields of its first records, in their order
 */
export function tableColumns(named: readonly string[] | undefined, seen: readonly string[]): string[] {
  if (named !== undefined) return named.filter((name) => seen.includes(name)).slice(0, MOST_COLUMNS);
  const shown = seen.filter((name) => !name.startsWith('decode_') && !name.startsWith('__'));
  const isInner = (name: string): boolean => name.startsWith('_');
  return [...shown.filter((name) => !isInner(name)), ...shown.filter(isInner)].slice(0, MOST_OF_OTHERS);
}
