import type { Node } from 'acorn';
import { walk } from 'estree-walker';

interface AnyNode extends Node {
  [key: string]: unknown;
}

/** Built-in methods that a leaf function may call. A script's own method of such a name counts its own steps. */
const BUILT_IN = new Set(['charAt', 'charCodeAt', 'codePointAt', 'endsWith', 'indexOf', 'slice', 'startsWith', 'substring']);

/** Node types that make a function more than straight-line code. */
const NOT_STRAIGHT = new Set([
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
  'TryStatement',
  'NewExpression',
  'TaggedTemplateExpression',
  'YieldExpression',
  'SpreadElement',
  'Super',
  'ThisExpression',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ClassDeclaration',
  'ClassExpression',
]);

/** Functions that the host calls; it counts their calls itself. */
const ENTRY_POINTS = new Set(['process_message', 'timer_event']);

/**
 * Finds the functions whose entry need not be counted: declared functions of straight-line code that call only built-in methods and are only
 * used by calling them by name. Each such call is in counted code, so it adds a bounded amount of work to a step that is counted there.
 * Parsers call functions of this kind for each character.
 */
export function leafFunctions(program: Node): ReadonlySet<Node> {
  const open: { readonly node: AnyNode; leaf: boolean }[] = [];
  const leaves = new Map<string, AnyNode>();
  const escaping = new Set<string>();
  walk(program as never, {
    enter(raw, rawParent, key) {
      const node = raw as unknown as AnyNode;
      const parent = rawParent as unknown as AnyNode | null;
      const current = open.at(-1);
      if (current !== undefined && (NOT_STRAIGHT.has(node.type) || node.type === 'FunctionDeclaration' || isOtherCall(node)))
        current.leaf = false;
      if (node.type === 'FunctionDeclaration') open.push({ node, leaf: node['generator'] !== true });
      if (node.type === 'Identifier' && escapes(node, parent, key)) escaping.add(node['name'] as string);
    },
    leave(raw) {
      const node = raw as unknown as AnyNode;
      if (node.type !== 'FunctionDeclaration') return;
      const { leaf } = open.pop() as { leaf: boolean };
      const name = (node['id'] as AnyNode | null)?.['name'] as string | undefined;
      if (name === undefined) return;
      // With two functions of one name, it is not known which one a call means.
      if (leaf && !leaves.has(name)) leaves.set(name, node);
      else escaping.add(name);
    },
  });
  return new Set([...leaves].filter(([name]) => !escaping.has(name) && !ENTRY_POINTS.has(name)).map(([, node]) => node));
}

function isOtherCall(node: AnyNode): boolean {
  if (node.type !== 'CallExpression') return false;
  const callee = node['callee'] as AnyNode;
  if (callee.type !== 'MemberExpression' || callee['computed'] === true) return true;
  return !BUILT_IN.has((callee['property'] as AnyNode)['name'] as string);
}

/** Whether an identifier may pass on a function of its name as a value, as opposed to declaring, calling or exporting it. */
function escapes(node: AnyNode, parent: AnyNode | null, key: string | number | symbol | null | undefined): boolean {
  switch (parent?.type) {
    case 'CallExpression':
      return key !== 'callee';
    case 'FunctionDeclaration':
      return key !== 'id';
    case 'ExportSpecifier':
      return false;
    case 'MemberExpression':
      return key !== 'property' || parent['computed'] === true;
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return key !== 'key' || parent['computed'] === true || parent['shorthand'] === true;
    default:
      return node.type === 'Identifier';
  }
}
