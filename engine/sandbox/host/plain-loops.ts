import type { Node } from 'acorn';
import { walk } from 'estree-walker';

interface AnyNode extends Node {
  [key: string]: unknown;
}

const LOOPS = new Set(['ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement']);
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const SCOPES = new Set([...FUNCTIONS, 'StaticBlock', 'PropertyDefinition']);
/** Node types in a loop that run other code of the script, or let others run. */
const RUNS_OTHERS = new Set(['NewExpression', 'TaggedTemplateExpression', 'YieldExpression']);

/** Methods of built-in objects that call nothing of the script. */
const METHODS =
  'add at charAt charCodeAt clear codePointAt delete endsWith exec fill get has includes indexOf join lastIndexOf localeCompare match matchAll ' +
  'padEnd padStart pop push repeat set shift slice splice split startsWith subarray substring test toFixed toLowerCase toUpperCase trim trimEnd ' +
  'trimStart unshift';

/** Loops that are counted in a local variable. */
export interface PlainLoops {
  readonly loops: ReadonlySet<Node>;
  /** The statements that the outermost ones are: the loops with their labels. */
  readonly statements: ReadonlySet<Node>;
}

interface OpenLoop {
  readonly loop: Node;
  readonly statement: Node;
  plain: boolean;
  /** The loop around it in the same function. */
  readonly within: OpenLoop | null;
}

interface Scope {
  readonly isFunction: boolean;
  readonly open: OpenLoop[];
  /** The first label of the statement that is being looked at. */
  labelled?: Node;
}

/**
 * Finds the loops of functions that run no other counted code: they call only functions that are not counted, and methods with names of built-in ones that
 * the script itself does not define; what they iterate over by `for … of` is nothing of the script's own. (An accessor, a conversion or a method of a
 * module may still run some; its steps are counted by themselves, so then the script may end at most so many steps late as the counter is filled
 * with.)
 */
export function plainLoops(program: Node, leaves: ReadonlySet<Node>): PlainLoops {
  const own = ownMethods(program);
  const functions = new Set([...leaves].map((leaf) => ((leaf as AnyNode)['id'] as AnyNode)['name'] as string));
  const methods = new Set(METHODS.split(' ').filter((name) => !own.names.has(name)));
  const found: OpenLoop[] = [];
  const scopes: Scope[] = [{ isFunction: false, open: [] }];
  walk(program as never, {
    enter(raw, rawParent) {
      const node = raw as unknown as AnyNode;
      if (SCOPES.has(node.type)) scopes.push({ isFunction: FUNCTIONS.has(node.type), open: [] });
      const scope = scopes.at(-1) as Scope;
      const parent = rawParent as unknown as AnyNode | null;
      if (node.type === 'LabeledStatement' && parent?.type !== 'LabeledStatement') scope.labelled = node;
      if (LOOPS.has(node.type)) {
        const statement = parent?.type === 'LabeledStatement' ? (scope.labelled as Node) : node;
        const one = { loop: node, statement, plain: scope.isFunction, within: scope.open.at(-1) ?? null };
        found.push(one);
        scope.open.push(one);
      }
      const iterates = node.type === 'ForOfStatement' && own.iterates;
      if (iterates || RUNS_OTHERS.has(node.type) || isOtherCall(node, functions, methods)) for (const one of scope.open) one.plain = false;
    },
    leave(raw) {
      const node = raw as unknown as AnyNode;
      if (LOOPS.has(node.type)) scopes.at(-1)?.open.pop();
      if (SCOPES.has(node.type)) scopes.pop();
    },
  });
  const plain = found.filter((one) => one.plain);
  const outermost = plain.filter(({ within }) => within?.plain !== true);
  return { loops: new Set(plain.map(({ loop }) => loop)), statements: new Set(outermost.map(({ statement }) => statement)) };
}

function isOtherCall(node: AnyNode, functions: ReadonlySet<string>, methods: ReadonlySet<string>): boolean {
  if (node.type !== 'CallExpression') return false;
  const callee = node['callee'] as AnyNode;
  if (callee.type === 'Identifier') return !functions.has(callee['name'] as string);
  if (callee.type !== 'MemberExpression' || callee['computed'] === true) return true;
  const object = callee['object'] as AnyNode;
  const isMath = object.type === 'Identifier' && object['name'] === 'Math';
  return !isMath && !methods.has((callee['property'] as AnyNode)['name'] as string);
}

/** The names of methods that a script defines, and whether it makes iterators. */
function ownMethods(program: Node): { readonly names: ReadonlySet<string>; readonly iterates: boolean } {
  const names = new Set<string>();
  let iterates = false;
  walk(program as never, {
    enter(raw) {
      const node = raw as unknown as AnyNode;
      if (node['generator'] === true || isIterator(node)) iterates = true;
      const key = (
        node.type === 'AssignmentExpression' ? (node['left'] as AnyNode)['property'] : DEFINES.has(node.type) && node['key']
      ) as AnyNode | null;
      if (typeof key === 'object' && key !== null) names.add(String(key['name'] ?? key['value']));
    },
  });
  return { names, iterates };
}

const DEFINES = new Set(['MethodDefinition', 'Property', 'PropertyDefinition']);

/** Whether it is the word `iterator`, of which the symbol comes. */
function isIterator(node: AnyNode): boolean {
  return (node.type === 'Identifier' && /^(?:iterator|Iterator)$/.test(node['name'] as string)) || node['value'] === 'iterator';
}
