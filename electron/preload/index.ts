import { contextBridge, ipcRenderer, webUtils } from 'electron';
import type { AllEvents, SluiceboxApi } from '../../engine/api/types.ts';

/** A request that failed, as the main process answers it: Electron would lose the code of a thrown error. */
interface Failed {
  failed: { code: string; text: string };
}

const listeners = new Map<string, Set<(data: never) => void>>();

ipcRenderer.on('event', (_event, name: string, data: unknown) => {
  for (const listener of listeners.get(name) ?? []) listener(data as never);
});

const api: SluiceboxApi = {
  async request(name, input) {
    const reply = (await ipcRenderer.invoke('request', name, input)) as { value: unknown } | Failed;
    if ('failed' in reply) throw Object.assign(new Error(reply.failed.text), { code: reply.failed.code });
    return reply.value as never;
  },
  on<N extends keyof AllEvents>(name: N, listener: (data: AllEvents[N]) => void) {
    const set = listeners.get(name) ?? new Set();
    listeners.set(name, set.add(listener));
    return () => set.delete(listener);
  },
  pathOf: (file) => webUtils.getPathForFile(file),
  platform: process.platform as SluiceboxApi['platform'],
};

contextBridge.exposeInMainWorld('sluicebox', api);
