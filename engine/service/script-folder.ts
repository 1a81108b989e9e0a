import { dirname, resolve } from 'node:path';
import type { Origin } from '../config/schema/sections.ts';
import type { ServiceConfig } from '../config/schema/service.ts';

/** The folder where relative paths of a section's scripts begin: `share_dir`, or the folder of the section's file. */
export const scriptFolder = ({ share_dir: shared }: ServiceConfig, origin: Origin): string => shared ?? dirname(origin.file);

/** The folder whose decoders `decoder = "auto"` recognises beside the bundled ones, as the window does with those of its workspace. */
export const userScriptsFolder = (service: ServiceConfig, origin: Origin): string => resolve(scriptFolder(service, origin), 'scripts');
