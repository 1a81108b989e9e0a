import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { client, host, hostForm } from '../../../plugins/lib/hosts.ts';

describe('hosts', () => {
  test.each([
    ['1.2.3.4', '1.2.3.4', 'ipv4'],
    ['0.255.99.1 x', '0.255.99.1', 'ipv4'],
    ['1.2.3.4.example.com', '1.2.3.4', 'ipv4'],
    ['1.2.3.456', '1.2.3.45', 'ipv4'],
    ['256.1.1.1', '256.1.1.1', 'hostname'],
    ['01.2.3.4', '01.2.3.4', 'hostname'],
    ['1.2.3', '1.2.3', 'hostname'],
    ['::', '::', 'ipv6'],
    ['::1]', '::1', 'ipv6'],
    ['[2001:db8::7] -', '[2001:db8::7]', 'ipv6'],
    ['2001:db8::7', '2001:db8::7', 'ipv6'],
    ['2001:DB8:0:1:2:3:4:5 ', '2001:DB8:0:1:2:3:4:5', 'ipv6'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7::', 'ipv6'],
    ['1:2:3:4:5:6:7:8::', '1:2:3:4:5:6:7:8', 'ipv6'],
    ['::ffff:1.2.3.4', '::ffff:1.2.3.4', 'ipv6'],
    ['::1.2.3.4', '::1.2.3.4', 'ipv6'],
    ['64:ff9b::192.0.2.33', '64:ff9b::192.0.2.33', 'ipv6'],
    ['1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:1.2.3.4', 'ipv6'],
    ['fe80::1%eth0', 'fe80::1', 'ipv6'],
    ['1::2::3', '1::2', 'ipv6'],
    ['1:2:3', '1', 'hostname'],
    ['dead:', 'dead', 'hostname'],
    ['web-1.example.net,', 'web-1.example.net,', 'hostname'],
    ['a%20b%2', 'a%20b', 'hostname'],
    ['-', '-', 'hostname'],
    ['unix:', 'unix', 'hostname'],
  ])('%s', (text, taken, form) => {
    const to = host(`x${text}0`, 1, text.length + 1);
    expect([text.slice(0, to - 1), hostForm(text, 0, to - 1)]).toEqual([taken, form]);
  });

  test.each(['', ':', ':1', '"x', 'é'])('%j is none', (text) => {
    expect(host(text, 0, text.length)).toBe(-1);
  });

  test('a client may be a Unix socket', () => {
    expect([client('unix:', 0, 5), client('unix:', 0, 4), client('1.2.3.4', 0, 7)]).toEqual([5, 4, 7]);
    expect(hostForm('unix:', 0, 5)).toBe('unix');
  });

  test('addresses that were generated', () => {
    fc.assert(fc.property(fc.ipV6(), (text) => host(text, 0, text.length) === text.length && hostForm(text, 0, text.length) === 'ipv6'));
    fc.assert(fc.property(fc.ipV4(), (text) => host(text, 0, text.length) === text.length && hostForm(text, 0, text.length) === 'ipv4'));
  });
});
