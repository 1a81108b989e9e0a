import type * as Crypto from 'node:crypto';
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRegularFileSync } from '../files/regular-file.ts';
import { checkedBytes, wholeBytes } from '../files/checked-text.ts';
import { makeFolderSync } from '../files/folders.ts';
import { stripTypes } from '../text/strip-types.ts';

/**
 * Texts that take time to make from sources, kept for the next start beside Node's compile cache (`NODE_COMPILE_CACHE`), under a name that
 * holds a hash of the sources. A line at its end holds their checksum: what is damaged, as by a machine that stopped, is made anew. Without such a
 * folder they are made at each start.
 */

/** Loaded when something is hashed: that takes a fifth of the time in which the command starts. */
const crypto = (): typeof Crypto => process.getBuiltinModule('node:crypto');

const folder = (): string | null => {
  const compiled = getCompileCacheDir();
  return compiled === undefined ? null : join(compiled, 'sluicebox');
};

/** A text, and the file that it is in when it is kept. */
export interface PreparedText {
  readonly text: string;
  readonly path: string | null;
}

/** The text that `make` makes from these sources (files, and the files of folders). */
export function prepared(name: `${string}.${string}`, sources: readonly URL[], make: () => string): PreparedText {
  return kept(name, () => fingerprint(sources), make);
}

/** A text, and the files that it was made from. */
export interface Made {
  readonly text: string;
  readonly files: Iterable<string>;
}

/**
 * The text that `make` makes from these sources and from files that they lead to, as by imports. A list of those files is kept beside it, so that no others
 * are looked at: they lead to others only when one of them has changed.
 */
export function preparedBy(name: `${string}.${string}`, sources: readonly URL[], make: () => Made): PreparedText {
  const place = folder();
  if (place === null) return { text: make().text, path: null };
  const list = pathOf(place, `${name.slice(0, name.indexOf('.'))}.files`, fingerprint(sources));
  const keyOf = (files: readonly string[]): string => fingerprint(sources, files);
  const known = keptBytes(list)?.toString('utf8').split('\n').filter(Boolean);
  const path = known && pathOf(place, name, keyOf(known));
  const whole = path === undefined ? null : keptBytes(path);
  if (path !== undefined && whole !== null) return { text: whole.toString('utf8'), path };
  const { text, files } = make();
  const found = [...files];
  keep(list, Buffer.from(found.join('\n')));
  return kept(
    name,
    () => keyOf(found),
    () => text,
  );
}

/** The file with the text that `make` makes from these sources; null: nothing is kept. */
export function preparedFile(name: `${string}.${string}`, sources: readonly URL[], make: () => string): string | null {
  const place = folder();
  if (place === null) return null;
  const path = pathOf(place, name, fingerprint(sources));
  return keptBytes(path) !== null || keep(path, Buffer.from(make())) ? path : null;
}

/** A script without its types, by `stripTypes`. Throws its errors. */
export function withoutTypes(text: string): string {
  const hash = (): string => crypto().createHash('sha256').update(process.version).update(text).digest('hex');
  return kept('script.js', hash, () => stripTypes(text)).text;
}

/** Whether what is made is kept for the next start. */
export const keepsPrepared = (): boolean => folder() !== null;

/** The text that `make` makes from a text by means of sources that have this fingerprint. */
export function preparedOf(name: `${string}.${string}`, text: string, sources: string, make: () => string): string {
  return kept(name, () => hashOf(sources, text), make).text;
}

/** The text that `keepOf` has kept for a text and sources; null: there is none. */
export function keptOf(name: `${string}.${string}`, text: string, sources: string): string | null {
  const place = folder();
  return place === null ? null : (keptBytes(pathOf(place, name, hashOf(sources, text)))?.toString('utf8') ?? null);
}

/** Keeps what was made elsewhere from a text by means of sources. */
export function keepOf(name: `${string}.${string}`, text: string, sources: string, made: string): void {
  const place = folder();
  if (place !== null) keep(pathOf(place, name, hashOf(sources, text)), Buffer.from(made));
}

const hashOf = (sources: string, text: string): string => crypto().createHash('sha256').update(sources).update(text).digest('hex');

function kept(name: `${string}.${string}`, keyOf: () => string, make: () => string): PreparedText {
  const place = folder();
  if (place === null) return { text: make(), path: null };
  const path = pathOf(place, name, keyOf());
  const whole = keptBytes(path);
  if (whole !== null) return { text: whole.toString('utf8'), path };
  const text = make();
  return { text, path: keep(path, Buffer.from(text)) ? path : null };
}

function pathOf(place: string, name: `${string}.${string}`, key: string): string {
  const [stem, extension] = name.split('.') as [string, string];
  return join(place, `${stem}-${key}.${extension}`);
}

/** Bytes of a kept file. */
const MOST_BYTES = 256 << 20;

/** The bytes of a kept file; null: there is none, or it is damaged. */
export function keptBytes(path: string): Buffer | null {
  try {
    return wholeBytes(readRegularFileSync(path, MOST_BYTES).bytes);
  } catch {
    return null;
  }
}

/** Keeps bytes in a file of this folder. Others may write the same at the same time: the file is there whole or not at all. @returns whether they are kept */
export function keep(path: string, bytes: Buffer): boolean {
  const place = dirname(path);
  try {
    makeFolderSync(place, 0o700);
    const part = `${path}.${crypto().randomBytes(8).toString('hex')}.part`;
    writeFileSync(part, checkedBytes(bytes), { mode: 0o600, flag: 'wx' });
    renameSync(part, path);
    removeOld(place);
    return true;
  } catch {
    return false;
  }
}

/** Age since the last use from which a kept file is removed: most likely its sources are gone. */
const OLD_MS = 30 * 24 * 3600 * 1000;

function removeOld(place: string): void {
  for (const name of readdirSync(place)) {
    const path = join(place, name);
    const { atimeMs, mtimeMs } = statSync(path);
    if (Date.now() - Math.max(atimeMs, mtimeMs) > OLD_MS) rmSync(path, { force: true });
  }
}

/** Tells sources, and further files by their paths, by their names, sizes and times; a file may be gone. */
export function fingerprint(sources: readonly URL[], files: readonly string[] = []): string {
  const hash = new Fingerprint(process.version);
  for (const path of [...sources.flatMap(filesOf), ...files]) {
    const found = statSync(path, { throwIfNoEntry: false });
    hash.add(`\n${path}\0${found?.size}\0${found?.mtimeMs}`);
  }
  return hash.text;
}

/** A hash of 64 bits, made of two in the manner of FNV-1a. Nobody makes sources on purpose that have the same. */
class Fingerprint {
  #one = 0x811c9dc5;
  #other = 0x5bd1e995;

  constructor(text: string) {
    this.add(text);
  }

  add(text: string): void {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      this.#one = Math.imul(this.#one ^ code, 0x01000193);
      this.#other = Math.imul(this.#other ^ code, 0x85ebca6b) ^ (this.#other >>> 13);
    }
  }

  get text(): string {
    return [this.#one, this.#other].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
  }
}

function filesOf(source: URL): string[] {
  const path = fileURLToPath(source);
  if (!source.href.endsWith('/')) return [path];
  const entries = readdirSync(path, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
