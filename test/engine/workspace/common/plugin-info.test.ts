import { expect, it } from 'vitest';
import { pluginInfo, type PluginFacts } from '../../../../engine/workspace/common/plugin-info.ts';

const FACTS = {
  ...{ id: 'i', section: null, bundled: true, matcher: null, source: 1, end: null, report: null, rate: 2, injectedRate: 3 },
  spec: { name: 'n', kind: 'filter', script: '/n.js', limits: { memory: 1, instructions: 2, output: 3 }, config: { a: 1 } },
} as unknown as PluginFacts;
const END = { code: 'failed', reason: 'r' } as never;
const REPORT = {
  stall: 'busy',
  processed: 5,
  failures: 1,
  injected: 2,
  averageNs: 7,
  percentile99Ns: 9,
  lastError: 'e',
  memory: { current: 4, maximum: 5, limit: 1 },
} as never;

it.each<[string, Partial<PluginFacts>]>([
  ['starting', {}],
  ['running', { report: REPORT }],
  ['waiting', { waiting: true }],
  ['stopped', { stopped: true, waiting: true, report: REPORT }],
  ['terminated', { end: END, stopped: true, waiting: true }],
])('is %s', (state, facts) => expect(pluginInfo({ ...FACTS, ...facts }).state).toBe(state));

it('has used nothing before the first report', () => {
  expect(pluginInfo(FACTS)).toMatchObject({
    ...{
      name: 'n',
      kind: 'filter',
      script: '/n.js',
      config: { a: 1 },
      processed: 0,
      failures: 0,
      injected: 0,
      averageNs: 0,
      percentile99Ns: 0,
    },
    ...{ lastError: null, reason: null, progress: null, rate: 2, injectedRate: 3 },
    memory: { current: 0, maximum: 0, limit: 1 },
    instructions: { current: 0, maximum: 0, limit: 2 },
    output: { current: 0, maximum: 0, limit: 3 },
  });
});

it('shows what the report says, and a stall only while it runs', () => {
  expect(pluginInfo({ ...FACTS, report: REPORT })).toMatchObject({
    processed: 5,
    averageNs: 7,
    lastError: 'e',
    memory: { current: 4 },
    stall: 'busy',
  });
  expect(pluginInfo({ ...FACTS, report: REPORT, end: END })).toMatchObject({ processed: 5, reason: 'r', end: END, stall: undefined });
});
