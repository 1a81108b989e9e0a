import { expect, test } from 'vitest';
import type { Notice } from '../../../../engine/api/types.ts';
import type { Client } from '../../../../renderer/src/lib/api.ts';
import { Alerts } from '../../../../renderer/src/state/alerts.svelte.ts';
import type { Engine } from '../../../../renderer/src/state/engine.svelte.ts';
import { Prefs } from '../../../../renderer/src/state/prefs.svelte.ts';

const NOTICE: Notice = { id: 7, at: 0, level: 'error', code: 'plugin.terminated', text: 'no 3xx', details: null, about: null };

test('the desktop is told of alerts only when someone has asked for it', () => {
  const store = { getItem: () => null, setItem: () => undefined };
  const prefs = new Prefs(store);
  const asked: unknown[] = [];
  const request = (type: string, fields: object): Promise<null> => {
    asked.push({ type, ...fields });
    return Promise.resolve(null);
  };
  const alerts = new Alerts({
    client: { request } as unknown as Client,
    engine: { pid: 1, notices: [] } as unknown as Engine,
    prefs,
    store,
  });
  const text = alerts.hear(NOTICE);
  expect(text).toContain('no 3xx');
  expect(asked).toEqual([]);
  prefs.notify = true;
  alerts.hear(NOTICE);
  expect(asked).toEqual([{ type: 'shell.notify', title: 'Sluicebox: problem', text, alert: 7 }]);
});
