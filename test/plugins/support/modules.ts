import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, resolve } from 'node:path';
import { Script, type Context } from 'node:vm';
import { parse, type ModuleDeclaration, type Program } from 'acorn';
import MagicString from 'magic-string';

type Exports = Record<string, unknown>;
type Factory = (load: (specifier: string) => Exports, exports: Exports) => void;

const scripts = new Map<string, Script>();

/** Runs the ES module at `path` and what it imports, each once, in a context. Returns what it exports. */
export function loadModule(path: string, context: Context, loaded = new Map<string, Exports>()): Exports {
  const known = loaded.get(path);
  if (known) return known;
  const exports: Exports = {};
  loaded.set(path, exports);
  const factory = scriptOf(path).runInContext(context) as Factory;
  factory((specifier) => loadModule(resolve(dirname(path), specifier), context, loaded), exports);
  return exports;
}

function scriptOf(path: string): Script {
  let script = scripts.get(path);
  if (!script) {
    const code = stripTypeScriptTypes(readFileSync(path, 'utf8'));
    script = new Script(`(function (__load, __exports) { 'use strict';${withoutModuleSyntax(code)}\n})`, { filename: path });
    scripts.set(path, script);
  }
  return script;
}

/** Turns imports into calls and exports into getters, so that a plain script runs the module. */
function withoutModuleSyntax(code: string): string {
  const text = new MagicString(code);
  const program: Program = parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
  for (const node of program.body as (Program['body'][number] & ModuleDeclaration)[]) {
    if (node.type === 'ImportDeclaration') {
      const names = node.specifiers.map((specifier) => {
        if (specifier.type !== 'ImportSpecifier' || specifier.imported.type !== 'Identifier') throw new SyntaxError(`import in ${code}`);
        return `${specifier.imported.name}: ${specifier.local.name}`;
      });
      text.overwrite(node.start, node.end, `const { ${names.join(', ')} } = __load(${JSON.stringify(node.source.value)});`);
    } else if (node.type === 'ExportNamedDeclaration') {
      const { declaration, source } = node;
      if (source) {
        const pairs = node.specifiers.map(({ local, exported }) => [nameOf(exported), nameOf(local)]);
        const copies = pairs.map(([to, from]) => `__exports.${to} = __load(${JSON.stringify(source.value)}).${from};`);
        text.overwrite(node.start, node.end, copies.join(' '));
      } else if (declaration) {
        text.remove(node.start, declaration.start);
        const names =
          declaration.type === 'VariableDeclaration' ? declaration.declarations.map(({ id }) => nameOf(id)) : [nameOf(declaration.id)];
        const hoisted = declaration.type === 'FunctionDeclaration';
        const exported = names.map((name) => `;__exports.${name} = ${name};`).join('');
        if (hoisted) text.prepend(exported);
        else text.appendLeft(node.end, exported);
      } else text.remove(node.start, node.end);
    }
  }
  return text.toString();
}

function nameOf(node: { type: string; name?: unknown }): string {
  if (node.type !== 'Identifier') throw new SyntaxError(`export of ${node.type}`);
  return String(node.name);
}
