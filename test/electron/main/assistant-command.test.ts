import { join } from 'node:path';
import { expect, it } from 'vitest';
import { assistantCommand } from '../../../electron/main/assistant-command.ts';

const USUAL = '/home/me/.config/sluicebox';
const installed = { packaged: true, mounted: false, root: '/opt/s', node: '/opt/s/runtime/node', data: USUAL, usual: USUAL } as const;
const own = ['/opt/s/runtime/node', join('/opt/s', 'engine', 'cli', 'main.ts'), 'mcp', '--window'];

it.each([
  ['a package brings its Node', installed, own],
  ['a package with data elsewhere', { ...installed, data: '/data' }, [...own, '--user-data-dir', '/data']],
  ['an AppImage has no place of its own', { ...installed, mounted: true }, ['sluicebox', 'mcp', '--window']],
  ['a checkout', { ...installed, packaged: false }, [join('/opt/s', 'bin', 'sluicebox'), 'mcp', '--window']],
  ['a checkout on Windows', { ...installed, packaged: false, platform: 'win32' as const }, own],
])('%s', (_, given, command) => expect(assistantCommand({ platform: 'linux', ...given })).toEqual(command));
