import { describe, expect, it } from 'vitest';
import { hitsOf, ruleOf, type Record } from './records.ts';

const one = (fields: Record['fields'], more: Record = {}): Record => ({ ...more, ...(fields === undefined ? {} : { fields }) });
const holds = (search: string, record: Record, condition = 'sel'): boolean =>
  hitsOf(ruleOf(`sel:\n${search.replaceAll(/^/gm, '    ')}\nkey:\n    marker: 'yes'\ncondition: key and ${condition}`), [
    { ...record, fields: { marker: 'yes', ...record.fields } },
  ]).length > 0;

describe('a search', () => {
  it.each([
    ["a: 'x'", { a: 'X' }, true],
    ["a: 'x'", { a: 'xy' }, false],
    ["a: 'x'", {}, false],
    ["a: ['x', 'y']", { a: 'y' }, true],
    ["a: 'x'\nb: 'y'", { a: 'x' }, false],
    ["- a: 'x'\n- b: 'y'", { b: 'y' }, true],
    ['a: 4625', { a: 4625 }, true],
    ["a: '4625'", { a: 4625 }, true],
    ['a: 0x10', { a: '0x10' }, true],
    ['a: true', { a: true }, true],
    ["a|contains: 'b'", { a: 'abc' }, true],
    ["a|contains|all: ['a', 'c']", { a: 'abc' }, true],
    ["a|contains|all: ['a', 'd']", { a: 'abc' }, false],
    ["a|startswith: ['b', 'a']", { a: 'abc' }, true],
    ["a|endswith: 'c'", { a: ['x', 'abc'] }, true],
    ["a|re: '^a.c$'", { a: 'abc' }, true],
    ["a|re: '^A.c$'", { a: 'abc' }, false],
    ["a|re|i: '^A.c$'", { a: 'abc' }, true],
    [String.raw`a|re: '\"x\/'`, { a: '"x/' }, true],
    ["a|cidr: '10.0.0.0/8'", { a: '10.1.2.3' }, true],
    ["a|cidr: ['10.0.0.0/8', '2001:db8::/32']", { a: '2001:db9::1' }, false],
    ['a|gt: 5', { a: 6 }, true],
    ['a|gte: 5', { a: 5 }, true],
    ['a|lt: 5', { a: 5 }, false],
    ['a|lte: 5', { a: '4.5' }, true],
    ['a|lt: 5', { a: '' }, false],
    ['a|exists: true', { a: '' }, true],
    ['a|exists: false', { a: '' }, false],
    ['a|exists: false', {}, true],
    ['a: null', {}, true],
    ['a: null', { a: 'x' }, false],
    ["a: ''", { a: '' }, true],
    ["a: ''", { a: 'x' }, false],
    ["a|neq: 'x'", { a: 'y' }, true],
    ["a|neq: 'x'", { a: 'x' }, false],
    ["a|cased: 'x'", { a: 'X' }, false],
    ['a|fieldref: b', { a: 'x', b: 'X' }, true],
    ['a|fieldref: b', { a: 'x', b: 'y' }, false],
    ['a|fieldref|startswith: b', { a: 'xyz', b: 'xy' }, true],
    ['a|hour: 8', { a: '2019-03-02 08:51:00.008' }, true],
    ['a|week: 9', { a: '2019-03-02' }, true],
    ['a|month: 4', { a: '2019-03-02' }, false],
    ["a|base64: 'abc'", { a: 'YWJj' }, true],
    ["a|base64offset|contains: 'http://'", { a: `xx${Buffer.from('12http://a').toString('base64')}` }, true],
    ["a|base64offset|contains: 'http://'", { a: `xx${Buffer.from('1http://a').toString('base64')}` }, true],
    ["a|wide|base64offset|contains: 'iex'", { a: Buffer.from('xiex ', 'utf16le').toString('base64') }, true],
    ["a|utf16be|base64: 'a'", { a: 'AGE=' }, true],
    ["a|windash|contains: ' -enc'", { a: 'x /ENC y' }, true],
    ["A: 'x'", { a: 'x' }, true],
    ["a.b: 'x'", { a: { json: { b: ['y', 'x'] } } }, true],
    ["a.b: '*'", { a: { json: { c: 1 } } }, false],
  ] as const)('%s with %j: %s', (search, fields, expected) => {
    expect(holds(search, one(fields as Record['fields']))).toBe(expected);
  });
});
