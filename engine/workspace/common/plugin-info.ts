import type { End } from '../../api/ends.ts';
import type { PluginInfo } from '../../api/types.ts';
import type { SandboxReport, SandboxSpec } from '../../sandbox/contract/types.ts';

export interface PluginFacts {
  readonly id: string;
  readonly spec: SandboxSpec;
  /** Its section in the workspace file; null: it has none. */
  readonly section: string | null;
  readonly bundled: boolean;
  readonly matcher: string | null;
  /** Number of the source whose messages it gets. */
  readonly source: number;
  /** The reason of its end; null: it has not ended. */
  readonly end: End | null;
  /** The last report of its sandbox; null: none yet. */
  readonly report: SandboxReport | null;
  /** Messages a second that it takes, and that it injects. */
  readonly rate: number;
  readonly injectedRate: number;
  readonly stopped?: boolean;
  /** Whether it is started when its first message comes. */
  readonly waiting?: boolean;
  readonly progress?: number | null;
}

/** A plugin as the window shows it. */
export function pluginInfo(facts: PluginFacts): PluginInfo {
  const { id, spec, section, bundled, matcher, source, end, report, rate, injectedRate, progress = null } = facts;
  const none = (limit: number) => ({ current: 0, maximum: 0, limit });
  const { name, kind, script, limits, config } = spec;
  return {
    id,
    name,
    kind,
    script,
    section,
    bundled,
    config,
    matcher,
    source,
    rate,
    injectedRate,
    progress,
    reason: end?.reason ?? null,
    end,
    state: stateOf(facts),
    stall: stateOf(facts) === 'running' ? report?.stall : undefined,
    lastError: report?.lastError ?? null,
    processed: report?.processed ?? 0,
    failures: report?.failures ?? 0,
    injected: report?.injected ?? 0,
    averageNs: report?.averageNs ?? 0,
    percentile99Ns: report?.percentile99Ns ?? 0,
    memory: report?.memory ?? none(limits.memory),
    instructions: report?.instructions ?? none(limits.instructions),
    output: report?.output ?? none(limits.output),
  };
}

function stateOf({ end, stopped, waiting, report }: PluginFacts): PluginInfo['state'] {
  if (end !== null) return 'terminated';
  if (stopped === true) return 'stopped';
  if (waiting === true) return 'waiting';
  return report === null ? 'starting' : 'running';
}
