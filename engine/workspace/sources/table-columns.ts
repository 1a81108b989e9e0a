const MOST_COLUMNS = 5;
const MOST_OF_OTHERS = 4;

/**
 * The default columns of a table: the fields that the decoder names, as far as the records have them; else the first fields. Fields that
 * begin with an underscore come last: the journal adds many of them itself.
 * @param named the fields in the decoder's meta
 * @param fields names of the fields of its first records, in their order
 * @param severalHosts the host comes first then
 */
export function tableColumns(
  named: readonly string[] | undefined,
  { fields, severalHosts }: { readonly fields: readonly string[]; readonly severalHosts: boolean },
): string[] {
  return [...(severalHosts ? ['Hostname'] : []), ...fieldColumns(named, fields)];
}

function fieldColumns(named: readonly string[] | undefined, seen: readonly string[]): string[] {
  if (named !== undefined) return named.filter((name) => seen.includes(name)).slice(0, MOST_COLUMNS);
  const shown = seen.filter((name) => !name.startsWith('decode_') && !name.startsWith('__'));
  const isInner = (name: string): boolean => name.startsWith('_');
  return [...shown.filter((name) => !isInner(name)), ...shown.filter(isInner)].slice(0, MOST_OF_OTHERS);
}
