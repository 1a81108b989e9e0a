export { bundledNames, bundledPlugins, findPlugin, modulesFolder, pluginsFolder } from './catalog.ts';
export { readMeta } from './meta.ts';
export { checkParameters, parseParameters, type Config } from './parameters.ts';
export type { ParameterMeta, PluginMeta, PluginScript } from './types.ts';
