import { nameFor, UNTYPED } from '../../ask/table-names.ts';
import { Lake } from '../../catalogue/lake.ts';
import { filesAt } from '../../catalogue/place.ts';
import type { StoredFiles, StoredPart } from '../../lake/stored-messages.ts';

/** The files of a lake as it is now, in tables by the types of their messages; null: the folder is none. Each is in the order of its own times only. */
export async function lakeParts(folder: string): Promise<StoredFiles | null> {
  const lake = new Lake(filesAt({ path: folder }));
  if (!(await lake.exists())) return null;
  const files = [...(await lake.snapshot()).files.values()].map(({ path, type, rows, bytes, least, most }, source): StoredPart => ({
    ...{ name: path, source, table: nameFor(type ?? UNTYPED), rows, bytes, least, most },
  }));
  return { files, path: (name) => lake.files.local(name) };
}
