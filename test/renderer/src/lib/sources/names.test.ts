import { describe, expect, it } from 'vitest';
import { sourcesWith, splitPath, workspaceName } from '../../../../../renderer/src/lib/sources/names.ts';

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

  const sources = [
    { label: 'a.log', location: '/srv/web-1/a.log', decoder: { name: 'nginx_access' } },
    { label: 'A.log', location: '/srv/web-2/A.log', decoder: null },
    { label: 'udp:5514', location: 'udp:5514', decoder: { name: 'syslog' } },
  ] as unknown as Parameters<typeof sourcesWith>[0];

  it.each([
    ['', [0, 1, 2]],
    ['a.LOG', [0, 1]],
    [' 2  web ', [1]],
    ['syslog', [2]],
    ['nothing', []],
  ])('finds sources with %j', (text, places) => expect(sourcesWith(sources, text)).toEqual(places.map((place) => sources[place])));
});
