import type { SluiceboxApi } from '../../engine/api/types.ts';

declare global {
  interface Window {
    /** Put there by the preload script. */
    readonly sluicebox: SluiceboxApi;
  }
}
