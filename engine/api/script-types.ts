import type ts from 'typescript';

/** The mistakes that TypeScript finds in a script: for the editor of the window, and for the check of a configuration. It imports nothing else than types. */

/** The package `typescript`, which the caller loads. */
export type TypeScript = typeof ts;

/** A mistake in the script. Places are numbers of characters from its beginning. */
export interface TypeProblem {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly severity: 'error' | 'warning';
}

/** The texts with which a script is read, by path. */
export interface TypeSources {
  /** Declarations of the language: `lib.es5.d.ts`, … */
  readonly libs: Readonly<Record<string, string>>;
  /** The interface of scripts. */
  readonly api: string;
  /** Modules that can be imported by name, and what they are made of: `modules/graph.ts`, `base/scan.ts`. */
  readonly modules: Readonly<Record<string, string>>;
}

const FOLDER = '/plugins/';
const LIBS = '/lib/';
const baseOf = (ts: TypeScript): ts.CompilerOptions => ({
  target: ts.ScriptTarget.ES2024,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2024.d.ts'],
  types: [],
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
  noImplicitAny: false,
});
/** A module that is not bundled: the trial says whether it is there. */
const NOT_FOUND: ReadonlySet<number> = new Set([2307, 2792, 7016]);
/** A name that the script has never declared. */
const UNKNOWN: ReadonlySet<number> = new Set([2304, 2552, 2539]);
/** Assignments by which scripts make names that outlive their replacement: `globalThis.counts = …`. */
const GLOBAL = /\bglobalThis\.([\w$]+)\s*(?:\?\?=|=(?!=))/g;
/** Of a script in JavaScript these are mistakes for sure: unknown and misspelt names, numbers of arguments. */
const SURE: ReadonlySet<number> = new Set([2304, 2552, 2551, 2554, 2555, 2588, 18004]);

/** Reads one script with the types of its interface and of the modules. */
export class ScriptTypes {
  readonly #ts: TypeScript;
  readonly #files: ReadonlyMap<string, string>;
  readonly #typed: boolean;
  #text = '';
  #version = 0;
  protected readonly script: string;
  protected readonly service: ts.LanguageService;

  /** @param typed whether it is TypeScript */
  constructor(ts: TypeScript, { libs, api, modules }: TypeSources, typed: boolean) {
    this.#ts = ts;
    this.#typed = typed;
    this.script = `${FOLDER}script/draft.${typed ? 'ts' : 'js'}`;
    const texts = [
      ...Object.entries(libs).map(([name, text]) => [LIBS + name, text] as const),
      ...Object.entries(modules).map(([name, text]) => [FOLDER + name, text] as const),
      [`${FOLDER}require.d.ts`, requireOf(Object.keys(modules))] as const,
      [`${FOLDER}api.d.ts`, api] as const,
    ];
    this.#files = new Map(texts);
    this.service = ts.createLanguageService(this.#host());
  }

  update(text: string): void {
    if (text === this.#text) return;
    this.#text = text;
    this.#version++;
  }

  problems(): TypeProblem[] {
    const { service } = this;
    const ts = this.#ts;
    const found = [
      ...service.getSyntacticDiagnostics(this.script).map((one) => ({ one, sure: true })),
      ...service.getSemanticDiagnostics(this.script).map((one) => ({ one, sure: this.#typed || SURE.has(one.code) })),
    ];
    const kept = new Set([...this.#text.matchAll(GLOBAL)].map(([, name]) => name));
    const isKept = ({ code, start = 0, length = 0 }: ts.Diagnostic): boolean =>
      UNKNOWN.has(code) && kept.has(this.#text.slice(start, start + length));
    return found
      .filter(({ one }) => one.category === ts.DiagnosticCategory.Error && !NOT_FOUND.has(one.code) && !isKept(one))
      .map(({ one, sure }) => {
        const from = one.start ?? 0;
        const text = ts.flattenDiagnosticMessageText(one.messageText, '\n');
        return { from, to: Math.max(from + 1, from + (one.length ?? 0)), text, severity: sure ? 'error' : 'warning' };
      });
  }

  #host(): ts.LanguageServiceHost {
    const ts = this.#ts;
    const options: ts.CompilerOptions = {
      ...baseOf(ts),
      ...(this.#typed ? { strict: true, noImplicitAny: false } : { allowJs: true, checkJs: true }),
    };
    const textOf = (path: string): string | undefined => (path === this.script ? this.#text : this.#files.get(path));
    const declared = [`${FOLDER}require.d.ts`, `${FOLDER}api.d.ts`];
    return {
      getCompilationSettings: () => options,
      getScriptFileNames: () => [...declared, this.script],
      getScriptVersion: (path) => (path === this.script ? String(this.#version) : '1'),
      getScriptSnapshot: (path) => {
        const text = textOf(path);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => FOLDER,
      getDefaultLibFileName: () => `${LIBS}lib.es2024.d.ts`,
      fileExists: (path) => textOf(path) !== undefined,
      readFile: textOf,
      resolveModuleNameLiterals: (literals, from) =>
        literals.map(({ text }) => {
          const path = text.startsWith('.')
            ? new URL(text, `file://${from}`).pathname
            : `${FOLDER}modules/${text.replace(/\.[jt]s$/, '')}.ts`;
          if (!this.#files.has(path)) return { resolvedModule: undefined };
          return { resolvedModule: { resolvedFileName: path, extension: ts.Extension.Ts, isExternalLibraryImport: false } };
        }),
    };
  }
}

/** Declares the result of `require` for each module by its name; for other names it is unknown. */
function requireOf(paths: readonly string[]): string {
  const names = paths.flatMap((path) => /^modules\/(\w+)\.ts$/.exec(path)?.[1] ?? []);
  const known = names.map((name) => `declare function require(name: '${name}'): typeof import('${name}');\n`);
  return `${known.join('')}declare function require(name: string): any;\n`;
}
