import { opendir, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { localPath } from './typed-target.ts';

/** Entries of a folder that are looked at, and continuations that are offered. */
const [MOST_ENTRIES, MOST_OFFERED] = [20_000, 50];

/** Continuations of a typed path, in order of their names: folders end with a slash. None for what is no path. */
export async function completions(typed: string): Promise<string[]> {
  const text = typed.trimStart();
  const slash = text.lastIndexOf('/') + 1;
  if (slash === 0 || /\p{Cc}/u.test(text)) return text === '~' ? ['~/'] : [];
  const [stem, begun] = [text.slice(0, slash), text.slice(slash)];
  const folder = localPath(stem);
  const names = (await namesIn(folder, begun)).sort().slice(0, MOST_OFFERED);
  const found = await Promise.all(names.map((name) => continuation(folder, stem, name)));
  return found.filter((one) => one !== null);
}

/** Hidden names are offered to those who begin with a point. */
async function namesIn(folder: string, begun: string): Promise<string[]> {
  const names: string[] = [];
  try {
    let seen = 0;
    for await (const { name } of await opendir(folder)) {
      if (++seen > MOST_ENTRIES) break;
      if (name.startsWith(begun) && (begun !== '' || !name.startsWith('.'))) names.push(name);
    }
  } catch {
    // A folder that is not there or may not be read has no names to offer.
  }
  return names;
}

async function continuation(folder: string, stem: string, name: string): Promise<string | null> {
  const info = await stat(join(folder, name)).catch(() => null);
  if (info?.isDirectory() === true) return `${stem}${name}${sep}`;
  return info?.isFile() === true ? `${stem}${name}` : null;
}
