/** The own entry of a table for a name. A name that comes out of a log may be one that every object inherits, such as `constructor`. */
export function ownEntry<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
