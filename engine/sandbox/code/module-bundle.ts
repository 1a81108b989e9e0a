import type { ExportNamedDeclaration, ImportDeclaration, Literal, Node, Options, Pattern, Position, Program, Token } from 'acorn';
import { fileURLToPath } from 'node:url';
import { readTextSync } from '../../base/files/regular-file.ts';
import { messageOf } from '../../base/errors.ts';
import { acorn } from './parser.ts';
import { MAX_SCRIPT_BYTES } from './script-files.ts';
import { stripTypes, TypesError } from '../../base/text/strip-types.ts';

/** A module uses something that a bundle cannot hold; the message names it, with file and line. */
export class BundleError extends Error {
  override readonly name = 'BundleError';
}

interface BundledModule {
  /** The variable that holds its exports. */
  readonly name: string;
  readonly code: string;
  readonly exports: ReadonlySet<string>;
}

/** Replaces the characters [start, end) of a module. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Finds the file of an import; null: it stays an import by its name. */
type FindFile = (specifier: string, from: URL) => URL | null;

/**
 * Bundles modules into one script: each becomes a function that returns its exports, in the order of the imports. Exports are read once, after
 * the module's last statement, so they must be constants, functions or classes. Packages are not bundled: `packageImports` imports them.
 */
export class ModuleBundle {
  readonly #modules = new Map<string, BundledModule>();
  readonly #packages = new Map<string, string>();
  /** Addresses of modules whose imports are still being added. */
  readonly #open = new Set<string>();
  readonly #texts = new Map<string, string>();
  readonly #find: FindFile | null;
  readonly #read: (path: string) => string;

  /**
   * @param find absent: imports by a path are files, and all others packages of this program
   * @param read reads a file that was found
   */
  constructor(find: FindFile | null = null, read = (path: string): string => readTextSync(path, MAX_SCRIPT_BYTES)) {
    this.#find = find;
    this.#read = read;
  }

