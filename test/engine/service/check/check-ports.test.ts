import { expect, it } from 'vitest';
import { wrongPorts } from '../../../../engine/service/check/check-ports.ts';

const input = (name: string, type: string, table: object = {}, wrong: readonly PropertyKey[][] = []) =>
  ({ name, type, kind: 'input', table, wrong, origin: { file: 'f', line: name.charCodeAt(0) - 96 } }) as never;
const found = (...sections: readonly never[]) => wrongPorts(sections).map(({ section, path, text }) => [section, path.join('.'), text]);
const udp = (name: string, address: string) => input(name, 'UdpInput', { address });
const TAKEN = [['b', 'address', 'UDP port 514 is that of [a] already, in line 1']];

it.each([
  ['127.0.0.1:514', '127.0.0.1:514'],
  ['127.0.0.1:514', 'localhost:514'],
  ['0.0.0.0:514', '192.0.2.1:514'],
  ['192.0.2.1:514', ':514'],
  ['[::]:514', '192.0.2.1:514'],
  ['[2001:DB8::1]:514', '[2001:db8::1]:514'],
])('%s and %s cannot be open at once', (a, b) => expect(found(udp('a', a), udp('b', b))).toEqual(TAKEN));

it.each([
  ['127.0.0.1:514', '127.0.0.2:514'],
  ['127.0.0.1:514', '127.0.0.1:515'],
  ['127.0.0.1:0', '127.0.0.1:0'],
  ['0.0.0.0:514', '[2001:db8::1]:514'],
])('%s and %s can', (a, b) => expect(found(udp('a', a), udp('b', b))).toEqual([]));

it('ports of UDP and TCP are others', () => {
  expect(found(udp('a', ':514'), input('b', 'TcpInput', { address: ':514' }))).toEqual([]);
});

it('takes the address that an input has without one', () => {
  expect(found(input('a', 'OtlpInput'), input('b', 'OtlpInput'))).toHaveLength(1);
});

it('looks into the source of a script', () => {
  const script = input('b', 'SandboxInput', { source: { type: 'UdpInput', address: ':514' } });
  expect(found(udp('a', ':514'), script)).toEqual([['b', 'source.address', TAKEN[0]?.[2]]]);
});

it('says what is no address, unless that is known', () => {
  expect(found(udp('a', 'nowhere'))).toEqual([['a', 'address', expect.stringContaining('nowhere')]]);
  expect(found(input('a', 'UdpInput', { address: 'nowhere' }, [['address']]))).toEqual([]);
});

it('does not concern what does not listen', () => {
  expect(found(input('a', 'FileInput', { address: 'x' }), { ...(udp('b', 'x') as object), kind: 'output' } as never)).toEqual([]);
});
