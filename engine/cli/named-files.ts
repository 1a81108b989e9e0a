import { readdir, stat } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { archiveOn, memberPath, openArchive, type Archive } from '../inputs/archive/archive.ts';
import { leftOutText } from '../inputs/archive/left-out.ts';
import type { LeftOut } from '../inputs/archive/types.ts';
import { discover, isPattern } from '../inputs/file/discovery.ts';
import { fileProblem, InputError } from '../inputs/notices.ts';
import { isStandardInput } from '../inputs/shared/standard-input.ts';

/** A file that an argument stands for, or why it stands for none. */
export type NamedFile = { readonly file: string; readonly problem?: InputError };

/**
 * The files that arguments stand for: a file for itself, an archive for the logs in it, a folder for the files in it, a pattern for the files that it fits.
 * @param tell called with a sentence about what of an archive or a folder is left out
 */
export async function* namedFiles(paths: readonly string[], tell: (text: string) => void = () => undefined): AsyncGenerator<NamedFile> {
  for (const path of paths) yield* filesOf(path, tell);
}

async function* filesOf(path: string, tell: (text: string) => void): AsyncGenerator<NamedFile> {
  if (isStandardInput(path)) {
    yield { file: path };
    return;
  }
  const info = await stat(path).catch(() => null);
  if (info?.isDirectory() === true) yield* filesIn(path, tell);
  // A file may have a name that looks like a pattern.
  else if (info === null && isPattern(path)) yield* filesThatFit(path, tell);
  else yield* info === null ? filesInArchive(path, tell) : logsOf(path, tell);
}

/** A file, or the logs in it if it is an archive. */
async function* logsOf(path: string, tell: (text: string) => void): AsyncGenerator<NamedFile> {
  const archive = await problemOr(path, openArchive(path));
  if (archive instanceof InputError) yield { file: path, problem: archive };
  else if (archive === null) yield { file: path };
  else yield* membersOf(archive, path, '', tell);
}

/** The logs at a path in an archive: one, or those in a folder. A path that leads nowhere is reported when it is read. */
async function* filesInArchive(path: string, tell: (text: string) => void): AsyncGenerator<NamedFile> {
  const place = await problemOr(path, archiveOn(path));
  if (place instanceof InputError) yield { file: path, problem: place };
  else if (place === null || place.archive.member(place.name) !== null) yield { file: path };
  else yield* membersOf(place.archive, place.path, place.name.replace(/\/$/, ''), tell);
}

/** The logs of an archive at a path, below a folder of it. */
async function* membersOf(archive: Archive, path: string, folder: string, tell: (text: string) => void): AsyncGenerator<NamedFile> {
  const isIn = ({ name }: { readonly name: string }): boolean => folder === '' || name === folder || name.startsWith(`${folder}/`);
  const leftOut = archive.leftOut.filter(isIn);
  const text = leftOutText(
    path,
    leftOut.filter(({ isLoss }) => !isLoss),
  );
  if (text !== null) tell(text);
  let count = 0;
  for (const member of archive.members) {
    if (!isIn(member)) continue;
    count++;
    yield { file: memberPath(path, member) };
  }
  for (const { name, why, isLoss } of leftOut) {
    if (!isLoss) continue;
    yield { file: `${path}/${name}`, problem: new InputError('file.unreadable', `${path}: ${name} was left out: ${why}.`) };
  }
  if (count > 0) return;
  const place = folder === '' ? path : `${path}/${folder}`;
  yield {
    file: place,
    problem: new InputError('file.missing', `${path} has no log${folder === '' ? '' : ` ${folder}, nor one below it`}.`),
  };
}

async function problemOr<T>(path: string, work: Promise<T>): Promise<T | InputError> {
  return work.catch((error: unknown) => fileProblem(path, error));
}

async function* filesThatFit(pattern: string, tell: (text: string) => void): AsyncGenerator<NamedFile> {
  const { files, unmatched, unreadable } = await discover([pattern]);
  for (const [folder, error] of unreadable) yield { file: folder, problem: fileProblem(folder, error) };
  if (unmatched.length > 0) yield { file: pattern, problem: new InputError('file.missing', `No file fits ${pattern}.`) };
  for (const { path } of files) yield* logsOf(isAbsolute(pattern) ? path : relative('', path), tell);
}

async function* filesIn(folder: string, tell: (text: string) => void): AsyncGenerator<NamedFile> {
  const names = await problemOr(folder, readdir(folder));
  if (names instanceof InputError) {
    yield { file: folder, problem: names };
    return;
  }
  const leftOut: LeftOut[] = [];
  let count = 0;
  for (const name of names.sort()) {
    const file = join(folder, name);
    const info = await stat(file).catch(() => null);
    if (info?.isFile() === true) {
      count++;
      yield* logsOf(file, tell);
    } else leftOut.push({ name, why: kindOf(info), isLoss: false });
  }
  const text = leftOutText(folder, leftOut);
  if (text !== null) tell(text);
  if (count === 0) yield { file: folder, problem: new InputError('file.missing', `${folder} has no files.`) };
}

function kindOf(info: Stats | null): string {
  if (info === null) return 'it leads nowhere';
  return info.isDirectory() ? 'it is a folder: name it, too, or all below by a pattern with **' : 'it is a pipe, a socket or a device';
}
