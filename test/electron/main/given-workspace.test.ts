import { describe, expect, it } from 'vitest';
import { GivenWorkspace } from '../../../electron/main/given-workspace.ts';

describe('a workspace that was given', () => {
  const granted: string[] = [];
  const sent: unknown[] = [];
  const given = new GivenWorkspace(
    { grant: (use, paths) => void granted.push(...paths.map((path) => `${use} ${path}`)) },
    { send: (name, data) => void sent.push([name, data]) },
  );

  it('is taken out of the files, granted, and offered once', () => {
    expect(given.take(['/a.log', '/one.sluicebox', '/Two.SLUICEBOX', '/b.log'])).toEqual(['/a.log', '/b.log']);
    expect(granted).toEqual(['workspace /Two.SLUICEBOX']);
    expect(sent).toEqual([['workspace', { path: '/Two.SLUICEBOX' }]]);
    expect([given.fetch(), given.fetch()]).toEqual([{ path: '/Two.SLUICEBOX' }, null]);
  });

  it('is none among logs', () => {
    expect(given.take(['/a.log'])).toEqual(['/a.log']);
    expect(given.fetch()).toBeNull();
  });
});
