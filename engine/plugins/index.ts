export { bundledNames, bundledPlugins, findPlugin, modulesFolder } from './catalog.ts';
export { readMeta } from './meta.ts';
export { checkParameters, parseParameters, type Config } from './parameters.ts';
export type { PluginScript } from './types.ts';
