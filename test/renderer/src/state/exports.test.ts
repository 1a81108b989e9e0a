import { expect, it } from 'vitest';
import type { ExportInfo } from '../../../../engine/api/types.ts';
import type { App } from '../../../../renderer/src/state/app.svelte.ts';
import { Exports } from '../../../../renderer/src/state/exports.svelte.ts';

const INFO: ExportInfo = { id: 1, path: '/out.log', what: 'record', state: 'running', written: 5, total: 10, problem: null };

it('says that an export was lost when its engine stops, once', () => {
  const listeners = new Map<string, (data: unknown) => void>();
  const said: string[] = [];
  const app = {
    client: { on: (name: string, listener: (data: unknown) => void) => listeners.set(name, listener) },
    engine: { report: (_level: string, _code: string, text: string) => said.push(text) },
  } as unknown as App;
  const exports = new Exports(app);
  const hear = (name: string, data: unknown): void => listeners.get(name)?.(data);
  hear('export', INFO);
  expect(exports.running).toEqual([INFO]);
  hear('engine', { state: 'starting', reason: null });
  hear('engine', { state: 'restarting', reason: 'signal SIGKILL' });
  hear('engine', { state: 'failed', reason: 'signal SIGKILL' });
  expect(exports.running).toEqual([]);
  expect(said).toEqual([expect.stringMatching(/^\/out\.log was not written: the engine stopped\. Begin again;/)]);
});
