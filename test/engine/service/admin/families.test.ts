import { describe, expect, it } from 'vitest';
import { bytes, count, mergeReports, nanoseconds, problemField, type PipelineReport } from '../../../../engine/pipeline/plugin-report.ts';
import type { Sample } from '../../../../engine/service/admin/exposition.ts';
import { familiesOf } from '../../../../engine/service/admin/families.ts';
import { NoticeCounts } from '../../../../engine/service/admin/notice-counts.ts';
import { reasonsIn } from '../../../../engine/service/admin/readiness.ts';

const REPORT: PipelineReport = {
  ...mergeReports([]),
  globals: [{ name: 'Router', fields: { ProcessMessageCount: count(9) } }],
  inputs: [{ name: 'in', fields: { ProcessMessageCount: count(7), CheckpointAge: nanoseconds(1.5e9), ...problemField('port is taken') } }],
  // Of several files of one input.
  decoders: [1, 2].map((processed) => ({ name: 'd (in)', fields: { ProcessMessageCount: count(processed) } })),
  filters: [{ name: 'f', fields: { Error: { value: 'out of reach', representation: '' } } }],
  outputs: [{ name: 'out', fields: { QueueSize: bytes(5), ProcessorTime: nanoseconds(25e7) } }],
};

const notices = new NoticeCounts();
notices.count({ level: 'warning', code: 'decode.failed', subject: 'in' });
notices.count({ level: 'warning', code: 'decode.failed', subject: 'in' });
notices.count({ level: 'info' });

const families = familiesOf(REPORT, { reasons: ['x'], memory: 100, notices });

describe('the metrics of a service', () => {
  it.each<[string, Sample[]]>([
    ['sluicebox_ready', [{ labels: {}, value: 0 }]],
    ['sluicebox_routed_messages', [{ labels: {}, value: 9 }]],
    ['sluicebox_memory_bytes', [{ labels: {}, value: 100 }]],
    [
      'sluicebox_plugin_messages',
      [
        { labels: { kind: 'input', plugin: 'in' }, value: 7 },
        { labels: { kind: 'decoder', plugin: 'd (in)' }, value: 3 },
      ],
    ],
    ['sluicebox_input_checkpoint_age_seconds', [{ labels: { kind: 'input', plugin: 'in' }, value: 1.5 }]],
    ['sluicebox_buffer_bytes', [{ labels: { kind: 'output', plugin: 'out' }, value: 5 }]],
    ['sluicebox_script_cpu_seconds', [{ labels: { kind: 'output', plugin: 'out' }, value: 0.25 }]],
    [
      'sluicebox_plugin_up',
      [
        { labels: { kind: 'input', plugin: 'in' }, value: 0 },
        { labels: { kind: 'filter', plugin: 'f' }, value: 0 },
        { labels: { kind: 'output', plugin: 'out' }, value: 1 },
      ],
    ],
    [
      'sluicebox_notices',
      [
        { labels: { level: 'warning', code: 'decode.failed', plugin: 'in' }, value: 2 },
        { labels: { level: 'info', code: '', plugin: '' }, value: 1 },
      ],
    ],
  ])('%s', (name, samples) => expect(families.find((family) => family.name === name)?.samples).toEqual(samples));

  it('have names of their own, without what their type adds, and say what they are', () => {
    const names = families.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^(sluicebox|process)(_[a-z]+)+$/.test(name) || /_(total|info|count)$/.test(name))).toEqual([]);
    expect(families.filter(({ help }) => !help.endsWith('.'))).toEqual([]);
  });
});

it('the plugins that do not do their work are named with the reason', () => {
  expect(reasonsIn(REPORT)).toEqual(['[in] port is taken', '[f] out of reach']);
  expect(reasonsIn(REPORT, ['outputs'])).toEqual([]);
});
