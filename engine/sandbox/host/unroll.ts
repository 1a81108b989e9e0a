import type { Node } from 'acorn';
import { walk } from 'estree-walker';

interface AnyNode extends Node {
  [key: string]: unknown;
}

/** What a loop may be made of to be written out: what leaves no loop, holds no function and declares nothing. */
const SIMPLE = new Set([
  ...['BlockStatement', 'EmptyStatement', 'ExpressionStatement', 'IfStatement'],
  ...['AssignmentExpression', 'BinaryExpression', 'CallExpression', 'ConditionalExpression', 'LogicalExpression', 'MemberExpression'],
  ...['SequenceExpression', 'ThisExpression', 'UnaryExpression', 'UpdateExpression'],
  ...['Identifier', 'Literal', 'PrivateIdentifier'],
]);

/** A round of so many characters at most is written out so often. More often makes some loops slower than they were. */
const MOST_CHARACTERS = 100;
const TIMES = 4;

/**
 * What to put at the end of a loop's body so that the loop does several rounds in one and counts them together: counting each by itself would take
 * a third of the time of a loop over characters. The counts are the same. Null for a loop that does not become faster by that: those that are
 * long, that are left from within, or that contain loops and functions.
 * @param settle counts the steps in `$__l` when they are many
 */
export function furtherRounds(loop: Node, source: string, settle: string): string | null {
  const { type, test, update = null, body } = loop as AnyNode & { test?: AnyNode | null; update?: AnyNode | null; body: AnyNode };
  if ((type !== 'WhileStatement' && type !== 'ForStatement') || test === null || test === undefined) return null;
  const statements = body.type === 'BlockStatement' ? (body['body'] as AnyNode[]) : [body];
  const repeated = [...(update === null ? [] : [update]), test, ...statements];
  if (!repeated.every(isSimple)) return null;
  const texts = repeated.map(({ start, end }) => source.slice(start, end));
  // On one line, and without a comment that could take in what comes behind it.
  if (texts.some((text) => /[\n\r\u2028\u2029]|\/[/*]/.test(text))) return null;
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  if (characters > MOST_CHARACTERS) return null;
  const work = texts.slice(repeated.length - statements.length).join(';');
  const before = update === null ? '' : `${texts[0]};`;
  const asked = texts[update === null ? 0 : 1] as string;
  const rounds = Array.from({ length: TIMES - 1 }, (_, i) => `${before}if(!(${asked})){$__l+=${i + 1};break;}${work};`);
  return `;${rounds.join('')}if(($__l+=${TIMES})>63){${settle}}`;
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
