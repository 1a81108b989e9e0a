import { contextBridge, ipcRenderer, webUtils } from 'electron';
import type { AllRequests, Reply, SluiceboxApi } from '../../engine/api/types.ts';
import { Listeners } from './listeners.ts';

const listeners = new Listeners();

ipcRenderer.on('event', (_event, name: string, data: unknown) => listeners.call(name, data));

// The page holds much garbage after work, and V8 gives it back only when more is made.
ipcRenderer.on('collect', () => void globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' }));

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
  on: (name, listener) => listeners.add(name, listener),
  openDropped(files) {
    const paths = files.map(pathOf).filter((path) => path !== '');
    return ipcRenderer.invoke('dropped', paths) as Promise<Reply<'source.open'>>;
  },
  platform: process.platform as SluiceboxApi['platform'],
};

contextBridge.exposeInMainWorld('sluicebox', api);
