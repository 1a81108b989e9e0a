import { afterEach, describe, expect, it } from 'vitest';
import { ServiceSandboxes } from '../../../engine/cli/service-sandboxes.ts';
import type { ServiceConfig } from '../../../engine/config/schema/service.ts';
import { findPlugin } from '../../../engine/plugins/catalog.ts';
import { sandboxSpec } from '../../../engine/plugins/sandboxes.ts';

describe('the sandboxes of a service', () => {
  const sandboxes = new ServiceSandboxes(true);
  const started = (): ReturnType<ServiceSandboxes['of']> => sandboxes.of({ maxprocs: 1, bundled_in_hosts: false } as ServiceConfig);
  const spec = sandboxSpec('filter', findPlugin('filter', 'heartbeat'), { name: 'beats', clock: 'wall' });
  afterEach(() => sandboxes.close());

  it('goes on with what was checked, once', async () => {
    const { start, keep } = started();
    const checked = { ...spec, ticks: true };
    const sandbox = await start(checked);
    keep?.(checked, sandbox);
    for (const other of [
      { ...spec, name: 'others' },
      { ...spec, clock: 'message' as const },
    ])
      expect(await start(other)).not.toBe(sandbox);
    expect(await start(spec)).toBe(sandbox);
    expect(await start(spec)).not.toBe(sandbox);
  });

  it('starts anew what has ended meanwhile, and stops what nobody wants', async () => {
    const { start, keep } = started();
    const [ended, unwanted] = [await start(spec), await start({ ...spec, name: 'unwanted' })];
    keep?.(spec, ended);
    keep?.({ ...spec, name: 'unwanted' }, unwanted);
    await ended.stop();
    expect((await start(spec)).state).toBe('running');
    await sandboxes.stopKept();
    expect(unwanted.state).not.toBe('running');
  });
});
