import type { PluginInfo } from './types.ts';
import type { SandboxReport, SandboxSpec } from '../sandbox/types.ts';

export interface PluginFacts {
  readonly spec: SandboxSpec;
  readonly matcher: string | null;
  /** Number of the source whose messages it gets. */
  readonly source: number;
  /** Why it ended; null: it has not. */
  readonly reason: string | null;
  /** What its sandbox last said; null: nothing yet. */
  readonly report: SandboxReport | null;
}

/** A plugin as the window shows it. */
export function pluginInfo({ spec, matcher, source, reason, report }: PluginFacts): PluginInfo {
  const none = (limit: number) => ({ current: 0, maximum: 0, limit });
  const { name, kind, script, limits } = spec;
  return {
    ...{ name, kind, script, matcher, source, reason },
    state: reason !== null ? 'terminated' : report === null ? 'starting' : 'running',
    processed: report?.processed ?? 0,
    failures: report?.failures ?? 0,
    injected: report?.injected ?? 0,
    averageNs: report?.averageNs ?? 0,
    memory: report?.memory ?? none(limits.memory),
    instructions: report?.instructions ?? none(limits.instructions),
  };
}
