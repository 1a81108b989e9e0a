import { describe, expect, it } from 'vitest';
import { typedTarget } from '../../../../engine/workspace/sources/typed-target.ts';

const read = (text: string): unknown => typedTarget(text, '/home/maria');

describe('a typed path', () => {
  it.each([
    ['/var/log/syslog', '/var/log/syslog'],
    ['  /var/log/../log/a b.log ', '/var/log/a b.log'],
    ['~/logs/*.log', '/home/maria/logs/*.log'],
    ['~', '/home/maria'],
    ['logs', '/home/maria/logs'],
    ['/srv/odd:/name', '/srv/odd:/name'],
  ])('%j is one of this machine', (text, path) => {
    expect(read(text)).toEqual({ kind: 'local', path });
  });

  it.each([
    ['web1:/var/log/syslog', 'web1', '/var/log/syslog'],
    ['maria@web1.example.org:/var/log/a b', 'maria@web1.example.org', '/var/log/a b'],
    ['[2001:db8::1]:/x', '[2001:db8::1]', '/x'],
    ['web1:~/app.log', 'web1', '~/app.log'],
    ["web1:/var/log/$(id)'`.log", 'web1', "/var/log/$(id)'`.log"],
  ])('%j is one of another machine', (text, host, path) => {
    expect(read(text)).toEqual({ kind: 'remote', host, path });
  });

  it.each([
    '',
    '  ',
    '-oProxyCommand=id:/x',
    '-p:/x',
    'a b:/x',
    '$(id):/x',
    'maria@-x:/x',
    'a@b@c:/x',
    'host:/x\ny',
    '/a\u0000b',
    ';id:/x',
  ])('%j is refused', (text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'path.bad' }));
  });
});
