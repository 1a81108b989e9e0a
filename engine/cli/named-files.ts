import { readdir, stat } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { discover, isPattern } from '../inputs/file/discovery.ts';
import { fileProblem, InputError } from '../inputs/notices.ts';
import { isStandardInput } from '../inputs/shared/standard-input.ts';

/** A file that an argument stands for, or why it stands for none. */
export type NamedFile = { readonly file: string; readonly problem?: InputError };

/** The files that arguments stand for: a file for itself, a folder for the files in it, a pattern for the files that it fits. */
export async function* namedFiles(paths: readonly string[]): AsyncGenerator<NamedFile> {
  for (const path of paths) yield* await filesOf(path);
}

async function filesOf(path: string): Promise<readonly NamedFile[]> {
  if (isStandardInput(path)) return [{ file: path }];
  const info = await stat(path).catch(() => null);
  if (info?.isDirectory() === true) return filesIn(path);
  // A file may have a name that looks like a pattern.
  return info === null && isPattern(path) ? filesThatFit(path) : [{ file: path }];
}

async function filesThatFit(pattern: string): Promise<readonly NamedFile[]> {
  const { files } = await discover([pattern]);
  if (files.length === 0) return [{ file: pattern, problem: new InputError('file.missing', `No file fits ${pattern}.`) }];
  return files.map(({ path }) => ({ file: isAbsolute(pattern) ? path : relative('', path) }));
}

async function filesIn(folder: string): Promise<readonly NamedFile[]> {
  try {
    const files: NamedFile[] = [];
    for (const name of (await readdir(folder)).sort()) {
      const file = join(folder, name);
      if ((await stat(file).catch(() => null))?.isFile() === true) files.push({ file });
    }
    return files.length > 0 ? files : [{ file: folder, problem: new InputError('file.missing', `${folder} has no files.`) }];
  } catch (error) {
    return [{ file: folder, problem: fileProblem(folder, error) }];
  }
}
