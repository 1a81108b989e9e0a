import type { Store } from '../../lake/store.ts';

/** Tells of the damaged files of a store. @returns whether there are any */
export function tellBroken(
  { folder, broken }: Store,
  complain: (text: string) => void,
  { areSetAside }: { readonly areSetAside: boolean },
): boolean {
  for (const { name, table, rows, reason } of broken) {
    const where = areSetAside
      ? `it is in ${folder}/broken now, and its source is read anew when it is imported again`
      : 'import its source again';
    complain(`${folder}/files/${name} is damaged (${reason}): ${rows} rows of the table ${table} are missing; ${where}`);
  }
  return broken.length > 0;
}
