import type { Node } from 'acorn';
import { walk } from 'estree-walker';

interface AnyNode extends Node {
  [key: string]: unknown;
}

/** Node types that an unrolled loop may consist of: none of them leaves the loop, contains a function or declares a name. */
const SIMPLE = new Set([
  'BlockStatement',
  'EmptyStatement',
  'ExpressionStatement',
  'IfStatement',
  'AssignmentExpression',
  'BinaryExpression',
  'CallExpression',
  'ConditionalExpression',
  'LogicalExpression',
  'MemberExpression',
  'SequenceExpression',
  'ThisExpression',
  'UnaryExpression',
  'UpdateExpression',
  'Identifier',
  'Literal',
  'PrivateIdentifier',
]);

/** Largest round in characters that is unrolled, and the number of rounds in one. A larger number makes some loops slower. */
const MAX_CHARACTERS = 100;
const TIMES = 4;

/**
 * Unrolls a loop: makes the code for the end of its body that does several rounds in one while there are steps for them. To look at each by itself would
 * take a third of the time of a loop over characters. Null for loops that would not become faster: long ones, and those that are left from within or
 * contain loops or functions.
 */
export function furtherRounds(loop: Node, source: string): string | null {
  const { type, test, update = null, body } = loop as AnyNode & { test?: AnyNode | null; update?: AnyNode | null; body: AnyNode };
  if ((type !== 'WhileStatement' && type !== 'ForStatement') || test === null || test === undefined) return null;
  const statements = body.type === 'BlockStatement' ? (body['body'] as AnyNode[]) : [body];
  const repeated = [...(update === null ? [] : [update]), test, ...statements];
  if (!repeated.every(isSimple)) return null;
  const texts = repeated.map(({ start, end }) => source.slice(start, end));
  // The code must be on one line, and have no comment that could extend over the code after it.
  if (texts.some((text) => /[\n\r\u2028\u2029]|\/[/*]/.test(text))) return null;
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  if (characters > MAX_CHARACTERS) return null;
  const work = texts.slice(repeated.length - statements.length).join(';');
  const before = update === null ? '' : `${texts[0]};`;
  const condition = texts[update === null ? 0 : 1] as string;
  const round = `${before}if(!(${condition}))break;--$__l;${work};`;
  return `;if($__l>${TIMES - 2}){${round.repeat(TIMES - 1)}}`;
}

function isSimple(node: AnyNode): boolean {
  let simple = true;
  walk(node as never, {
    enter(inner) {
      if (!SIMPLE.has((inner as unknown as AnyNode).type)) simple = false;
      if (!simple) this.skip();
    },
  });
  return simple;
}