  get code(): string {
    return [...this.#modules.values()].map(({ code }) => code).join('\n');
  }

  /** The texts of the files in it, by their paths. */
  get texts(): ReadonlyMap<string, string> {
    return this.#texts;
  }

  /** Statements that import the packages from where they are installed. */
  get packageImports(): string {
    return [...this.#packages].map(([from, name]) => `import * as ${name} from ${JSON.stringify(from)};`).join('\n');
  }

  /** The same for a script of CommonJS. */
  get packageRequires(): string {
    return [...this.#packages].map(([from, name]) => `const ${name} = require(${JSON.stringify(from)});`).join('\n');
  }

  /**
   * Adds a module and those that it imports, and returns the name of the variable that holds its exports.
   * @throws {BundleError}
   */
  add(url: URL): string {
    return this.#moduleAt(url).name;
  }

  /**
   * The text of a module behind all that it imports. Its own variables stay at the top level, and its exports exports.
   * @throws {BundleError}
   */
  entry(url: URL): string {
    const { imports, body, exports } = this.#parts(url);
    // Exports of another module are no names that could stand in the list.
    const listed = [...exports].map(([name, value], i) => ({ name, value, local: /^[\w$]+$/.test(value) ? value : `export${i}` }));
    const values = listed.flatMap(({ value, local }) => (value === local ? [] : [`const ${local} = ${value};`]));
    const names = listed.map(({ name, local }) => (name === local ? name : `${local} as ${JSON.stringify(name)}`));
    return [this.packageImports, this.code, imports + body, ...values, `export { ${names.join(', ')} };`, ''].join('\n');
  }

  #moduleAt(url: URL): BundledModule {
    const known = this.#modules.get(url.href);
    if (known !== undefined) return known;
    const { imports, body, exports } = this.#parts(url);
    const name = `m${this.#modules.size}`;
    const listed = [...exports].map(([exported, value]) => pair(exported, value));
    const code = `const ${name} = (function () { ${imports}${body}\nreturn { ${listed.join(', ')} };\n})();`;
    const added = { name, code, exports: new Set(exports.keys()) };
    this.#open.delete(url.href);
    this.#modules.set(url.href, added);
    return added;
  }

  #parts(url: URL): ModuleParts {
    this.#open.add(url.href);
    const path = fileURLToPath(url);
    const text = this.#read(path);
    this.#texts.set(path, text);
    const source: ModuleSource = new ModuleSource(url, text, (specifier, node) => this.#imported(specifier, source, node));
    return source.parts();
  }

  #imported(specifier: string, source: ModuleSource, node: Node): Imported {
    const url =
      this.#find === null ? (specifier.startsWith('.') ? new URL(specifier, source.url) : null) : this.#find(specifier, source.url);
    if (url !== null) {
      if (this.#open.has(url.href)) throw source.error(node, `modules that import each other (${specifier})`);
      return this.#moduleAt(url);
    }
    const place = this.#find === null ? import.meta.resolve(specifier) : specifier;
    const name = this.#packages.get(place) ?? `p${this.#packages.size}`;
    this.#packages.set(place, name);
    return { name, exports: null };
  }
}

/** A module or package that another one imports; the exports of packages are not known. */
interface Imported {
  readonly name: string;
  readonly exports: ReadonlySet<string> | null;
}

interface ModuleParts {
  readonly imports: string;
  readonly body: string;
  /** Exported names, and the expressions of their values. */
  readonly exports: ReadonlyMap<string, string>;
}

const PARSER_OPTIONS: Options = { ecmaVersion: 'latest', sourceType: 'module' };

/** Parses one module and splits it into imports, body and exports. */
class ModuleSource {
  readonly url: URL;
  readonly #text: string;
  readonly #resolve: (specifier: string, node: Node) => Imported;
  readonly #program: Program;
  readonly #edits: Edit[] = [];
  readonly #imports: string[] = [];
  /** Exported names, and the expressions of their values. */
  readonly #exports = new Map<string, string>();

  constructor(url: URL, text: string, resolve: (specifier: string, node: Node) => Imported) {
    this.url = url;
    this.#resolve = resolve;
    this.#text = this.#checked(() => (url.pathname.endsWith('.ts') ? stripTypes(text) : text));
    this.#program = this.#checked(() => acorn().parse(this.#text, PARSER_OPTIONS));
  }

  error({ start }: { readonly start: number }, what: string): BundleError {
    const { line } = acorn().getLineInfo(this.#text, start);
    return new BundleError(`${fileURLToPath(this.url)}:${line}: a bundle cannot hold ${what}`);
  }

  parts(): ModuleParts {
    for (const statement of this.#program.body) {
      switch (statement.type) {
        case 'ImportDeclaration':
          this.#takeImport(statement);
          break;
        case 'ExportNamedDeclaration':
          this.#takeExport(statement);
          break;
        case 'ExportAllDeclaration':
        case 'ExportDefaultDeclaration':
          throw this.error(statement, statement.type === 'ExportDefaultDeclaration' ? 'default exports' : '`export *`');
        default:
      }
    }
    this.#replaceImportMeta();
    const body = this.#edited();
    // `await` at the top level is valid in a module, but not in the function that it becomes.
    if (/\bawait\b/.test(body)) this.#checked(() => acorn().parse(`(function () { 'use strict'; ${body}\n})`, { ecmaVersion: 'latest' }));
    return { imports: this.#imports.join(''), body, exports: this.#exports };
  }

  /** Runs a step that may reject the module's text, and adds file and line to its error. */
  #checked<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      const { line } = (cause instanceof TypesError ? cause.place : (cause as { readonly loc?: Position }).loc) ?? {};
      const place = fileURLToPath(this.url) + (line === undefined ? '' : `:${line}`);
      throw new BundleError(`${place}: ${messageOf(cause)}`, { cause });
    }
  }

  #takeImport(statement: ImportDeclaration): void {
    const from = this.#from(statement, statement.source);
    const names: string[] = [];
    for (const specifier of statement.specifiers) {
      if (specifier.type === 'ImportNamespaceSpecifier') this.#imports.push(`const ${specifier.local.name} = ${from.name};`);
      else {
        const imported = specifier.type === 'ImportDefaultSpecifier' ? 'default' : nameOf(specifier.imported);
        this.#requireExport(from, imported, specifier);
        names.push(pair(imported, specifier.local.name));
      }
    }
    if (names.length > 0) this.#imports.push(`const { ${names.join(', ')} } = ${from.name};`);
    this.#edits.push({ start: statement.start, end: statement.end, text: '' });
  }

  #takeExport(statement: ExportNamedDeclaration): void {
    const { declaration } = statement;
    if (declaration) {
      this.#edits.push({ start: statement.start, end: declaration.start, text: '' });
      if (declaration.type !== 'VariableDeclaration') this.#export(declaration.id.name, declaration.id.name, statement);
      else if (declaration.kind !== 'const')
        throw this.error(statement, `\`export ${declaration.kind}\`: importers would miss what is assigned later`);
      else for (const name of declaration.declarations.flatMap(({ id }) => boundNames(id))) this.#export(name, name, statement);
      return;
    }
    this.#edits.push({ start: statement.start, end: statement.end, text: '' });
    const from = statement.source ? this.#from(statement, statement.source) : null;
    for (const specifier of statement.specifiers) {
      const local = nameOf(specifier.local);
      if (from === null && this.#isVariable(local)) throw this.error(specifier, `the export of a variable that changes (${local})`);
      if (from !== null) this.#requireExport(from, local, specifier);
      this.#export(nameOf(specifier.exported), from === null ? local : `${from.name}[${JSON.stringify(local)}]`, specifier);
    }
  }

  #export(name: string, value: string, node: Node): void {
    if (name === 'default') throw this.error(node, 'default exports');
    this.#exports.set(name, value);
  }

