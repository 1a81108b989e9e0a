/** Requests about the rules of the workspace. */
import { z } from 'zod';
import type { RulesLook, RulesState } from '../rule-types.ts';
import { asks } from './request.ts';
import { nothing, path } from './shapes.ts';

/** A folder that someone chose; null: that of the rules that come with Sluicebox. */
const folder = z.strictObject({ path: path.nullable() });

export const rulesRequests = {
  /** The rules with their hits. `rules` events say when they are others. */
  'rules.get': asks(nothing).gives<RulesState>(),
  /** Reads the rules of a folder without running them. */
  'rules.look': asks(folder).gives<RulesLook>(),
  /** Runs the rules of a folder on all records, and keeps that in the workspace. */
  'rules.add': asks(folder).gives<null>(),
  'rules.remove': asks(folder).gives<null>(),
  /** Switches a rule on or off. */
  'rules.set': asks(z.strictObject({ key: z.string().max(10_000), on: z.boolean() })).gives<null>(),
  /** Stops the search of the records, or goes on with it. */
  'rules.run': asks(z.strictObject({ on: z.boolean() })).gives<null>(),
};
