import type { Manifest, StoredSource } from '../../lake/manifest.ts';
import type { TextFile } from '../../lake/text-file.ts';

/** The state of a file in a store. */
export type Known =
  /** It is not there. */
  | { readonly kind: 'new' }
  /** All of it is there. */
  | { readonly kind: 'same'; readonly source: StoredSource }
  /** All is there but what was added since. */
  | { readonly kind: 'grown'; readonly source: StoredSource }
  /** A file of this path that began alike and was written anew or cut, or whose stored files are damaged. */
  | { readonly kind: 'changed'; readonly source: StoredSource };

/** Finds a file among the sources of its table by what it holds: it may have been rotated, packed or copied since. */
export async function knownSource(manifest: Manifest, table: string, file: TextFile, path: string): Promise<Known> {
  const sources = manifest.sources().filter((source) => source.table === table);
  const untouched = sources.find((source) => !source.damaged && source.path === path && isUntouched(source, file));
  if (untouched !== undefined) return { kind: 'same', source: untouched };
  let changed: StoredSource | null = null;
  let length: number | null = null;
  for (const source of sources) {
    if (!(await file.has(source.head, source.head.length))) continue;
    length ??= await file.length();
    if (length < source.size || !(await file.has(source.tail, source.size))) {
      if (source.path === path) changed = source;
    } else if (source.damaged) changed = source;
    else return { kind: length === source.size ? 'same' : 'grown', source };
  }
  return changed === null ? { kind: 'new' } : { kind: 'changed', source: changed };
}

const isUntouched = ({ fileSize, fileMtimeNs }: StoredSource, { size, mtimeNs }: TextFile): boolean =>
  fileSize === size && fileMtimeNs === mtimeNs;
