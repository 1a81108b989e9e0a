import { expect, it } from 'vitest';
import { SERVICE_MESSAGES } from '../../../engine/message/service-docs.ts';
import { ValueType } from '../../../engine/message/types.ts';
import { allReport, memoryStatistics, pluginTerminated, sandboxTerminated } from '../../../engine/pipeline/messages.ts';

const HEAD = { hostname: 'box1', pid: 42, timestamp: 1_700_000_000_000_000_000n };
const MEMORY = { HeapSys: 1, HeapAlloc: 2, HeapIdle: 3.9, HeapInuse: 4, HeapReleased: 5, HeapObjects: 6 };
const SLOW = {
  ProcessMessageCount: 1,
  ProcessMessageFailures: 2,
  ProcessMessageSamples: 3,
  ProcessMessageAvgDuration: 4.9,
  MatchAvgDuration: 5,
  FilterChanLength: 6,
  MatchChanLength: 7,
  RouterChanLength: 8,
};
const END = { ...HEAD, plugin: 'f', reason: 'it broke' };

/** In the order of the reference. */
const MADE = [
  [allReport({ ...HEAD, payload: '{}\n' }), '{}\n'],
  [memoryStatistics({ ...HEAD, fields: MEMORY }), undefined],
  [sandboxTerminated(END), 'f: it broke'],
  [sandboxTerminated({ ...END, slow: SLOW }), 'f: it broke'],
  [pluginTerminated({ ...END, type: 'FileOutput' }), 'f (type FileOutput) terminated. Error: it broke'],
] as const;

it('makes the messages of the service as the reference lists them', () => {
  expect(MADE).toHaveLength(SERVICE_MESSAGES.length);
  for (const [i, [batch, payload]] of MADE.entries()) {
    const message = batch.message(0);
    expect(message).toMatchObject({ logger: 'svcd', ...HEAD, type: SERVICE_MESSAGES[i]?.type });
    expect(message.payload).toBe(payload);
    expect(message.uuid.some((byte) => byte !== 0)).toBe(true);
    const fields = message.fields.map(({ name, valueType, representation }) => {
      return [name, valueType === ValueType.STRING ? 'text' : 'integer', representation ?? ''];
    });
    expect(fields).toEqual(SERVICE_MESSAGES[i]?.fields.map((field) => [...field]));
  }
});

it('cuts figures to whole numbers', () => {
  const figures = memoryStatistics({ ...HEAD, fields: MEMORY }).message(0).fields;
  expect(figures.map(({ values }) => values)).toEqual([[1n], [2n], [3n], [4n], [5n], [6n]]);
});
