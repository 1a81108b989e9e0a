import type { CallExpression, Expression, Node, Property, SpreadElement, TemplateElement, TemplateLiteral } from 'acorn';
import { isBundled } from '../base/product/bundled.ts';
import { EngineError, messageOf } from '../base/errors.ts';
import { hint } from '../base/text/suggest.ts';
import { checkPatterns, decoderKeys, isRecord } from './decoder-meta.ts';
import { ScriptConstants, UnparsedError, type MetaFiles } from './script-constants.ts';
import { checkDeclarations } from './parameter-meta.ts';
import { KINDS, type PluginMeta } from './types.ts';

/**
 * Reads `export const meta = {…}` of a script without running it: scripts run in a sandbox only. The value must be written with
 * literals, and with constants of the same file or of files that it imports by relative paths.
 * @param files the files whose constants it may use: those of the script's folder, for a script that the user has put there, or none
 * @param read gets the paths of those that were read
 * @returns null when there is no meta, or when the script does not parse, which is reported when it is run
 * @throws {EngineError} `plugin.meta` when the meta is not valid
 */
export function readMeta(source: string, path: string, files: MetaFiles = 'none', read = new Set<string>()): PluginMeta | null {
  if (!/\bmeta\b/.test(source)) return null;
  const constants = new ScriptConstants(source, path, files, read);
  let value: unknown;
  let place: PlaceOf;
  try {
    const meta = constants.find('meta');
    if (meta === undefined) return null;
    value = valueOf(meta.value, meta.constants, 0);
    place = placesIn(meta.value, meta.constants, path);
  } catch (error) {
    if (error instanceof UnparsedError && error.constants === constants) return null;
    throw new EngineError('plugin.meta', `${path}: meta cannot be read without running the script: ${messageOf(error)}`, { cause: error });
  }
  return checkMeta(value, path, place);
}

/** Tells where a key of the meta is written: file and line, or the file alone. */
type PlaceOf = (key: string) => string;

function placesIn(meta: Expression, constants: ScriptConstants, path: string): PlaceOf {
  const properties = meta.type === 'ObjectExpression' ? meta.properties : [];
  return (key) => {
    const found = properties.find((one) => one.type === 'Property' && one.key.type === 'Identifier' && one.key.name === key);
    return found === undefined ? path : constants.place(found.start);
  };
}

/** Checks a meta. Written without a schema library, whose loading would slow the start of the command line. */
function checkMeta(value: unknown, path: string, placeOf: PlaceOf): PluginMeta {
  const wrong = (what: string, place = path): EngineError => new EngineError('plugin.meta', `${place}: meta is not valid: ${what}`);
  if (!isRecord(value)) throw wrong('it is not an object');
  const refuse = (key: string, why: string): EngineError => wrong(`${key} ${why}`, placeOf(/^\w+/.exec(key)?.[0] ?? key));
  const { name, kind, summary, stateless = false, comments = false, parameters = {} } = value;
  if (typeof name !== 'string' || name === '') throw refuse('name', 'must be a text');
  if (typeof summary !== 'string') throw refuse('summary', 'must be a text');
  const known = KINDS.find((other) => other === kind);
  if (known === undefined) throw refuse('kind', `must be one of ${KINDS.join(', ')}${meant(kind)}`);
  if (typeof stateless !== 'boolean') throw refuse('stateless', 'must be true or false');
  if (typeof comments !== 'boolean') throw refuse('comments', 'must be true or false');
  if (!isRecord(parameters)) throw refuse('parameters', 'must be an object');
  const keys = decoderKeys(value, refuse);
  // The patterns of bundled scripts are checked by tests.
  if (!isBundled(path)) checkPatterns(keys, refuse);
  try {
    return { name, kind: known, summary, stateless, ...(comments ? { comments } : {}), parameters: checkDeclarations(parameters), ...keys };
  } catch (error) {
    throw wrong(messageOf(error), placeOf('parameters'));
  }
}

const meant = (kind: unknown): string => (typeof kind === 'string' ? hint(kind, KINDS) : '');

const MAX_DEPTH = 50;

