import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MatcherError } from '../../../../engine/matcher/errors.ts';
import { compileMatcher } from '../../../../engine/matcher/matcher.ts';
import { NetworkError, parseNetworks } from '../../../../engine/base/text/networks.ts';
import { ValueType, type Message } from '../../../../engine/message/types.ts';
import { batchOf, uuid } from '../../matcher/messages.ts';

const has = (networks: string, address: string): boolean => parseNetworks(networks).contains(`<${address}>`, 1, address.length + 1);

describe('networks', () => {
  it.each([
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['10.1.2.3/8', '10.9.9.9', true],
    ['0.0.0.0/0', '203.0.113.9', true],
    ['0.0.0.0/0', '::1', false],
    ['::/0', '10.0.0.1', false],
    ['255.255.255.255/32', '255.255.255.255', true],
    ['192.0.2.1', '192.0.2.1', true],
    ['192.0.2.1', '192.0.2.10', false],
    ['10.0.0.0/8', '::ffff:10.1.2.3', true],
    ['::ffff:10.0.0.0/104', '10.1.2.3', true],
    ['2001:db8::/32', '2001:DB8:0:1::5', true],
    ['2001:db8::/33', '2001:db8:8000::', false],
    ['fe80::/10', 'fe80::1%eth0', true],
    ['::1', '0:0:0:0:0:0:0:1', true],
    ['192.168.0.0/16, 10.0.0.0/8 ,::1', '10.0.0.1', true],
    ['10.0.0.0/8', '10.0.0', false],
    ['10.0.0.0/8', '10.0.0.256', false],
    ['10.0.0.0/8', '10.0.0.01', false],
    ['10.0.0.0/8', '10.0.0.1:80', false],
    ['10.0.0.0/8', '', false],
    ['::/0', ':::', false],
    ['::/0', '1:2:3:4:5:6:7', false],
    ['::/0', '1::2::3', false],
    ['::/0', '1:2:3:4:5:6:7::8', false],
    ['::/0', '12345::', false],
  ])('%s of %s: %s', (networks, address, expected) => expect(has(networks, address)).toBe(expected));

  it.each([
    ['10.0.0.0/33', 0, '0 to 32'],
    ['10.0.0.0/', 0, '0 to 32'],
    ['::1/129', 0, '0 to 128'],
    ['::ffff:10.0.0.0/8', 0, '96 to 128'],
    ['10.0.0/8', 0, 'an address is written'],
    ['10.0.0.0/8, localhost', 12, 'an address is written'],
    ['', 0, 'an address is written'],
  ])('%j is none', (source, at, why) => {
    expect(() => parseNetworks(source)).toThrow(NetworkError);
    expect(() => parseNetworks(source)).toThrow(expect.objectContaining({ at, message: expect.stringContaining(why) as string }));
  });

  it('hold the addresses that those of Node hold', () => {
    const near = fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 }), fc.oneof(fc.ipV4(), fc.constantFrom('10.0.0.1', '192.168.1.1')));
    const far = fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 }), fc.oneof(fc.ipV6(), fc.constantFrom('::1', '2001:db8::1')));
    fc.assert(
      fc.property(fc.oneof(near, far), ([network, length, address]) => {
        fc.pre(!/ffff|^::\d/i.test(network + address));
        const kind = isIP(network) === 4 ? 'ipv4' : 'ipv6';
        const list = new BlockList();
        list.addSubnet(network, length, kind);
        expect(has(`${network}/${length}`, address)).toBe(list.check(address, kind));
        expect(has(`${network}/${length}`, network)).toBe(true);
      }),
    );
  });

  it('are read only from addresses, of any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d.:a-f%]{0,30}$/)), (text) => {
        expect(has('0.0.0.0/0, ::/0', text)).toBe(isIP(text.replace(/%.*$/s, '')) !== 0);
      }),
    );
  });
});

describe('in', () => {
  const message: Message = {
    uuid: uuid('0f6a1c2e-1111-4222-8333-944455556666'),
    timestamp: 1n,
    hostname: '10.1.2.3',
    fields: [
      { name: 'a', valueType: ValueType.STRING, values: ['2001:db8::1', '10.9.9.9'] },
      { name: 'b', valueType: ValueType.BYTES, values: [Buffer.from('10.1.1.1')] },
      { name: 'n', valueType: ValueType.DOUBLE, values: [10] },
    ],
  };

  it.each([
    ['Hostname in 10.0.0.0/8', true],
    ['Hostname not in 10.0.0.0/8', false],
    ['Hostname  not \t in (::1, 10.1.2.4)', true],
    ['Fields[a] in (10.0.0.0/8, 2001:db8::/32) && Fields[a][0][1] in 10.0.0.0/8', true],
    ['(Fields[b] in 10.0.0.0/8)', true],
    ['Fields[n] in 10.0.0.0/8 || Fields[n] not in 10.0.0.0/8', false],
    ['Fields[none] in 10.0.0.0/8 || Fields[none] not in 10.0.0.0/8', false],
    ['Type in 10.0.0.0/8', false],
    ['Type not in 10.0.0.0/8', true],
  ])('%s: %s', (expression, expected) => {
    const matcher = compileMatcher(expression);
    expect(matcher.matches(message)).toBe(expected);
    expect(matcher.select(batchOf([message]))?.length ?? 1).toBe(expected ? 1 : 0);
  });

  it.each([
    ['Hostname in 10.0.0.0/40', 13, 'the number behind the slash is 0 to 32'],
    ['Hostname in (10.0.0.0/8, 10.0.0/8)', 26, 'an address is written'],
    ['Hostname in (10.0.0.0/8', 24, "the '(' in column 13 is not closed"],
    ['Hostname in', 12, 'an address is written'],
    ["Hostname in 'a'", 13, 'an address is written'],
    ['Hostname not 10.0.0.0/8', 10, 'not stands in front of in only'],
    ['Pid in 10.0.0.0/8', 5, 'Pid is a number'],
    ['in 10.0.0.0/8', 1, 'a variable'],
  ])('%s is refused', (expression, column, why) => {
    expect(() => compileMatcher(expression)).toThrow(MatcherError);
    expect(() => compileMatcher(expression)).toThrow(expect.objectContaining({ column, message: expect.stringContaining(why) as string }));
  });
});
