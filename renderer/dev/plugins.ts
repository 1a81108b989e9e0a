import type { AllRequests, FilterSection, PluginInfo, ScriptAbout } from '../../engine/api/types.ts';

type Answers = {
  readonly [N in keyof AllRequests & `${'plugin' | 'filter' | 'script'}.${string}`]: (input: AllRequests[N]['in']) => AllRequests[N]['out'];
};

const use = (current: number, maximum: number, limit: number): PluginInfo['memory'] => ({ current, maximum, limit });

function plugin(source: number, kind: 'decoder' | 'filter', name: string, more: Partial<PluginInfo> = {}): PluginInfo {
  return {
    id: `${kind}/${source}/${name}`,
    name,
    kind,
    script: `/opt/sluicebox/plugins/${kind}s/${name}.ts`,
    bundled: true,
    config: {},
    section: kind === 'filter' ? name : null,
    matcher: kind === 'filter' ? "Type == 'nginx.access'" : null,
    source,
    state: 'running',
    reason: null,
    end: null,
    lastError: null,
    progress: null,
    processed: 800_000,
    failures: 0,
    injected: 480,
    rate: 1240,
    injectedRate: kind === 'filter' ? 1 : 1240,
    averageNs: 1830,
    percentile99Ns: 9400,
    memory: use(2_100_000, 2_600_000, 64_000_000),
    instructions: use(1200, 8100, 1_000_000),
    output: use(0, 12_000, 1_048_576),
    ...more,
  };
}

/** Plugins of every state. */
export function mockPlugins(many: boolean): PluginInfo[] {
  const first = [
    plugin(1, 'decoder', 'nginx_access', { failures: 812, lastError: 'no match' }),
    plugin(1, 'filter', 'http_status', { averageNs: 640 }),
    plugin(1, 'filter', 'frequent_clients', { rate: 0, injectedRate: 0 }),
    plugin(1, 'filter', 'slow', {
      state: 'terminated',
      reason: 'exceeded memory_limit of 64000000',
      end: { code: 'limit.memory', reason: 'exceeded memory_limit of 64000000', limit: 64_000_000 },
      bundled: false,
      memory: use(0, 64_000_000, 64_000_000),
      rate: 0,
      injectedRate: 0,
    }),
    plugin(1, 'filter', 'message_schema', { progress: 0.42 }),
    plugin(1, 'filter', 'frequent_programs', { state: 'waiting', processed: 0, rate: 0, injected: 0, injectedRate: 0 }),
    plugin(2, 'decoder', 'syslog', { rate: 38 }),
    plugin(2, 'filter', 'rare_events', { state: 'stopped', rate: 0, injectedRate: 0 }),
  ];
  if (!many) return first;
  const names = ['rate', 'percentiles', 'log_templates', 'heartbeat', 'unique_items', 'frequent_items', 'loadavg', 'memstats'];
  return [...first, ...[2, 3, 4].flatMap((source) => names.map((name) => plugin(source, 'filter', name, { rate: source * 31 })))];
}

const sections: FilterSection[] = ['http_status', 'frequent_clients', 'message_schema'].map((name) => ({
  name,
  script: name,
  bundled: true,
  matcher: 'Fields[status] != NIL',
  ticker: 60,
  config: {},
  inputs: null,
  limits: { memory: 8_388_608, instructions: 1_000_000, output: 1_048_576 },
}));

const bundled: ScriptAbout[] = [
  {
    script: 'http_status',
    summary: 'Graphs HTTP statuses by class.',
    parameters: [{ name: 'rows', type: 'uint', summary: 'Rows of the graph.', default: 1440, required: false }],
    ticks: true,
  },
  {
    script: 'frequent_items',
    summary: 'Finds the items that occur most.',
    parameters: [{ name: 'message_variable', type: 'string', summary: 'The variable that is counted.', default: null, required: true }],
    ticks: true,
  },
];

/** Answers about plugins; nothing of it has an effect. */
export const pluginAnswers: Answers = {
  'plugin.start': () => null,
  'plugin.stop': () => null,
  'plugin.reload': () => null,
  'filter.list': () => bundled,
  'filter.sections': () => sections,
  'filter.set': () => ({ step: 1 }),
  'filter.wake': () => null,
  'filter.remove': () => ({ step: 1 }),
  'filter.undo': () => ({ undone: null }),
  'filter.inputs': () => [{ source: 1, input: 'file:/var/log/nginx/access.log' }],
  'script.about': ({ path }) => ({ script: path, summary: '', parameters: null, ticks: true }),
  'script.read': ({ script }) => ({ path: null, name: `my_${script}.ts`, text: 'export function process_message() { return 0; }\n' }),
  'script.save': ({ name }) => ({ path: `/home/maria/.config/sluicebox/scripts/${name}`, replaced: 0, step: null }),
  'script.try': () => ({
    records: 200,
    selected: 180,
    processed: 180,
    failed: 1,
    emitted: 0,
    messages: [],
    graphs: [],
    elsewhere: 120,
    averageNs: 1200,
    parameters: null,
    problems: [{ line: 0, column: 0, text: 'no status', fatal: false }],
    lines: [{ line: 1, steps: 180 }],
    memory: use(0, 120_000, 8_388_608),
    instructions: use(0, 12, 1_000_000),
    output: use(0, 0, 1_048_576),
  }),
};
