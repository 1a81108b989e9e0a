import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBelow } from '../files/real-place.ts';

/** The folder of the scripts and modules that come with the product. */
export const BUNDLED_PLUGINS = fileURLToPath(new URL('../../../plugins/', import.meta.url));

/** Tells whether a script comes with the product. A path that only passes through its folder does not. */
export const isBundled = (path: string): boolean => isBelow(resolve(path), resolve(BUNDLED_PLUGINS));
