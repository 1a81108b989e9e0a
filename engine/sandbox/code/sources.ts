import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { BUNDLED_PLUGINS } from '../../base/product/bundled.ts';
import { withoutTypes } from '../../base/product/prepared.ts';
import { isShipped } from '../../base/product/shipped.ts';
import { suggest } from '../../base/text/suggest.ts';
import { isCopyOfBundled } from './copied.ts';
import { instrumentedText, keepInstrumented, keptInstrumented } from './instrumented.ts';
import {
  importedPath,
  isInside,
  isRelative,
  isScriptName,
  isThere,
  OutsideError,
  readScriptFile,
  realPath,
  rootsFrom,
  rootsOf,
  SCRIPT_EXTENSIONS,
} from './script-files.ts';
import type { InstrumentedHead, RequestHead, SourceAnswer, SourceFile } from '../contract/protocol.ts';
import { DEFAULT_LIMITS, type SandboxSpec } from '../contract/types.ts';

/** Limits of the steps of a call that are nobody's wish. */
const UNWANTED: ReadonlySet<number> = new Set([0, DEFAULT_LIMITS.instructions]);

/**
 * Reads the files that one sandbox may load: its script, files in the script's folder and below, and those in the module directories; a bundled
 * file may also import any other bundled one. Each request is answered once and remembered, so that a restarted sandbox gets the same code.
 */
export class ScriptSources {
  readonly #script: string;
  readonly #modules: readonly string[];
  readonly #roots: readonly string[];
  readonly #answers = new Map<string, SourceAnswer>();
  readonly #draft: string | undefined;
  /** Whether files as we ship them run without a step counter: the script is our own then, and the limit of its time stops a call that does not end. */
  readonly #uncounted: boolean;

  constructor(spec: Pick<SandboxSpec, 'kind' | 'script' | 'modules' | 'text' | 'limits' | 'profile'>) {
    const { script, modules, text } = spec;
    this.#draft = text;
    this.#uncounted = text === undefined && !wantsCounting(spec) && isOurs(script);
    this.#script = script;
    this.#modules = modules;
    this.#roots = rootsOf(script, modules);
  }

  answer(request: RequestHead): SourceAnswer {
    const key = JSON.stringify(request);
    const known = this.#answers.get(key) ?? this.#find(request);
    this.#answers.set(key, known);
    return known;
  }

