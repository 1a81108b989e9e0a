/** Requests about plugins and scripts. */
import { z } from 'zod';
import type { FilterSection, ScriptAbout, ScriptFile, TrialReply, TrialRequest } from '../plugin-types.ts';
import { asks } from './request.ts';
import { nothing, id, path, configValues, scriptText, kind, section, limits, filterSection } from './shapes.ts';

export const pluginRequests = {
  /** Starts one that was stopped, with its state, or one that has ended, anew. */
  'plugin.start': asks(z.strictObject({ id: section })).gives<null>(),
  'plugin.stop': asks(z.strictObject({ id: section })).gives<null>(),
  /** Starts it anew with what its script says now. */
  'plugin.reload': asks(z.strictObject({ id: section, keepState: z.boolean() })).gives<null>(),
  /** The bundled filters. */
  'filter.list': asks(nothing).gives<ScriptAbout[]>(),
  /** The filters of the workspace file. */
  'filter.sections': asks(nothing).gives<FilterSection[]>(),
  /** Adds a filter, or replaces it. `was`: the name of its section until now; absent: it is new. */
  'filter.set': asks(z.strictObject({ filter: filterSection, was: section.optional(), keepState: z.boolean() })).gives<{ step: number }>(),
  /** Starts the default filters of files, which rest until someone looks at what they make. */
  'filter.wake': asks(nothing).gives<null>(),
  'filter.remove': asks(z.strictObject({ name: section })).gives<{ step: number }>(),
  /**
   * Takes the last change of filters and scripts back. Says what that was; null: there is none. `step`: only if that was the last one.
   */
  'filter.undo': asks(z.strictObject({ step: id.optional() })).gives<{ undone: string | null }>(),
  /** The sections of the sources, which filters name as their inputs. */
  'filter.inputs': asks(nothing).gives<{ source: number; input: string }[]>(),
  'script.about': asks(z.strictObject({ path })).gives<ScriptAbout>(),
  /** Reads a script of the workspace by its path, or a copy of a bundled one by its name; only what filters can be made from. */
  'script.read': asks(z.strictObject({ kind, script: path })).gives<ScriptFile>(),
  /**
   * Writes into the workspace's folder of scripts, or over a script of the workspace. `apply`: filters that run it are replaced, and one that
   * does not load is refused.
   */
  'script.save': asks(
    z.strictObject({ name: section, path: path.nullable(), text: scriptText, apply: z.boolean(), keepState: z.boolean() }),
  ).gives<{ path: string; replaced: number; step: number | null }>(),
  'script.try': asks<TrialRequest>(
    z.strictObject({
      kind,
      text: scriptText,
      path: path.nullable(),
      typed: z.boolean(),
      source: id,
      matcher: z.string().max(10_000),
      config: configValues,
      limits,
      records: z.int().min(1).max(2000),
    }),
  ).gives<TrialReply>(),
};
