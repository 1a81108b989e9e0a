export { bundledNames, bundledPlugins, findPlugin, kindOfScript, modulesFolder } from './catalog.ts';
export { readMeta } from './meta.ts';
export { checkParameters, parseParameters, type Config } from './parameters.ts';
export { KINDS, type PluginScript } from './types.ts';
