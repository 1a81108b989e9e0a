import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { decodeWith, decoder } from '../support/decode.ts';
import { startPlugin } from '../support/sandbox.ts';

const LOG = '/var/log/dpkg.log';
const at = '2021-03-05 13:07:59 ';

test.each([
  ['startup archives unpack', { action: 'startup', target: 'archives', command: 'unpack' }],
  ['status not-installed x:all <none>', { action: 'status', state: 'not-installed', package: 'x', architecture: 'all' }],
  ['status installed old 1.0', { action: 'status', state: 'installed', package: 'old', installed_version: '1.0' }],
  ['install x:i386 <none> 1:2.0~rc1-3', { action: 'install', package: 'x', architecture: 'i386', available_version: '1:2.0~rc1-3' }],
  ['configure x:all 1 <none>', { action: 'configure', package: 'x', architecture: 'all', installed_version: '1' }],
  ['purge x:all 1 2', { action: 'purge', package: 'x', architecture: 'all', installed_version: '1', available_version: '2' }],
  ['conffile /etc/a install', { action: 'conffile', filename: '/etc/a', decision: 'install' }],
])('%s', (line, fields) => {
  expect(decoder('linux_dpkg')(`${at}${line}\r\n`)).toEqual({ Timestamp: '1614949679000000000', Payload: line, ...fields });
});

test.each([
  ['', 'no date at the start'],
  ['2021-03-05 13:07:59', 'no date at the start'],
  ['2021/03/05 13:07:59 startup archives unpack', 'no date at the start'],
  [at, 'no action of dpkg with its words'],
  [`${at}startup`, 'no action of dpkg with its words'],
  [`${at}startup archives`, 'no action of dpkg with its words'],
  [`${at}startup archives  unpack`, 'no action of dpkg with its words'],
  [`${at}startup archives unpack more`, 'no action of dpkg with its words'],
  [`${at}toString a b`, 'no action of dpkg with its words'],
])('refuses %j', (line, reason) => {
  expect(decoder('linux_dpkg')(line)).toBe(`refused: ${reason}`);
});

test.each(existsSync(LOG) ? [LOG] : [])('all whole lines of %s', (path) => {
  const plugin = startPlugin('decoders/linux_dpkg.ts');
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  expect(lines.filter((line) => typeof decodeWith(plugin, line) === 'string')).toEqual([]);
});
