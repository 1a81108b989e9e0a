import { realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { messageOf } from '../base/errors.ts';
import { MAGIC, matchingFiles } from '../base/files/matching-files.ts';
import { isTable, type ParsedDocument } from './document.ts';
import type { ConfigProblem } from './problems.ts';

/** The files of a configuration, in the order in which they are merged. */
export interface ReadFiles {
  readonly parsed: readonly ParsedDocument[];
  /** Absolute patterns of the files that were included. */
  readonly patterns: readonly string[];
}

/** Key outside of all sections that names further files. */
const KEY = 'include';

/**
 * Reads files, and behind each one those that it includes. Each file is read once.
 * @param parse never rejects
 * @param filesOf the files of a folder; throws when it has none
 */
export async function readWithIncludes(
  files: readonly string[],
  parse: (file: string) => Promise<ParsedDocument>,
  filesOf: (folder: string) => Promise<string[]>,
): Promise<ReadFiles> {
  const seen = new Set<string>();
  const patterns: string[] = [];
  const parsed: ParsedDocument[] = [];
  const read = async (file: string): Promise<void> => {
    const real = await realpath(file).catch(() => file);
    if (seen.has(real)) return;
    seen.add(real);
    const part = await parse(file);
    const { document, wanted, problems } = takeKey(part, file);
    const wrong = [...problems];
    const note = (text: string): void => void wrong.push(problemAt(part, file, text));
    const found = await Promise.all(wanted.map((pattern) => matching(resolve(dirname(file), pattern), filesOf, note)));
    for (const [i, pattern] of wanted.entries()) if (found[i]?.length === 0 && !MAGIC.test(pattern)) note(`there is no file ${pattern}`);
    parsed.push({ ...part, document, problems: [...part.problems, ...wrong] });
    patterns.push(...wanted.map((pattern) => resolve(dirname(file), pattern)));
    for (const name of found.flat()) await read(name);
  };
  for (const file of files) await read(file);
  return { parsed, patterns };
}

/** The document without the key, and what that names. A section of this name is one. */
function takeKey(
  part: ParsedDocument,
  file: string,
): Pick<ParsedDocument, 'document' | 'problems'> & { readonly wanted: readonly string[] } {
  const { [KEY]: value, ...table } = part.document.table;
  if (value === undefined || isTable(value)) return { document: part.document, wanted: [], problems: [] };
  const list: unknown[] = Array.isArray(value) ? value : [value];
  const wanted = list.filter((pattern) => typeof pattern === 'string' && pattern !== '') as string[];
  const problems = wanted.length === list.length ? [] : [problemAt(part, file, 'must be a list of paths, such as ["conf.d/*.toml"]')];
  return { document: { ...part.document, table }, wanted, problems };
}

const problemAt = ({ document }: ParsedDocument, file: string, text: string): ConfigProblem => ({
  code: 'config.parameter',
  ...(document.origin([KEY]) ?? { file, line: 0 }),
  section: '',
  key: KEY,
  text,
  hint: '',
});

/** The files that a pattern names, in alphabetical order. */
async function matching(pattern: string, filesOf: (folder: string) => Promise<string[]>, note: (text: string) => void): Promise<string[]> {
  const unread = (folder: string, error: unknown): void => note(`the folder ${folder} cannot be read: ${messageOf(error)}`);
  const paths: string[] = [];
  for await (const path of matchingFiles(pattern, unread)) paths.push(path);
  const files = paths.sort().map(async (path) => ((await stat(path)).isDirectory() ? filesOf(path).catch(() => []) : [path]));
  return (await Promise.all(files)).flat();
}
