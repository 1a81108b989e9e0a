import ts from 'typescript';

/** A mistake in the script. Places are numbers of characters from its beginning. */
export interface TypeProblem {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly severity: 'error' | 'warning';
}

/** Something that can be written at a place. */
export interface TypeCompletion {
  readonly name: string;
  /** Kind of CodeMirror's list: `function`, `variable`, … */
  readonly type: string;
  /** Names of the script and of the interface stand before those of the language. */
  readonly own: boolean;
}

/** The declaration of a name, and its comment. */
export interface TypeAbout {
  readonly from: number;
  readonly to: number;
  readonly signature: string;
  readonly doc: string;
}

/** The call around a place: the text before, in and behind the argument that is written. */
export interface CallHelp {
  readonly from: number;
  readonly before: string;
  readonly argument: string;
  readonly after: string;
  readonly doc: string;
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
const BASE: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2024,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2024.d.ts'],
  types: [],
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
  noImplicitAny: false,
};
/** A module that is not bundled: the trial says whether it is there. */
const NOT_FOUND: ReadonlySet<number> = new Set([2307, 2792, 7016]);
/** A name that the script has never declared. */
const UNKNOWN: ReadonlySet<number> = new Set([2304, 2552, 2539]);
/** Assignments by which scripts make names that outlive their replacement: `globalThis.counts = …`. */
const GLOBAL = /\bglobalThis\.([\w$]+)\s*(?:\?\?=|=(?!=))/g;
/** Of a script in JavaScript these are mistakes for sure: unknown and misspelt names, numbers of arguments. */
const SURE: ReadonlySet<number> = new Set([2304, 2552, 2551, 2554, 2555, 2588, 18004]);

/** Reads one script with the types of its interface and of the modules. */
export class TypeService {
  readonly #files: ReadonlyMap<string, string>;
  readonly #script: string;
  readonly #typed: boolean;
  readonly #service: ts.LanguageService;
  #text = '';
  #version = 0;

  /** @param typed whether it is TypeScript */
  constructor({ libs, api, modules }: TypeSources, typed: boolean) {
    this.#typed = typed;
    this.#script = `${FOLDER}script/draft.${typed ? 'ts' : 'js'}`;
    const texts = [
      ...Object.entries(libs).map(([name, text]) => [LIBS + name, text] as const),
      ...Object.entries(modules).map(([name, text]) => [FOLDER + name, text] as const),
      [`${FOLDER}require.d.ts`, requireOf(Object.keys(modules))] as const,
      [`${FOLDER}api.d.ts`, api] as const,
    ];
    this.#files = new Map(texts);
    this.#service = ts.createLanguageService(this.#host());
  }

  update(text: string): void {
    if (text === this.#text) return;
    this.#text = text;
    this.#version++;
  }

  problems(): TypeProblem[] {
    const service = this.#service;
    const found = [
      ...service.getSyntacticDiagnostics(this.#script).map((one) => ({ one, sure: true })),
      ...service.getSemanticDiagnostics(this.#script).map((one) => ({ one, sure: this.#typed || SURE.has(one.code) })),
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

  /** Completions at a place, and where they begin. */
  completions(at: number): TypeCompletion[] {
    const found = this.#service.getCompletionsAtPosition(this.#script, at, { includeCompletionsWithInsertText: false });
    const entries = found?.entries ?? [];
    return entries
      .filter(({ kind }) => kind !== ts.ScriptElementKind.warning)
      .map(({ name, kind, sortText, kindModifiers = '' }) => {
        const own = sortText < '15' && !/\bdeclare\b/.test(kindModifiers);
        return { name, type: TYPES[kind] ?? 'variable', own };
      });
  }

  /** Signature and documentation of a completion. */
  details(at: number, name: string): Pick<TypeAbout, 'signature' | 'doc'> | null {
    const found = this.#service.getCompletionEntryDetails(this.#script, at, name, undefined, undefined, undefined, undefined);
    if (found === undefined) return null;
    return { signature: ts.displayPartsToString(found.displayParts), doc: docOf(found.documentation, found.tags) };
  }

  about(at: number): TypeAbout | null {
    const found = this.#service.getQuickInfoAtPosition(this.#script, at);
    if (found === undefined) return null;
    const { start, length } = found.textSpan;
    return {
      from: start,
      to: start + length,
      signature: ts.displayPartsToString(found.displayParts),
      doc: docOf(found.documentation, found.tags),
    };
  }

  call(at: number): CallHelp | null {
    const found = this.#service.getSignatureHelpItems(this.#script, at, undefined);
    const item = found?.items[found.selectedItemIndex];
    if (found === undefined || item === undefined) return null;
    const parts = item.parameters.map(({ displayParts }) => ts.displayPartsToString(displayParts));
    const separator = ts.displayPartsToString(item.separatorDisplayParts);
    const index = Math.min(found.argumentIndex, Math.max(0, parts.length - 1));
    const join = (some: readonly string[]): string => some.join(separator);
    const [prefix, suffix] = [item.prefixDisplayParts, item.suffixDisplayParts].map((some) => ts.displayPartsToString(some));
    return {
      from: found.applicableSpan.start,
      before: `${prefix}${join(parts.slice(0, index))}${index > 0 ? separator : ''}`,
      argument: parts[index] ?? '',
      after: `${index < parts.length - 1 ? separator : ''}${join(parts.slice(index + 1))}${suffix}`,
      doc: docOf(item.parameters[index]?.documentation ?? [], undefined) || docOf(item.documentation, undefined),
    };
  }

  #host(): ts.LanguageServiceHost {
    const options: ts.CompilerOptions = {
      ...BASE,
      ...(this.#typed ? { strict: true, noImplicitAny: false } : { allowJs: true, checkJs: true }),
    };
    const textOf = (path: string): string | undefined => (path === this.#script ? this.#text : this.#files.get(path));
    const declared = [`${FOLDER}require.d.ts`, `${FOLDER}api.d.ts`];
    return {
      getCompilationSettings: () => options,
      getScriptFileNames: () => [...declared, this.#script],
      getScriptVersion: (path) => (path === this.#script ? String(this.#version) : '1'),
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

const TYPES: Readonly<Record<string, string>> = {
  [ts.ScriptElementKind.functionElement]: 'function',
  [ts.ScriptElementKind.localFunctionElement]: 'function',
  [ts.ScriptElementKind.memberFunctionElement]: 'method',
  [ts.ScriptElementKind.memberVariableElement]: 'property',
  [ts.ScriptElementKind.memberGetAccessorElement]: 'property',
  [ts.ScriptElementKind.keyword]: 'keyword',
  [ts.ScriptElementKind.interfaceElement]: 'interface',
  [ts.ScriptElementKind.typeElement]: 'type',
  [ts.ScriptElementKind.classElement]: 'class',
  [ts.ScriptElementKind.string]: 'text',
};

function docOf(parts: readonly ts.SymbolDisplayPart[] | undefined, tags: readonly ts.JSDocTagInfo[] | undefined): string {
  const said = (tags ?? []).map(({ name, text }) => `@${name} ${unfolded(ts.displayPartsToString(text))}`);
  return [unfolded(ts.displayPartsToString([...(parts ?? [])])), ...said].filter((text) => text !== '').join('\n');
}

/** A text whose paragraphs are lines: where the source breaks them is of no use in a narrow box. Lists and what is indented stay. */
const unfolded = (text: string): string => text.replaceAll(/(?<=\S)\n(?=[^\s\-*\d])/g, ' ');
