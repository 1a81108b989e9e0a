import { parseTemplate } from '../message/summary/template.ts';
import { PLAIN_PLAN, type SummaryPlan } from '../message/summary/record-summary.ts';
import type { PluginMeta } from './types.ts';

/** The facts by which the summaries of a decoder's records are made, from its meta. */
export function summaryPlan(meta: PluginMeta | null): SummaryPlan {
  if (meta === null) return PLAIN_PLAN;
  const { recordSummary, columns = [] } = meta;
  return { template: recordSummary === undefined ? null : parseTemplate(recordSummary), columns };
}
