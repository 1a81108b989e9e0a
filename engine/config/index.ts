export { loadConfig, parseConfig, type ConfigOptions, type LoadedConfig } from './load.ts';
export { unavailableOptions } from './unavailable.ts';
export { managedFilter, parseManaged, type ManagedParameters, type ManagedSection } from './managed.ts';
export { plainOf, type ConfigTest } from './tests.ts';
export { CONTROL_TYPE } from './schema/manager.ts';
export { signOfConfig, watchConfig, type ConfigWatch } from './watch.ts';
export { formatProblem, type ConfigProblem } from './problems.ts';
export type { Bundled, PipelineConfig } from './sections.ts';
export type {
  DecoderConfig,
  EncoderConfig,
  FilterConfig,
  InputConfig,
  ManagerConfig,
  Origin,
  OutputConfig,
  SectionOf,
  SectionTypeName,
} from './schema/sections.ts';
export type { TargetConfig } from './schema/outputs.ts';
export type { SourceConfig } from './schema/sources.ts';
export type { ServiceConfig } from './schema/service.ts';
export { ConfigEditError, readSection, removeSection, setSection } from './edit.ts';
export type { ConfigData, SectionData } from './toml-write.ts';
