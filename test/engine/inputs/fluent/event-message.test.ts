import { describe, expect, it } from 'vitest';
import { messageOfEvent } from '../../../../engine/inputs/fluent/event-message.ts';
import { Extension, type MsgpackValue } from '../../../../engine/inputs/fluent/msgpack.ts';

const mapOf = (table: Readonly<Record<string, MsgpackValue>>): Map<string, MsgpackValue> => new Map(Object.entries(table));
const event = (table: Readonly<Record<string, MsgpackValue>>, time: MsgpackValue = 0) =>
  messageOfEvent({ time, record: mapOf(table) }, 'tag', 'host');
const fieldsOf = (table: Readonly<Record<string, MsgpackValue>>) =>
  event(table).fields.map(({ name, values, representation }) => [name, values, representation]);

/** A time of the protocol: seconds and nanoseconds. */
function eventTime(seconds: number, ns: number): Extension {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32BE(seconds, 0);
  bytes.writeUInt32BE(ns, 4);
  return new Extension(0, bytes);
}

describe('the time of an event', () => {
  it.each<[MsgpackValue, bigint]>([
    [1_614_949_679, 1_614_949_679_000_000_000n],
    [1.5, 1_500_000_000n],
    [-1, -1_000_000_000n],
    [7n, 7_000_000_000n],
    [eventTime(3, 999_999_999), 3_999_999_999n],
    [[eventTime(3, 1), new Map()], 3_000_000_001n],
  ])('case %#', (time, ns) => expect(event({}, time).timestamp).toBe(ns));

  it.each<[MsgpackValue]>([
    [null],
    ['now'],
    [NaN],
    [[]],
    [[[1]]],
    [new Extension(1, Buffer.alloc(8))],
    [new Extension(0, Buffer.alloc(4))],
  ])('none: case %#', (time) => expect(() => event({}, time)).toThrow('it has an event without a time'));
});

describe('the text of an event', () => {
  it.each<[Record<string, MsgpackValue>, string | undefined, string[]]>([
    [{ log: 'a\n', message: 'b' }, 'a', ['message']],
    [{ message: 'a\r\n' }, 'a', []],
    [{ MESSAGE: 'a\n\n', msg: 1 }, 'a\n', ['msg']],
    [{ log: Buffer.from('ä') }, 'ä', []],
    [{ log: 5 }, undefined, ['log']],
  ])('case %#', (table, payload, names) => {
    const message = event(table);
    expect(message).toMatchObject({ type: 'fluent', logger: 'tag', hostname: 'host' });
    expect([message.payload, message.fields.map(({ name }) => name)]).toEqual([payload, names]);
  });
});

describe('fields', () => {
  it.each<[what: string, value: MsgpackValue, values: readonly unknown[], representation?: string]>([
    ['a text', 'x', ['x']],
    ['a truth', true, [true]],
    ['an integer', 5, [5n]],
    ['the largest', (1n << 63n) - 1n, [(1n << 63n) - 1n]],
    ['a larger one', 1n << 63n, ['9223372036854775808']],
    ['a number', 1.5, [1.5]],
    ['bytes', Buffer.from('x'), [Buffer.from('x')]],
    ['a value of a type of its own', new Extension(9, Buffer.from('y')), [Buffer.from('y')]],
    ['texts', ['a', 'b'], ['a', 'b']],
    ['truths', [true, false], [true, false]],
    ['integers', [1, 2n], [1n, 2n]],
    ['numbers', [1.5, 2], [1.5, 2]],
    ['a list of several kinds', ['a', 1n, mapOf({ b: Buffer.from('x') })], ['["a","1",{"b":"eA=="}]'], 'json'],
  ])('%s', (_what, value, values, representation) => expect(fieldsOf({ f: value })).toEqual([['f', values, representation]]));

  it('are none for nothing', () => expect(fieldsOf({ a: null, b: [], c: new Map() })).toEqual([]));

  it('of maps have names with dots', () =>
    expect(fieldsOf({ a: mapOf({ b: mapOf({ c: 1 }), d: 'x' }) })).toEqual([
      ['a.b.c', [1n], undefined],
      ['a.d', ['x'], undefined],
    ]));
});

describe('too much', () => {
  it('fields', () => {
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`f${i}`, 1]));
    expect(() => event(many)).toThrow('an event has more than 10000 fields');
  });

  it('names', () => {
    const inner = mapOf(Object.fromEntries(Array.from({ length: 11 }, (_, i) => [String(i), 1])));
    expect(() => event({ ['x'.repeat(100_000)]: inner })).toThrow('an event has names of more than 1048576 characters');
  });
});

it('what is no record is none', () => {
  expect(() => messageOfEvent({ time: 0, record: 'x' }, 't', 'h')).toThrow('it has an event without a record');
});
