import { dirname } from 'node:path';
import type { Origin } from '../config/schema/sections.ts';
import type { ServiceConfig } from '../config/schema/service.ts';

/** The folder where relative paths of a section's scripts begin: `share_dir`, or the folder of the section's file. */
export const scriptFolder = ({ share_dir: shared }: ServiceConfig, origin: Origin): string => shared ?? dirname(origin.file);
