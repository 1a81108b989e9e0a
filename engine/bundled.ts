import { fileURLToPath } from 'node:url';

/** The folder of the scripts and modules that come with the product. */
export const BUNDLED_PLUGINS = fileURLToPath(new URL('../plugins/', import.meta.url));
