import { describe, expect, test } from 'vitest';
import { findMoved } from '../../../../engine/workspace/common/moved-files.ts';

const found = async (
  missing: readonly string[],
  known: readonly (readonly [string, string])[],
  there: readonly string[],
  beside: string | null = null,
): Promise<Record<string, string>> => {
  const known_ = known.map(([path, place]) => ({ path, place }));
  return Object.fromEntries(await findMoved(missing, known_, beside, (place) => Promise.resolve(there.includes(place))));
};

describe.skipIf(process.platform === 'win32')('files that were moved', () => {
  test('are found in the folder that was moved, at any depth', async () => {
    const known = [['/srv/logs/web/a.log', '/backup/logs/web/a.log']] as const;
    const there = ['/backup/logs/web/b.log', '/backup/logs/db/c.log', '/backup/logs/web/b.log.1'];
    expect(await found(['/srv/logs/web/b.log', '/srv/logs/db/c.log', '/srv/logs/db/gone.log'], known, there)).toEqual({
      '/srv/logs/web/b.log': '/backup/logs/web/b.log',
      '/srv/logs/db/c.log': '/backup/logs/db/c.log',
    });
  });

  test('are found beside one that was renamed, and beside one from another folder', async () => {
    const known = [['/srv/a.log', '/case/first.log']] as const;
    expect(await found(['/srv/b.log', '/var/c.log'], known, ['/case/b.log', '/case/c.log'])).toEqual({
      '/srv/b.log': '/case/b.log',
      '/var/c.log': '/case/c.log',
    });
  });

  test('are found below the folder of the workspace, the longest path first', async () => {
    const there = ['/case/old/a.log', '/case/a.log'];
    expect(await found(['/tmp/old/a.log'], [], there, '/case')).toEqual({ '/tmp/old/a.log': '/case/old/a.log' });
    expect(await found(['C:\\logs\\old\\a.log'], [], there, '/case')).toEqual({ 'C:\\logs\\old\\a.log': '/case/old/a.log' });
  });

  test('are never two in one place', async () => {
    const known = [['/x/web/app.log', '/y/app.log']] as const;
    expect(await found(['/x/db/app.log', '/x/job/app.log'], known, ['/y/app.log'])).toEqual({});
    expect(await found(['/x/db/app.log', '/x/job/app.log'], [], ['/case/app.log'], '/case')).toEqual({ '/x/db/app.log': '/case/app.log' });
  });

  test('that stayed say nothing about others, and no path leads out of a folder', async () => {
    expect(await found(['/x/b.log'], [['/x/a.log', '/x/a.log']], ['/x/b.log'])).toEqual({});
    expect(await found(['/x/../../etc/passwd', '/x/**/b.log'], [], ['/etc/passwd', '/case/**/b.log'], '/case/x')).toEqual({});
  });
});
