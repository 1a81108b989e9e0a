import { describe, expect, it } from 'vitest';
import { interpret } from '../../../engine/matcher/interpret.ts';
import { parse } from '../../../engine/matcher/parser.ts';
import { ValueType, type Message } from '../../../engine/message/types.ts';
import { uuid } from './messages.ts';

const bare: Message = { uuid: uuid('3f06af63-a93c-11e4-9797-00505690773f'), timestamp: 7n, fields: [] };
const full: Message = {
  ...bare,
  type: 'web',
  severity: 3,
  fields: [
    { name: 's', valueType: ValueType.STRING, values: ['a', 'b'] },
    { name: 's', valueType: ValueType.STRING, values: ['c'] },
    { name: 'i', valueType: ValueType.INTEGER, values: [5n] },
    { name: 'd', valueType: ValueType.DOUBLE, values: [NaN, 1.5] },
    { name: 't', valueType: ValueType.BOOL, values: [true] },
    { name: 'y', valueType: ValueType.BYTES, values: [Uint8Array.of(0x61, 0xff)] },
    { name: 'none', valueType: ValueType.STRING, values: [] },
  ],
};

describe('interpret', () => {
  it.each<[expression: string, ofBare: boolean, ofFull: boolean]>([
    ["Type == 'web'", false, true],
    ["Type == ''", true, false],
    ['Severity == 7', true, false],
    ['Severity < 7', false, true],
    ['Pid == 0 && Timestamp == 7', true, true],
    ["Uuid == '3f06af63-a93c-11e4-9797-00505690773f'", true, true],
    ["Hostname == '' || FALSE", true, true],
    ["Fields[s] == 'a'", false, true],
    ["Fields[s] == 'b'", false, false],
    ["Fields[s][0][1] == 'b'", false, true],
    ["Fields[s][1] == 'c'", false, true],
    ['Fields[s][2] == NIL', true, true],
    ['Fields[s][0][2] == NIL', true, true],
    ['Fields[none] == NIL', true, true],
    ['Fields[i] == 5', false, true],
    ["Fields[i] == '5'", false, false],
    ["Fields[i] != '5'", false, false],
    ['Fields[d] != 1', false, true],
    ['Fields[d] == 1', false, false],
    ['Fields[d] < 1', false, false],
    ['Fields[d][0][1] >= 1.5', false, true],
    ['Fields[t] == TRUE', false, true],
    ['Fields[t] == FALSE', false, false],
    ['Fields[y] =~ /^a\ufffd$/', false, true],
    ["Fields[y] > 'a'", false, true],
    ['Fields[s] !~ /x/', false, true],
    ['FALSE', false, false],
  ])('%s', (expression, ofBare, ofFull) => {
    const node = parse(expression);
    expect([interpret(node, bare), interpret(node, full)]).toEqual([ofBare, ofFull]);
  });
});
