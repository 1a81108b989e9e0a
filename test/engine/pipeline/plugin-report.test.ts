import { describe, expect, it } from 'vitest';
import {
  count,
  filterFields,
  inputFields,
  outputFields,
  ownFields,
  problemField,
  reportPayload,
  reportText,
  runnerFields,
  sandboxFields,
  Stopwatch,
  type PipelineReport,
} from '../../../engine/pipeline/plugin-report.ts';
import type { SandboxReport } from '../../../engine/sandbox/contract/types.ts';

const use = (current: number, maximum: number) => ({ current, maximum, limit: 0 });
const REPORT: SandboxReport = {
  state: 'running',
  lastError: null,
  processed: 11,
  failures: 2,
  injected: 3,
  memory: use(4, 5),
  instructions: use(6, 7),
  output: use(8, 9),
  averageNs: 17,
  times: { samples: 10, averageNs: 12.7 },
  timers: 13,
  timerAverageNs: 14.9,
};

const { times: _times, ...UNSAMPLED } = REPORT;

const figure = (value: number, representation: string) => ({ value, representation });
const SHARED = {
  Memory: figure(4, 'B'),
  MaxMemory: figure(5, 'B'),
  MaxInstructions: figure(7, 'count'),
  MaxOutput: figure(9, 'B'),
  ProcessMessageCount: figure(11, 'count'),
  ProcessMessageFailures: figure(2, 'count'),
};
const TIMED = { ProcessMessageSamples: figure(10, 'count'), ProcessMessageAvgDuration: figure(12, 'ns') };
const TIMERS = { TimerEventSamples: figure(13, 'count'), TimerEventAvgDuration: figure(14, 'ns') };

describe('the figures of a sandbox', () => {
  it.each([
    ['any', sandboxFields(REPORT), { ...SHARED, ...TIMED }],
    [
      'that is not sampled',
      sandboxFields(UNSAMPLED),
      {
        ...SHARED,
        ProcessMessageSamples: figure(11, 'count'),
        ProcessMessageAvgDuration: figure(17, 'ns'),
      },
    ],
    ['a filter', filterFields(REPORT), { InjectMessageCount: figure(3, 'count'), ...TIMERS }],
    [
      'a filter with a profile',
      filterFields({ ...REPORT, profileTimes: { samples: 290, averageNs: 99.9 } }),
      {
        InjectMessageCount: figure(3, 'count'),
        ...TIMERS,
        ProfileMessageSamples: figure(290, 'count'),
        ProfileMessageAvgDuration: figure(99, 'ns'),
      },
    ],
    [
      'whose processor time is measured',
      sandboxFields({ ...REPORT, workMs: 1.5 }),
      { ...SHARED, ...TIMED, ProcessorTime: figure(1_500_000, 'ns') },
    ],
    ['an output', outputFields(REPORT), TIMERS],
    ['an input', inputFields(REPORT, 100), { ...SHARED, ProcessMessageBytes: figure(100, 'B') }],
  ])('of %s kind', (_kind, fields, expected) => expect(fields).toEqual(expected));
});

it('has the figures of a queue and a matcher', () => {
  expect(runnerFields(2, 30, new Stopwatch())).toEqual({
    InChanCapacity: figure(30, 'count'),
    InChanLength: figure(2, 'count'),
    MatchChanCapacity: figure(0, 'count'),
    MatchChanLength: figure(0, 'count'),
    LeakCount: figure(0, 'count'),
    MatchAvgDuration: figure(0, 'ns'),
  });
});

it('takes the units of other figures from their names', () => {
  expect(ownFields()).toEqual({});
  const figures = { LostFileCount: 1, LostFileBytes: 2, CheckpointAge: 3.5 };
  const fields = { LostFileCount: figure(1, 'count'), LostFileBytes: figure(2, 'B'), CheckpointAge: figure(3, 'ns') };
  expect(ownFields(figures)).toEqual(fields);
});

it('names the problem of a part that has one', () => {
  expect([problemField(), problemField(null)]).toEqual([{}, {}]);
  expect(problemField('away')).toEqual({ Problem: { value: 'away', representation: '' } });
});

const EMPTY: PipelineReport = { globals: [], inputs: [], splitters: [], decoders: [], filters: [], outputs: [], encoders: [] };

describe('a report', () => {
  it('as a payload has only sections with entries, and ends with a line end', () => {
    const payload = reportPayload({ ...EMPTY, filters: [{ name: 'f "1"', fields: { ProcessMessageCount: count(26) } }] });
    expect(payload).toBe('{"filters":[{"Name":"f \\"1\\"","ProcessMessageCount":{"value":26,"representation":"count"}}]}\n');
    expect(reportPayload(EMPTY)).toBe('{}\n');
  });

  it('as a text has all sections and the figures that are for people, in their order', () => {
    const fields = { ...filterFields(REPORT), ...sandboxFields(REPORT), ...runnerFields(0, 30, new Stopwatch()) };
    expect(
      reportText({
        ...EMPTY,
        filters: [{ name: 'f', fields }],
        inputs: [{ name: 'i', fields: { SynchronousDecode: { value: 'true', representation: '' } } }],
      }),
    ).toBe(`========[svc.all-report]========
====Globals====
NONE
====Inputs====
i:
    SynchronousDecode: true
====Splitters====
NONE
====Decoders====
NONE
====Filters====
f:
    InChanCapacity: 30
    InChanLength: 0
    MatchChanCapacity: 0
    MatchChanLength: 0
    MatchAvgDuration: 0
    ProcessMessageCount: 11
    InjectMessageCount: 3
    Memory: 4
    MaxMemory: 5
    MaxInstructions: 7
    MaxOutput: 9
    ProcessMessageAvgDuration: 12
    TimerEventAvgDuration: 14
====Outputs====
NONE
====Encoders====
NONE
========
`);
  });
});
