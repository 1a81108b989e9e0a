import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileMatcher, variables } from '../../../engine/matcher/matcher.ts';
import { ValueType, type Message } from '../../../engine/message/types.ts';
import { anyExpression, anyMessages, batchOf } from './messages.ts';

function rowsOf(rows: Uint32Array | null, length: number): number[] {
  return rows === null ? Array.from({ length }, (_, row) => row) : [...rows];
}

describe('select', () => {
  it('agrees with the interpreter, in one batch and in batches of one', () => {
    fc.assert(
      fc.property(anyExpression, anyMessages, fc.constantFrom('', '·', ' a '), (expression, messages, gap) => {
        const matcher = compileMatcher(expression);
        const expected = messages.flatMap((message, row) => (matcher.matches(message) ? [row] : []));
        expect(rowsOf(matcher.select(batchOf(messages, gap)), messages.length)).toEqual(expected);
        const singly = messages.flatMap((message, row) => (matcher.select(batchOf([message], gap))?.length === 0 ? [] : [row]));
        expect(singly).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it('looks only at the rows it is given', () => {
    fc.assert(
      fc.property(anyExpression, anyMessages, fc.func(fc.boolean()), (expression, messages, keep) => {
        const matcher = compileMatcher(expression);
        const from = Uint32Array.from(messages.keys()).filter((row) => keep(row));
        const rows = matcher.select(batchOf(messages), from);
        expect([...(rows as Uint32Array)]).toEqual([...from].filter((row) => matcher.matches(messages[row] as Message)));
        if (rows?.length === from.length && from.length > 0) expect(rows).toBe(from);
      }),
      { numRuns: 1000 },
    );
  });

  it('says all rows with null, and none with no rows', () => {
    const batch = batchOf([{ uuid: new Uint8Array(16), timestamp: 1n, fields: [] }]);
    expect(compileMatcher('TRUE').select(batch)).toBeNull();
    expect(compileMatcher('FALSE').select(batch)).toHaveLength(0);
    expect(compileMatcher('TRUE').select(batch, new Uint32Array(0))).toHaveLength(0);
    expect(compileMatcher('FALSE').select(batchOf([]))).toBeNull();
  });

  it('finds a text in a column that follows on in its backing, but not across values', () => {
    const texts = ['xxneed', 'lexx', 'needle', '', 'aneedle needle', 'needl'];
    const messages = texts.map((payload): Message => ({ uuid: new Uint8Array(16), timestamp: 1n, payload, fields: [] }));
    const matcher = compileMatcher('Payload =~ /needle/');
    for (const gap of ['', '|', 'needle', 'le']) expect(matcher.select(batchOf(messages, gap))).toEqual(Uint32Array.of(2, 4));
    expect(compileMatcher('Payload !~ /needle/').select(batchOf(messages, ''))).toEqual(Uint32Array.of(0, 1, 3, 5));
  });

  it('rounds 64-bit integers to doubles before it compares', () => {
    const message = (value: bigint): Message => ({
      uuid: new Uint8Array(16),
      timestamp: value,
      fields: [{ name: 'n', valueType: ValueType.INTEGER, values: [value] }],
    });
    const near = [2n ** 53n + 1n, 2n ** 53n, 2n ** 53n + 2n, -(2n ** 63n), 2n ** 63n - 1n];
    const batch = batchOf(near.map(message));
    expect(compileMatcher('Fields[n] == 9007199254740992').select(batch)).toEqual(Uint32Array.of(0, 1));
    expect(compileMatcher('Timestamp < 0').select(batch)).toEqual(Uint32Array.of(3));
    expect(compileMatcher('Timestamp == 9223372036854775808').select(batch)).toEqual(Uint32Array.of(4));
  });

  it('tells what it reads', () => {
    expect(variables(`Type == 'a' && (Fields[x] == 1 || Fields[x][1] == NIL || Fields[a b] =~ /c/) && Type != 'b' && Pid > 1`)).toEqual({
      headers: ['Type', 'Pid'],
      fields: ['x', 'a b'],
      anyText: false,
    });
  });
});