  #from(statement: ImportDeclaration | ExportNamedDeclaration, { value }: Literal): Imported {
    if (statement.attributes.length > 0) throw this.error(statement, 'import attributes');
    return this.#resolve(String(value), statement);
  }

  #requireExport(from: Imported, name: string, node: Node): void {
    if (from.exports?.has(name) === false) throw this.error(node, `an import of what is not exported (${name})`);
  }

  /** Whether a name is declared at the top level by `let` or `var`. */
  #isVariable(name: string): boolean {
    return this.#program.body.some(
      (statement) =>
        statement.type === 'VariableDeclaration' &&
        statement.kind !== 'const' &&
        statement.declarations.some(({ id }) => boundNames(id).includes(name)),
    );
  }

  /** Replaces `import.meta.url` by the module's own address. */
  #replaceImportMeta(): void {
    if (!/\bimport\s*[.(]/.test(this.#text)) return;
    const { tokenizer, tokTypes } = acorn();
    const tokens = [...tokenizer(this.#text, PARSER_OPTIONS)];
    tokens.forEach((token, i) => {
      if (token.type !== tokTypes._import) return;
      const [first = '', ...others] = tokens.slice(i + 1, i + 5).map(({ start, end }) => this.#text.slice(start, end));
      if (first === '(') throw this.error(token, '`import()`');
      if (first !== '.') return;
      if (others.join('') !== 'meta.url') throw this.error(token, '`import.meta` other than its url');
      this.#edits.push({ start: token.start, end: (tokens[i + 4] as Token).end, text: JSON.stringify(this.url.href) });
    });
  }

  #edited(): string {
    let result = '';
    let from = 0;
    for (const { start, end, text } of this.#edits.toSorted((a, b) => a.start - b.start)) {
      result += this.#text.slice(from, start) + text;
      from = end;
    }
    return result + this.#text.slice(from);
  }
}

/** Source text of a property, or of a part of a pattern. */
const pair = (name: string, value: string): string => (name === value ? name : `${JSON.stringify(name)}: ${value}`);

/** The name in an import or export, which may be an identifier or a string. */
function nameOf(
  node: { readonly type: 'Identifier'; readonly name: string } | { readonly type: 'Literal'; readonly value?: unknown },
): string {
  return node.type === 'Identifier' ? node.name : String(node.value);
}

/** The names that a pattern binds. */
function boundNames(pattern: Pattern): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) => boundNames(property.type === 'Property' ? property.value : property.argument));
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element === null ? [] : boundNames(element)));
    case 'RestElement':
      return boundNames(pattern.argument);
    case 'AssignmentPattern':
      return boundNames(pattern.left);
    case 'MemberExpression':
      return [];
  }
}
