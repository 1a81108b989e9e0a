import { describe, expect, it } from 'vitest';
import { splitPath, workspaceName } from '../../../../../renderer/src/lib/sources/names.ts';

describe('names', () => {
  it.each([
    ['/home/a/.config/sluicebox/workspace.toml', 'Workspace'],
    ['C:\\logs\\gateway.toml', 'gateway'],
    ['', 'Workspace'],
  ])('workspace %j is %s', (path, name) => expect(workspaceName(path)).toBe(name));

  it.each([
    ['/var/log/a.log', { name: 'a.log', folder: '/var/log' }],
    ['C:\\x\\b.log', { name: 'b.log', folder: 'C:\\x' }],
    ['c.log', { name: 'c.log', folder: '' }],
  ])('splits %j', (path, parts) => expect(splitPath(path)).toEqual(parts));
});