  /** Keeps what a host has made of users' files for later ones. */
  keep(made: InstrumentedHead): void {
    for (const answer of this.#answers.values()) {
      if ('error' in answer || (answer.file.path === this.#script && this.#draft !== undefined)) continue;
      const { path, text } = answer.file;
      const found = made.find((file) => file.path === path);
      if (found !== undefined) keepInstrumented(path, text, found.instrumented);
    }
  }

  #find(request: RequestHead): SourceAnswer {
    switch (request.want) {
      case 'script':
        return this.#ownScript(basename(this.#script));
      case 'module':
        return this.#module(request.name);
      case 'import':
        return isRelative(request.specifier) ? this.#imported(request.specifier, request.from) : this.#module(request.specifier);
      case 'variable':
      case 'lookup':
      case 'go on':
      case 'input':
        return { error: 'not a file' };
    }
  }

  #ownScript(label: string): SourceAnswer {
    if (this.#draft === undefined) return this.#readFile(this.#script, label);
    return { file: { path: this.#script, label, text: this.#draft } };
  }

  #module(name: string): SourceAnswer {
    if (!/^\w[\w-]*(?:[./]\w[\w-]*)*$/.test(name)) return { error: `module '${name}' not found: not a module name${wayTo(name)}` };
    const endings = isScriptName(name) ? [''] : SCRIPT_EXTENSIONS;
    const tried = this.#modules.flatMap((directory) => endings.map((ending) => join(directory, name + ending)));
    const found = tried.find(isThere);
    if (found !== undefined) return this.#readFile(found, basename(found));
    const names = this.#modules.flatMap(scriptsIn).map((file) => basename(file, extname(file)));
    return { error: `module '${name}' not found:${tried.map((path) => `\n\tno file '${path}'`).join('')}${meant(name, names, '\n\t')}` };
  }

  #imported(specifier: string, from: string): SourceAnswer {
    const found = importedPath(specifier, from);
    const roots = rootsFrom(from, this.#roots);
    if (found === undefined) return { error: `cannot find '${specifier}'${this.#nearFile(specifier, from, roots)}` };
    return this.#readFile(found, basename(found), roots);
  }

  /** A question about the file that was meant, in a folder whose files may be imported. */
  #nearFile(specifier: string, from: string, roots: readonly string[]): string {
    const folder = dirname(resolve(dirname(from), specifier));
    const isOpen = roots.some((root) => folder === root || isInside(folder, root));
    const start = specifier.slice(0, specifier.lastIndexOf('/') + 1);
    return isOpen ? meant(basename(specifier), scriptsIn(folder), '; ', start) : '';
  }

  /** Reads a file if it is in one of the folders after symbolic links are resolved. */
  #readFile(path: string, label: string, roots: readonly string[] = this.#roots): SourceAnswer {
    const isOwn = path === this.#script;
    try {
      const [real = path] = realPath(path);
      if (isBundled(real) && (isOwn || roots.some((root) => isInside(real, root)))) {
        const { size, mtimeMs } = statSync(real);
        return { file: { path: real, label, ...this.#bundledText(real, `${size} ${mtimeMs}`) } };
      }
      const { place, bytes } = readScriptFile(path, isOwn ? null : roots);
      if (!isOwn && !isScriptName(path))
        return { error: `'${path}' is not a script: its name ends with none of ${SCRIPT_EXTENSIONS.join(', ')}` };
      const text = bytes.toString('utf8');
      return { file: { path: place, label, ...(isCopyOfBundled(place, text) ? countedText(text) : userText(place, text)) } };
    } catch (error) {
      if (error instanceof OutsideError)
        return { error: `'${path}' is outside of the folders of this sandbox: give its folder as module_directory${wayTo(path)}` };
      return { error: `cannot read '${path}': ${error instanceof Error ? error.message : String(error)}` };
    }
  }

  #bundledText(path: string, changed: string): BundledText {
    const { text, isAsShipped } = bundledFile(path, changed);
    return this.#uncounted && isAsShipped ? uncountedText(text) : text;
  }
}

type BundledText = Pick<SourceFile, 'text' | 'stripped' | 'uncounted' | 'shape' | 'instrumented'>;

interface BundledFile {
  /** Differs when the file was changed. */
  readonly changed: string;
  readonly text: BundledText;
  readonly isAsShipped: boolean;
}

/** Bundled files without their types, by path: each sandbox loads dozens of them, mostly the same ones. */
const bundled = new Map<string, BundledFile>();

function bundledFile(path: string, changed: string): BundledFile {
  const known = bundled.get(path);
  if (known?.changed === changed) return known;
  const whole = readScriptFile(path, null).bytes.toString('utf8');
  const file = { changed, text: countedText(whole), isAsShipped: isShipped(path, whole) };
  bundled.set(path, file);
  return file;
}

/** Our own text as a host takes it: without its types, with its step counter. */
function countedText(whole: string): BundledText {
  const text = withoutTypes(whole);
  return { text, stripped: true, instrumented: instrumentedText(text) ?? undefined };
}

const userText = (path: string, text: string): BundledText => ({ text, instrumented: keptInstrumented(path, text) ?? undefined });

function uncountedText({ text, instrumented }: BundledText): BundledText {
  const shape = instrumented && { form: instrumented.form, own: instrumented.own };
  return { text, stripped: true, uncounted: true, shape };
}

/** Whether somebody wants to know the steps of a call, or nothing else would stop one that does not end. */
const wantsCounting = ({ kind, limits, profile = false }: Pick<SandboxSpec, 'kind' | 'limits' | 'profile'>): boolean =>
  profile || !UNWANTED.has(limits.instructions) || limits.callMs === 0 || kind === 'input';

/** Whether a script is a bundled one: its types are stripped here, with a cache, as those of unchanged copies are. Scripts of users are only parsed in a host. */
const isBundled = (path: string): boolean => path.endsWith('.ts') && isInside(path, BUNDLED_PLUGINS);

/** The names of the scripts in a folder; none when it cannot be read. */
function scriptsIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter(isScriptName);
  } catch {
    return [];
  }
}

/** A question about what was meant by a mistyped name; empty when nothing is near. */
function meant(typed: string, names: readonly string[], before: string, start = ''): string {
  const name = suggest(typed, names);
  return name === undefined ? '' : `${before}did you mean '${start}${name}'?`;
}

/** Advice for a path to a module: how to name it instead; empty when the path's last part is no module's name. */
function wayTo(path: string): string {
  const name = basename(path, extname(path));
  if (!path.includes('/') || !/^\w[\w-]*$/.test(name)) return '';
  return isAbsolute(path) ? `, and import it as '${name}'` : `; write require('${name}'), and give the folder of it as module_directory`;
}

/** Whether a script is a bundled one as we ship it. */
function isOurs(script: string): boolean {
  try {
    return realPath(script).some((path) => isBundled(path) && isShipped(path, readScriptFile(path, null).bytes.toString('utf8')));
  } catch {
    // What cannot be read is said where it is loaded.
    return false;
  }
}
