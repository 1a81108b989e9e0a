/** All requests of the window, each one entry: the schema of its input and the type of its answer. */
import type { z } from 'zod';
import { outputRequests } from './output.ts';
import { pluginRequests } from './plugin.ts';
import { rulesRequests } from './rules.ts';
import { shellRequests } from './shell.ts';
import { sourceRequests } from './source.ts';
import { viewRequests } from './view.ts';
import { workspaceRequests } from './workspace.ts';

/** The requests that the engine answers. */
export const engineRequests = {
  ...sourceRequests,
  ...viewRequests,
  ...outputRequests,
  ...pluginRequests,
  ...rulesRequests,
  ...workspaceRequests,
};

export { shellRequests };

/** The requests by name; whoever receives one checks its input first. */
export const requests: Readonly<Record<keyof typeof engineRequests | keyof typeof shellRequests, { readonly input: z.ZodType }>> = {
  ...engineRequests,
  ...shellRequests,
};
