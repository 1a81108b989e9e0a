import { expect, it, vi } from 'vitest';
import type { Client } from '../../../../../renderer/src/lib/api.ts';
import { Lookups } from '../../../../../renderer/src/state/filter/lookups.svelte.ts';

it('asks for lookups when someone types of them, and for the columns of one', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const request = vi.fn(async (_request: string, { name }: { name: string | null }) => ({
      names: ['geo'],
      columns: name === 'geo' ? ['country'] : [],
    }));
    const lookups = new Lookups({ request } as unknown as Client);
    for (const typed of ['addr', 'addr@', 'addr@g', 'addr@geo.', 'addr@geo.c', 'addr@geo.country:DE']) lookups.hear(typed);
    await vi.waitFor(() => expect(lookups.columns).toEqual({ geo: ['country'] }));
    expect(request.mock.calls.map(([, input]) => input.name)).toEqual([null, 'geo']);
    const { names } = lookups;
    expect(names).toEqual(['geo']);
    vi.advanceTimersByTime(2_001);
    lookups.hear('addr@geo.country:FR');
    await vi.waitFor(() => expect(request).toHaveBeenCalledTimes(3));
    expect(lookups.names).toBe(names);
  } finally {
    vi.useRealTimers();
  }
});

it('has none while the engine does not answer', async () => {
  const lookups = new Lookups({ request: () => Promise.reject(new Error('gone')) } as unknown as Client);
  await lookups.load('geo');
  expect([lookups.names, lookups.columns]).toEqual([[], {}]);
});
