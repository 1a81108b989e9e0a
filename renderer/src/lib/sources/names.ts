import type { SourceInfo } from '../../../../engine/api/types.ts';

/** Sources from which on they can be searched by name: fewer are seen at once. */
export const SEARCHED_SOURCES = 12;

/** The sources whose place, label or decoder have all words of a text, in any order and letter case. */
export function sourcesWith<T extends Pick<SourceInfo, 'label' | 'location' | 'decoder'>>(
  sources: readonly T[],
  text: string,
): readonly T[] {
  const words = text.toLowerCase().split(/\s+/);
  return sources.filter(({ label, location, decoder }) => {
    const named = `${label} ${location} ${decoder?.name ?? ''}`.toLowerCase();
    return words.every((word) => named.includes(word));
  });
}

/** The name of a workspace: its file's without the ending, or the folder's when the file has the default name. */
export function workspaceName(path: string): string {
  const name = path.split(/[\\/]/).at(-1) ?? '';
  const bare = name.replace(/\.toml$/i, '');
  return bare === '' || bare === 'workspace' ? 'Workspace' : bare;
}

/** The last part of a path, and the folder before it. */
export function splitPath(path: string): { readonly name: string; readonly folder: string } {
  const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return { name: path.slice(cut + 1), folder: path.slice(0, Math.max(0, cut)) };
}