/** The texts of a list in one, as `TEXTS.join('|')` makes it; undefined for any other call. */
function joinedTexts(node: CallExpression, inner: (child: Expression | SpreadElement) => unknown): string | undefined {
  const [separator, ...others] = node.arguments;
  const { callee } = node;
  if (callee.type !== 'MemberExpression' || callee.computed || callee.object.type === 'Super') return undefined;
  if (callee.property.type !== 'Identifier' || callee.property.name !== 'join' || separator === undefined || others.length > 0)
    return undefined;
  const [texts, between] = [inner(callee.object), inner(separator)];
  return Array.isArray(texts) && typeof between === 'string' ? texts.map(String).join(between) : undefined;
}

/** Evaluates an expression made of literals and constants. */
function valueOf(node: Expression | SpreadElement, constants: ScriptConstants, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new Error('it is nested too deeply, or its constants name each other');
  constants.spend(costOf(node));
  const inner = (child: Expression | SpreadElement): unknown => valueOf(child, constants, depth + 1);
  switch (node.type) {
    case 'Literal':
      if ('regex' in node && !(node.value instanceof RegExp)) throw new Error(`${node.raw ?? ''} is not a regular expression`);
      return node.value;
    case 'TaggedTemplateExpression':
      if (isRawTag(node.tag)) return textOf(node.quasi, (part) => part.raw, inner);
      break;
    case 'TemplateLiteral':
      return textOf(node, (part) => part.cooked ?? '', inner);
    case 'ArrayExpression':
      return node.elements.flatMap((element) => listed(element, inner));
    case 'ObjectExpression':
      return objectOf(node.properties, inner);
    case 'UnaryExpression':
      if (node.operator === '-') return -Number(inner(node.argument));
      break;
    case 'BinaryExpression':
      if (node.operator === '+' && node.left.type !== 'PrivateIdentifier') return sum(inner(node.left), inner(node.right));
      break;
    case 'CallExpression': {
      const joined = joinedTexts(node, inner);
      if (joined !== undefined) return joined;
      break;
    }
    case 'Identifier': {
      if (node.name === 'undefined') return undefined;
      const constant = constants.find(node.name);
      if (constant) return valueOf(constant.value, constant.constants, depth + 1);
      break;
    }
    default:
  }
  throw new Error(`${constants.place(node.start)}: ${describe(node)} is neither a literal nor a constant of this file`);
}

/** Cost of a name, since its constant is searched at each use. */
const NAME_COST = 20;

/** Cost of an expression without its inner ones. */
function costOf(node: Node): number {
  if (node.type === 'Identifier') return NAME_COST;
  return node.type === 'Literal' || node.type === 'TemplateLiteral' ? node.end - node.start : 1;
}

/** Tells the tag `String.raw`. */
function isRawTag(tag: Expression): boolean {
  if (tag.type !== 'MemberExpression' || tag.object.type !== 'Identifier' || tag.property.type !== 'Identifier') return false;
  return tag.object.name === 'String' && tag.property.name === 'raw' && !tag.computed;
}

function textOf(
  { quasis, expressions }: TemplateLiteral,
  part: (value: TemplateElement['value']) => string,
  inner: (node: Expression) => unknown,
): string {
  return quasis.map(({ value }, i) => `${part(value)}${expressions[i] ? String(inner(expressions[i])) : ''}`).join('');
}

/** Evaluates an element of a list; a spread list yields its elements. */
function listed(element: Expression | SpreadElement | null, inner: (node: Expression | SpreadElement) => unknown): unknown[] {
  if (element?.type !== 'SpreadElement') return [element === null ? undefined : inner(element)];
  const spread = inner(element.argument);
  if (!Array.isArray(spread)) throw new Error('only a list can be spread in a list');
  return spread;
}

const describe = (node: Node & { name?: unknown }): string => (typeof node.name === 'string' ? node.name : node.type);

function sum(left: unknown, right: unknown): unknown {
  return typeof left === 'number' && typeof right === 'number' ? left + right : `${String(left)}${String(right)}`;
}

function objectOf(properties: readonly (Property | SpreadElement)[], inner: (node: Expression | SpreadElement) => unknown): object {
  const entries: [string, unknown][] = [];
  for (const property of properties) {
    if (property.type === 'SpreadElement') {
      entries.push(...Object.entries(inner(property.argument) as object));
      continue;
    }
    const { key } = property;
    const name = key.type === 'Identifier' && !property.computed ? key.name : String(inner(key));
    entries.push([name, inner(property.value)]);
  }
  return Object.fromEntries(entries);
}
