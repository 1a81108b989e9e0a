import type { Node } from 'acorn';
import { walk } from 'estree-walker';

interface AnyNode extends Node {
  [key: string]: unknown;
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/**
 * Makes code for the end of a script that registers the script's own variables with the sandbox (by `$__k`): variables of its top level that are
 * not global and that one of its functions seems to change. They are restored with the global ones after a host has died. Empty when there are
 * none. The code is a block that only declares, so it does not change the script's completion value.
 * @param isModule whether the script is a module, where `var` makes no global variable either
 */
export function scriptVariables(program: Node, isModule: boolean): string {
  const declared = declaredNames(program as AnyNode, isModule);
  if (declared.size === 0) return '';
  const { assigned, used } = changedNames(program as AnyNode);
  const entries: string[] = [];
  for (const [name, isConstant] of declared) {
    // As a key of an object literal, this sets the prototype.
    if (name === '__proto__') continue;
    const quoted = JSON.stringify(name);
    if (!isConstant && assigned.has(name)) entries.push(`${quoted}:[()=>${name},$__v=>{${name}=$__v}]`);
    else if (used.has(name)) entries.push(`${quoted}:[()=>${name}]`);
  }
  return entries.length === 0 ? '' : `\n{const $__o=$__k({__proto__:null,${entries.join()}});}`;
}

/** Names of variables at the top level, and whether they are constants. */
function declaredNames(program: AnyNode, isModule: boolean): Map<string, boolean> {
  const names = new Map<string, boolean>();
  for (const statement of program['body'] as AnyNode[]) {
    const node = statement.type === 'ExportNamedDeclaration' ? (statement['declaration'] as AnyNode | null) : statement;
    if (node?.type !== 'VariableDeclaration' || (node['kind'] === 'var' && !isModule)) continue;
    const isConstant = node['kind'] !== 'let' && node['kind'] !== 'var';
    for (const { id } of node['declarations'] as { id: AnyNode }[]) for (const name of boundNames(id)) names.set(name, isConstant);
  }
  return names;
}

/** The names that a pattern binds. */
function boundNames(pattern: AnyNode): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern['name'] as string];
    case 'ObjectPattern':
      return (pattern['properties'] as AnyNode[]).flatMap((one) => boundNames((one['value'] ?? one['argument']) as AnyNode));
    case 'ArrayPattern':
      return (pattern['elements'] as (AnyNode | null)[]).flatMap((one) => (one === null ? [] : boundNames(one)));
    case 'AssignmentPattern':
      return boundNames(pattern['left'] as AnyNode);
    case 'RestElement':
      return boundNames(pattern['argument'] as AnyNode);
    default:
      return [];
  }
}

/** Names that functions assign to (`assigned`), and names of objects that they write to, call methods of or pass on (`used`). */
function changedNames(program: AnyNode): { assigned: Set<string>; used: Set<string> } {
  const assigned = new Set<string>();
  const used = new Set<string>();
  let depth = 0;
  const note = (target: AnyNode): void => {
    for (const name of boundNames(target)) assigned.add(name);
    const owner = ownerOf(target);
    if (owner !== null) used.add(owner);
  };
  walk(program as never, {
    enter(raw) {
      const node = raw as unknown as AnyNode;
      if (FUNCTIONS.has(node.type)) depth++;
      if (depth === 0) return;
      if (node.type === 'AssignmentExpression' || node.type === 'ForInStatement' || node.type === 'ForOfStatement') {
        note(node['left'] as AnyNode);
      } else if (node.type === 'UpdateExpression' || (node.type === 'UnaryExpression' && node['operator'] === 'delete')) {
        note(node['argument'] as AnyNode);
      } else if (node.type === 'CallExpression' || node.type === 'NewExpression') {
        const owner = ownerOf(node['callee'] as AnyNode);
        if (owner !== null) used.add(owner);
        for (const given of node['arguments'] as AnyNode[]) if (given.type === 'Identifier') used.add(given['name'] as string);
      }
    },
    leave(raw) {
      if (FUNCTIONS.has((raw as unknown as AnyNode).type)) depth--;
    },
  });
  return { assigned, used };
}

/** The variable at the start of a property chain; null for other expressions. */
function ownerOf(node: AnyNode): string | null {
  let at = node;
  if (at.type !== 'MemberExpression' && at.type !== 'ChainExpression') return null;
  while (at.type === 'MemberExpression' || at.type === 'ChainExpression' || at.type === 'CallExpression') {
    at = (at['object'] ?? at['expression'] ?? at['callee']) as AnyNode;
  }
  return at.type === 'Identifier' ? (at['name'] as string) : null;
}
