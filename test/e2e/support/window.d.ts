import type { SluiceboxApi } from '../../../engine/api/types.ts';

declare global {
  interface Window {
    readonly sluicebox: SluiceboxApi;
  }
}
