import { parseTemplate } from '../message/summary/template.ts';
import { PLAIN_PLAN, type SummaryPlan } from '../message/summary/record-summary.ts';
import { isBundled } from '../base/product/bundled.ts';
import { findPlugin } from './catalog.ts';
import type { PluginMeta } from './types.ts';
import { versionOf } from './user-scripts.ts';

/** The facts by which the summaries of a decoder's records are made, from its meta. */
export function summaryPlan(meta: PluginMeta | null): SummaryPlan {
  if (meta === null) return PLAIN_PLAN;
  const { recordSummary, columns = [] } = meta;
  return { template: recordSummary === undefined ? null : parseTemplate(recordSummary), columns };
}

interface KnownPlan {
  readonly plan: SummaryPlan;
  /** Path of a script of the user, and the version that was read; null: a bundled one, which stays as it is. */
  readonly file: { readonly path: string; readonly version: string | null } | null;
}

/** The plans of decoders by their names, those of the user's own as they are now. */
export class SummaryPlans {
  readonly #known = new Map<string, KnownPlan>();

  /** @param decoder its bundled name, or its path; null: the records are raw. Never throws: a decoder that cannot be read has the plain plan */
  of(decoder: string | null): SummaryPlan {
    if (decoder === null) return PLAIN_PLAN;
    const known = this.#known.get(decoder);
    if (known !== undefined && (known.file === null || versionOf(known.file.path) === known.file.version)) return known.plan;
    const read = readPlan(decoder);
    this.#known.set(decoder, read);
    return read.plan;
  }
}

function readPlan(decoder: string): KnownPlan {
  try {
    const { path, meta } = findPlugin('decoder', decoder);
    return { plan: summaryPlan(meta), file: isBundled(path) ? null : { path, version: versionOf(path) } };
  } catch {
    return { plan: PLAIN_PLAN, file: { path: decoder, version: versionOf(decoder) } };
  }
}
