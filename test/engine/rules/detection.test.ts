import { describe, expect, it } from 'vitest';
import { parseDetection } from '../../../engine/rules/detection.ts';
import { RuleMistake } from '../../../engine/rules/mistake.ts';
import type { Node } from '../../../engine/rules/model.ts';
import { readYaml } from '../../../engine/rules/yaml.ts';

function parsed(text: string): Node {
  const [yaml] = readYaml(text);
  if (yaml?.kind !== 'map') throw new Error('no map');
  return parseDetection(yaml);
}

/** A condition in words: tests by their fields and the text that they look for. */
function words(node: Node): string {
  switch (node.kind) {
    case 'constant':
      return String(node.value);
    case 'not':
      return `not ${words(node.part)}`;
    case 'test':
      return `${node.field}:${node.test.kind === 'text' ? node.test.pattern.pieces.join('*') : node.test.kind}`;
    default:
      return `(${node.parts.map(words).join(` ${node.kind} `)})`;
  }
}

describe('a detection', () => {
  it.each([
    ['a map of fields', 's: {a: x, b: y}\ncondition: s', '(a:x and b:y)'],
    ['a list of maps', 's: [{a: x, b: y}, {c: z}]\ncondition: s', '((a:x and b:y) or c:z)'],
    ['a list of keywords and maps', 's: [evil, {a: x}]\ncondition: s', '(:evil or a:x)'],
    ['a list within a list', 's: [[x, y], z]\ncondition: s', '((:x or :y) or :z)'],
    ['a keyword alone', 's: 4711\ncondition: s', ':4711'],
    ['a condition before its searches', 'condition: not s\ns: {a: null}', 'not a:null'],
    ['several conditions', 's: {a: x}\nt: {b: y}\ncondition: [s and t, not t]', '((a:x and b:y) or not b:y)'],
    ['a search that no condition names', 's: {a: x}\nt: {b: y}\ncondition: s', 'a:x'],
  ])('has %s', (_, text, expected) => expect(words(parsed(text))).toBe(expected));

  it.each<[text: string, line: number, why: string]>([
    ['s: {a: x}', 1, 'the detection has no condition'],
    ['s: {a: x}\ncondition: []', 1, 'the detection has no condition'],
    ['s: {a: x}\ncondition:', 2, 'the condition is not a text'],
    ['s: {a: x}\ncondition:\n  - s\n  - {or: s}', 4, 'the condition is not a text'],
    ['s: {a: x}\ncondition: s\ntimeframe: 5m', 3, 'timeframe belongs to aggregations: correlation rules have replaced them'],
    ['condition: s\ns: {}', 2, 'the search s is empty'],
    ['condition: s\ns: []', 2, 'the search s is empty'],
    ['condition: s\ns:\n  - a: x\n  - {}', 4, 'the search s is empty'],
    ['condition: s\ns:\n  a: x\n  b: {c: y}', 4, 'the value of b is a map'],
    ['condition: s\ns: {a: []}', 2, 'the list of a is empty'],
  ])('%j is refused', (text, line, why) => {
    expect(() => parsed(text)).toThrow(new RuleMistake(why, line));
    expect(() => parsed(text)).toThrow(expect.objectContaining({ line }));
  });
});
