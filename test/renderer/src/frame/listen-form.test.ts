import { describe, expect, it } from 'vitest';
import { checkListen, portHint } from '../../../../renderer/src/frame/listen-form.ts';

describe('checkListen', () => {
  it.each([
    ['127.0.0.1', '5514', true],
    [' :: ', ' 514 ', true],
    ['', '5514', 'host'],
    ['a b', '5514', 'host'],
    ['127.0.0.1', '', 'port'],
    ['127.0.0.1', '0', 'port'],
    ['127.0.0.1', '65536', 'port'],
    ['127.0.0.1', '5.5', 'port'],
    ['127.0.0.1', '0x10', 'port'],
  ])('%j %j: %s', (host, port, expected) => {
    const check = checkListen({ protocol: 'udp', host, port });
    expect(check.ok ? true : check.field).toBe(expected);
    if (check.ok) expect(check.listen).toEqual({ protocol: 'udp', host: host.trim(), port: Number(port) });
  });

  it('warns of ports that may need rights', () => {
    expect(portHint('514', 'linux')).not.toBe('');
    expect(portHint('514', 'win32')).toBe('');
    expect(portHint('5514', 'linux')).toBe('');
  });
});
