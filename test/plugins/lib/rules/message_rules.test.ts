import { describe, expect, it } from 'vitest';
import { fieldMaker, MessageRules } from '../../../../plugins/lib/rules/message_rules.ts';

const fieldOf = fieldMaker({ numbers: { count: '', size: 'B' }, hosts: ['peer'] });

describe('fieldMaker', () => {
  it.each<[name: string, value: string, field: object]>([
    ['word', '7', { name: 'word', value: '7' }],
    ['count', '7', { name: 'count', value: 7 }],
    ['count', 'seven', { name: 'count', value: 'seven' }],
    ['size', '12', { name: 'size', value: 12, representation: 'B' }],
    ['peer', '192.0.2.1', { name: 'peer', value: '192.0.2.1', representation: 'ipv4' }],
    ['peer', '::1', { name: 'peer', value: '::1', representation: 'ipv6' }],
    ['peer', 'box1', { name: 'peer', value: 'box1', representation: 'hostname' }],
  ])('%s %s', (name, value, field) => expect(fieldOf(name, value)).toEqual(field));
});

describe('MessageRules', () => {
  const rules = new MessageRules(
    [
      { event: 'sent', word: 'bytes', pattern: /^sent (?<size>\d+) bytes(?: to (?<peer>\S+))?/ },
      { event: 'said', pattern: /^(?<who>\w+) said (?<what>.*)$/ },
      { event: 'any', pattern: /^sent (\d) (?<rest>.*)/ },
    ],
    fieldOf,
  );

  it('has the fields of the first rule that fits', () => {
    expect(rules.fieldsOf('sent 12 bytes to box1')).toEqual([
      { name: 'event', value: 'sent' },
      { name: 'size', value: 12, representation: 'B' },
      { name: 'peer', value: 'box1', representation: 'hostname' },
    ]);
    expect(rules.fieldsOf('sent 1 letters')).toEqual([
      { name: 'event', value: 'any' },
      { name: 'rest', value: 'letters' },
    ]);
  });

  it('leaves out empty groups', () => {
    expect(rules.fieldsOf('sent 12 bytes')).toHaveLength(2);
    expect(rules.fieldsOf('bob said ')).toEqual([
      { name: 'event', value: 'said' },
      { name: 'who', value: 'bob' },
    ]);
  });

  it('reads over the ends of lines', () => expect(rules.fieldsOf('bob said a\nb\u2028c').at(-1)?.value).toBe('a\nb\u2028c'));

  it('has none for other messages', () => expect(rules.fieldsOf('x')).toEqual([]));
});
