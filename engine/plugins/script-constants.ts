import type { Expression } from 'acorn';
import type { RegularFile } from '../base/files/regular-file.ts';
import { messageOf } from '../base/errors.ts';
import {
  importedPath,
  isRelative,
  isScriptName,
  OutsideError,
  readScriptFile,
  rootsFrom,
  rootsOf,
  SCRIPT_EXTENSIONS,
} from '../sandbox/code/script-files.ts';
import { outlineOf, TypeInValueError, type ImportedName, type ScriptOutline } from './script-outline.ts';

/**
 * Files whose constants a meta may use: those that the script's sandbox may load from the script's folder, or none: the text is a draft, or came over the
 * network.
 */
export type MetaFiles = 'folder' | 'none';

/** Largest cost of a meta with its constants expanded. */
const MAX_WORK = 300_000;
/** The files that one meta may need, in number, in bytes and in the length of the way to them. */
const MAX_FILES = 50;
const MAX_BYTES = 1 << 20;
const MAX_DEPTH = 16;

/** State shared by the files of one script while its meta is read. */
interface Reading {
  /** Folders of the files that may be read; empty: none is. */
  readonly roots: readonly string[];
  readonly allowed: MetaFiles;
  /** The files that were read, by the paths of their imports, and by those without symbolic links. */
  readonly files: Map<string, ScriptConstants>;
  /** Paths of those that were read, without symbolic links. */
  readonly read: Set<string>;
  leftWork: number;
  leftBytes: number;
}

/** The value of a constant does not parse. */
export class UnparsedError extends Error {
  override readonly name = 'UnparsedError';
  /** Those of its file. */
  readonly constants: ScriptConstants;

  constructor(constants: ScriptConstants, message: string, options: ErrorOptions) {
    super(message, options);
    this.constants = constants;
  }
}

/** A constant, and the file whose constants its value may name. */
interface FoundConstant {
  readonly value: Expression;
  readonly constants: ScriptConstants;
}

/** The constants at the top level of a script, and of the files that it imports. */
export class ScriptConstants {
  readonly #outline: ScriptOutline;
  readonly #path: string;
  readonly #depth: number;
  readonly #reading: Reading;

  /** @param read gets the paths of further files that are read */
  constructor(
    text: string,
    path: string,
    files: MetaFiles | { readonly depth: number; readonly reading: Reading },
    read = new Set<string>(),
  ) {
    this.#outline = outlineOf(text);
    this.#path = path;
    if (typeof files === 'string') {
      const roots = files === 'none' ? [] : rootsOf(path);
      this.#depth = 0;
      this.#reading = { roots, allowed: files, files: new Map(), read, leftWork: MAX_WORK, leftBytes: MAX_BYTES };
    } else ({ depth: this.#depth, reading: this.#reading } = files);
  }

  /** Subtracts a cost from what is left of `MAX_WORK`; throws when that is used up. */
  spend(amount: number): void {
    this.#reading.leftWork -= amount;
    if (this.#reading.leftWork < 0) throw new Error('it is too large');
  }

  /** File and line of a position in this file. */
  place(position: number): string {
    return `${this.#path}:${this.#outline.lineAt(position)}`;
  }

  /** Finds a constant by its name in this file. @throws {Error} when its value does not parse, or the file that it comes from is not read */
  find(name: string): FoundConstant | undefined {
    return this.#find(name, 0);
  }

  #find(name: string, hops: number): FoundConstant | undefined {
    const value = this.#valueOf(name);
    if (value !== undefined) return { value, constants: this };
    const imported = this.#outline.imported(name);
    return imported === undefined ? undefined : this.#elsewhere(imported, hops + 1);
  }

  #valueOf(name: string): Expression | undefined {
    try {
      return this.#outline.constant(name);
    } catch (error) {
      if (error instanceof TypeInValueError) throw new Error(`${this.place(error.position)}: ${error.message}`, { cause: error });
      if (!(error instanceof SyntaxError)) throw error;
      throw new UnparsedError(this, `${this.#path}: the value of ${name} does not parse: ${error.message}`, { cause: error });
    }
  }

  #elsewhere(imported: ImportedName, hops: number): FoundConstant {
    if (hops > MAX_DEPTH) throw this.#refusal(imported, 'which passes it on in a circle, or over too many files');
    const file = this.#file(imported);
    const local = file.#outline.exported(imported.name);
    const found = local === undefined ? undefined : file.#find(local, hops);
    if (found === undefined) throw this.#refusal(imported, 'which exports no constant of that name');
    return found;
  }

  #file(imported: ImportedName): ScriptConstants {
    const { specifier } = imported;
    const { allowed, roots, files } = this.#reading;
    if (allowed === 'none') throw this.#refusal(imported, 'but a draft, or a script that is sent, is read without other files');
    if (!isRelative(specifier))
      throw this.#refusal(imported, "but only files in the script's folder are read, by paths that begin with ./");
    const path = importedPath(specifier, this.#path);
    if (path === undefined) throw this.#refusal(imported, 'which is no file');
    if (!isScriptName(path))
      throw this.#refusal(imported, `which is not a script: its name ends with none of ${SCRIPT_EXTENSIONS.join(', ')}`);
    const known = files.get(path);
    if (known !== undefined) return known;
    if (this.#depth >= MAX_DEPTH) throw this.#refusal(imported, `but files that import each other are followed for ${MAX_DEPTH} steps`);
    if (files.size >= MAX_FILES) throw this.#refusal(imported, `but no more than ${MAX_FILES} files are read`);
    const { place, bytes } = this.#bytesOf(path, roots, imported);
    this.#reading.leftBytes -= bytes.length;
    const read = files.get(place) ?? new ScriptConstants(bytes.toString('utf8'), place, { depth: this.#depth + 1, reading: this.#reading });
    files.set(path, read).set(place, read);
    this.#reading.read.add(place);
    return read;
  }

  #bytesOf(path: string, roots: readonly string[], imported: ImportedName): RegularFile {
    try {
      return readScriptFile(path, rootsFrom(this.#path, roots), this.#reading.leftBytes);
    } catch (error) {
      const why = error instanceof OutsideError ? "which is outside of the script's folder" : `which cannot be read: ${messageOf(error)}`;
      throw this.#refusal(imported, why, error);
    }
  }

  #refusal({ name, specifier, at }: ImportedName, why: string, cause?: unknown): Error {
    const text = `${this.place(at)}: ${name} is imported from '${specifier}', ${why}: write the constant into the script itself`;
    return new Error(text, { cause });
  }
}
