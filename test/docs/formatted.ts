import { format, resolveConfig } from 'prettier';
import { inRoot } from '../../scripts/lib/paths.mjs';

/** Returns made pages of a folder as the formatter writes them. */
export async function formatted(folder: string, pages: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const all = Object.entries(pages).map(async ([name, page]) => {
    const file = inRoot(folder, name);
    return [name, await format(page, { ...(await resolveConfig(file)), filepath: file })] as const;
  });
  return Object.fromEntries(await Promise.all(all));
}
