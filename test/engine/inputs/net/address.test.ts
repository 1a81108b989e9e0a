import { describe, expect, it } from 'vitest';
import { parseAddress, plainHost } from '../../../../engine/inputs/net/address.ts';

describe('addresses', () => {
  it.each([
    ['127.0.0.1:514', { host: '127.0.0.1', port: 514 }],
    ['localhost:5514', { host: 'localhost', port: 5514 }],
    ['[::1]:5514', { host: '::1', port: 5514 }],
    [':5514', { host: '', port: 5514 }],
  ])('%s', (text, address) => expect(parseAddress(text)).toEqual(address));

  it.each(['', '514', 'host:', 'host:99999', '::1:514', 'host:http'])('refuses %j', (text) => {
    expect(() => parseAddress(text)).toThrow(expect.objectContaining({ code: 'port.bad-address' }));
  });

  it.each([
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['10.0.0.1', '10.0.0.1'],
  ])('shows %s as %s', (address, shown) => expect(plainHost(address)).toBe(shown));
});
