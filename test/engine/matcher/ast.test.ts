import { describe, expect, it } from 'vitest';
import { NUMBER_VARIABLES, TEXT_VARIABLES, variablesOf } from '../../../engine/matcher/ast.ts';
import { parse } from '../../../engine/matcher/parser.ts';

it('the headers are texts or numbers', () => {
  expect(TEXT_VARIABLES.toSorted()).toEqual(['EnvVersion', 'Hostname', 'Logger', 'Payload', 'Type', 'Uuid']);
  expect(NUMBER_VARIABLES.toSorted()).toEqual(['Pid', 'Severity', 'Timestamp']);
});

describe('the variables of an expression', () => {
  it.each([
    ['TRUE', [], []],
    ["Type == 'a' && (Pid > 7 || Type =~ /b/)", ['Type', 'Pid'], []],
    ['Fields[x] == 1 || Fields[x][1] == 2 || Fields[y z] != NIL', [], ['x', 'y z']],
    ["Severity < 4 && Fields[a] in 10.0.0.0/8 && Hostname != ''", ['Severity', 'Hostname'], ['a']],
  ])('%s', (expression, headers, fields) => {
    expect(variablesOf(parse(expression))).toEqual({ headers, fields, anyText: false });
  });

  it('are all texts for one that reads any', () =>
    expect(variablesOf(parse('Pid > 7 && (* =~ /a/ || Fields[x] == 1)'))).toEqual({ headers: ['Pid'], fields: ['x'], anyText: true }));
});
