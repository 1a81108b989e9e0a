import { describe, expect, it } from 'vitest';
import type { Condition, FieldReference } from '../../../engine/matcher/ast.ts';
import { compileField } from '../../../engine/matcher/fields.ts';
import { ValueType, type Field, type Message } from '../../../engine/message/types.ts';
import { batchOf } from './messages.ts';

const s = (name: string, ...values: string[]): Field => ({ name, valueType: ValueType.STRING, values });
const i = (name: string, ...values: bigint[]): Field => ({ name, valueType: ValueType.INTEGER, values });
const messages = [[s('a', 'x')], [], [i('a', 7n), s('a', 'x')], [s('a', 'y', 'x')], [s('b', 'x')]].map((fields): Message => ({
  uuid: new Uint8Array(16),
  timestamp: 1n,
  fields,
}));
const batch = batchOf(messages);
const isX: Condition = { kind: 'text', relation: '==', value: 'x' };

/** The rows with such a value. */
function rowsOf(
  condition: Condition,
  { name = 'a', instance = 0, element = 0 }: Partial<FieldReference> = {},
  from: Uint32Array | null = null,
): number[] {
  const rows = compileField({ name, instance, element }, condition)(batch, from);
  return rows === null ? [...messages.keys()] : [...rows];
}

describe('compileField', () => {
  it.each<[text: string, condition: Condition, field: Partial<FieldReference>, rows: number[]]>([
    ['the first of the name', isX, {}, [0]],
    ['the second of the name', isX, { instance: 1 }, [2]],
    ['a further value', isX, { element: 1 }, [3]],
    ['another name', isX, { name: 'b' }, [4]],
    ['no such name', isX, { name: 'c' }, []],
    ['no such instance', isX, { instance: 2 }, []],
    ['a number', { kind: 'number', relation: '>', value: 6 }, {}, [2]],
    ['a boolean', { kind: 'boolean', value: true }, {}, []],
    ['some value', { kind: 'exists', expected: true }, {}, [0, 2, 3]],
    ['no value', { kind: 'exists', expected: false }, {}, [1, 4]],
    ['a second value', { kind: 'exists', expected: true }, { element: 1 }, [3]],
    ['no third instance', { kind: 'exists', expected: false }, { instance: 2 }, [0, 1, 2, 3, 4]],
  ])('finds %s', (_, condition, field, rows) => expect(rowsOf(condition, field)).toEqual(rows));

  it('looks at the rows that it is given', () => {
    const from = Uint32Array.of(1, 2, 3);
    expect(rowsOf(isX, {}, from)).toEqual([]);
    expect(rowsOf(isX, { instance: 1 }, from)).toEqual([2]);
    expect(rowsOf({ kind: 'exists', expected: false }, {}, from)).toEqual([1]);
  });
});
