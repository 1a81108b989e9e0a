import { createRequire } from 'node:module';
import type IsolatedVM from 'isolated-vm';

/** isolated-vm is a CommonJS addon. */
export const ivm = createRequire(import.meta.url)('isolated-vm') as typeof IsolatedVM;
export type { IsolatedVM };
