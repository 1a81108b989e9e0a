import { contextBridge, ipcRenderer, webUtils } from 'electron';
import type { AllEvents, AllRequests, Reply, SluiceboxApi } from '../../engine/api/types.ts';

const listeners = new Map<string, Set<(data: never) => void>>();

ipcRenderer.on('event', (_event, name: string, data: unknown) => {
  for (const listener of listeners.get(name) ?? []) listener(data as never);
});

/** The path of a file that was dropped or chosen; empty for what a page has made up. */
function pathOf(file: File): string {
  try {
    return webUtils.getPathForFile(file);
  } catch {
    return '';
  }
}

const api: SluiceboxApi = {
  request<N extends keyof AllRequests>(name: N, input: AllRequests[N]['in']) {
    return ipcRenderer.invoke('request', name, input) as Promise<Reply<N>>;
  },
  on<N extends keyof AllEvents>(name: N, listener: (data: AllEvents[N]) => void) {
    const set = listeners.get(name) ?? new Set();
    listeners.set(name, set.add(listener));
    return () => set.delete(listener);
  },
  openDropped(files) {
    const paths = files.map(pathOf).filter((path) => path !== '');
    return ipcRenderer.invoke('dropped', paths) as Promise<Reply<'source.open'>>;
  },
  platform: process.platform as SluiceboxApi['platform'],
};

contextBridge.exposeInMainWorld('sluicebox', api);
