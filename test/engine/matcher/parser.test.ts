import { describe, expect, it } from 'vitest';
import type { Node } from '../../../engine/matcher/ast.ts';
import { parse } from '../../../engine/matcher/parser.ts';

const TRUE: Node = { kind: 'constant', value: true };
const FALSE: Node = { kind: 'constant', value: false };
const field = (name: string, condition: Extract<Node, { kind: 'field' }>['condition'], instance = 0, element = 0): Node => ({
  kind: 'field',
  field: { name, instance, element },
  condition,
});

describe('parse', () => {
  it.each<[expression: string, node: Node]>([
    ['TRUE', TRUE],
    [' ( FALSE ) ', FALSE],
    ['TRUE && FALSE && TRUE', { kind: 'and', terms: [TRUE, FALSE, TRUE] }],
    ['TRUE || FALSE && TRUE', { kind: 'or', terms: [TRUE, { kind: 'and', terms: [FALSE, TRUE] }] }],
    ['(TRUE || FALSE) && TRUE', { kind: 'and', terms: [{ kind: 'or', terms: [TRUE, FALSE] }, TRUE] }],
    ["Type == 'web'", { kind: 'textHeader', variable: 'Type', condition: { kind: 'text', relation: '==', value: 'web' } }],
    ['Severity <= 3', { kind: 'numberHeader', variable: 'Severity', condition: { kind: 'number', relation: '<=', value: 3 } }],
    ['Fields[a b] != 1.5', field('a b', { kind: 'number', relation: '!=', value: 1.5 })],
    ['Fields[a][1][2] > "x"', field('a', { kind: 'text', relation: '>', value: 'x' }, 1, 2)],
    ['Fields[a] == TRUE', field('a', { kind: 'boolean', value: true })],
    ['Fields[a] == FALSE', field('a', { kind: 'boolean', value: false })],
    ['Fields[a] == NIL', field('a', { kind: 'exists', expected: false })],
    ['Fields[a] != NIL', field('a', { kind: 'exists', expected: true })],
  ])('%s', (expression, node) => expect(parse(expression)).toEqual(node));

  it('compiles regular expressions', () => {
    expect(parse('Payload !~ /^a/')).toMatchObject({
      kind: 'textHeader',
      condition: { kind: 'pattern', negated: true, pattern: { source: '^a', engine: 'literal' } },
    });
    expect(parse('Fields[a] =~ /a|b/')).toMatchObject({ kind: 'field', condition: { kind: 'pattern', negated: false } });
  });

  it('keeps chains flat', () => {
    const node = parse(Array.from({ length: 2000 }, () => 'TRUE').join(' && '));
    expect(node).toMatchObject({ kind: 'and' });
    expect((node as Extract<Node, { kind: 'and' }>).terms).toHaveLength(2000);
  });
});
