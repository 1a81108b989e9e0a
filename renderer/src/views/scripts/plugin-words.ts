import type { PluginInfo } from '../../../../engine/api/types.ts';

/** The words for a state beside its mark. */
export const STATE_WORDS: Readonly<Record<PluginInfo['state'], string>> = {
  waiting: 'Waiting',
  starting: 'Starting',
  running: 'Running',
  terminated: 'Terminated',
  stopped: 'Stopped',
};
