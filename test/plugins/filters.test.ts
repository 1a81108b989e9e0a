import { describe, expect, test } from 'vitest';
import { readCases, type Case, type FixtureEvent, type Step } from './support/conformance.ts';
import type { PlainMessage } from './support/message.ts';
import { deltaDifference, firstColumns, graphDifference, sortedTree } from './support/payloads.ts';
import { startPlugin, type Outcome, type RunningPlugin } from './support/sandbox.ts';

const FILTERS = [
  'cbufd_aggregator',
  'cbufd_host_aggregator',
  'diskstats',
  'frequent_items',
  'http_status',
  'loadavg',
  'memstats',
  'message_schema',
  'mysql_slow_query',
  'procstat',
  'stat_graph',
  'svc_memstat',
];

function take(plugin: RunningPlugin, step: Step): Outcome {
  if ('timer' in step) return plugin.timer(BigInt(step.timer));
  return plugin.process({ ...step, Timestamp: BigInt(step.Timestamp), Fields: (step as Partial<typeof step>).Fields ?? [] });
}

function field(message: PlainMessage, name: string): unknown {
  return message.Fields.find((candidate) => candidate.name === name)?.value[0];
}

function comparable(type: unknown, name: unknown, payload: string): string {
  if (type === 'tsv') return payload.split('\n').toSorted().join('\n');
  return name === 'Message Schema' ? sortedTree(payload) : payload;
}

/** Why a payload is not the expected one; null when it is. */
function difference(actual: PlainMessage, expected: FixtureEvent): string | null {
  const [type, name] = [field(actual, 'payload_type'), field(actual, 'payload_name')];
  if (type !== expected.payload_type || name !== expected.payload_name) return `${String(type)} ${String(name)}`;
  const [ours, theirs] = [actual.Payload ?? '', expected.payload ?? ''];
  if (name === 'Memory Stats') return graphDifference(ours, firstColumns(theirs, 7));
  if (type === 'cbuf') return graphDifference(ours, theirs);
  if (type === 'cbufd') return deltaDifference(ours, theirs);
  return comparable(type, name, ours) === comparable(type, name, theirs) ? null : ours;
}

/** Each expected payload must be among the actual ones: the payloads of one tick have no order. */
function expectPayloads(injected: readonly PlainMessage[], events: readonly FixtureEvent[]): void {
  const left = [...injected];
  for (const event of events) {
    const differences = left.map((message) => difference(message, event));
    expect(differences, `${event.payload_type} ${event.payload_name}`).toContain(null);
    left.splice(differences.indexOf(null), 1);
  }
  expect(left).toEqual([]);
}

function expectMessage({ Type, Fields }: PlainMessage, expected: NonNullable<FixtureEvent['message']>): void {
  expect(Type).toBe(expected.Type);
  expect(Object.fromEntries(Fields.map(({ name, value }) => [name, value[0]]))).toEqual(expected.Fields);
}

type FilterCase = Case<{ steps: Step[] }, { events: FixtureEvent[] }>;

function cases(filter: string): FilterCase[] {
  return readCases('filters.jsonl', `filter:${filter}`);
}

describe.each(FILTERS)('%s', (filter) => {
  test.each(cases(filter))('$case', ({ config, input, expect: { events } }) => {
    const plugin = startPlugin(`filters/${filter}.ts`, config);
    for (const [i, step] of input.steps.entries()) {
      const expected = events.filter((event) => event.step === i);
      const { rc, injected } = take(plugin, step);
      expect(rc, `step ${i}`).toBe(expected.find((event) => event.rc !== undefined)?.rc ?? 0);
      const messages = expected.flatMap(({ message }) => (message ? [message] : []));
      for (const [k, message] of messages.entries()) expectMessage(injected[k] as PlainMessage, message);
      // The reference notes an injection also when there is nothing to inject.
      const payloads = expected.filter(({ payload }) => payload !== undefined && payload !== '');
      expectPayloads(injected.slice(messages.length), payloads);
    }
  });
});

/**
 * In the reference, plugins without tests of their own share the time of the last run, so that only the first of them is tested in a tick. Ours are
 * all tested: an alert of the reference comes at the same tick or has come before.
 */
describe('process_message_failures', () => {
  const lines = (messages: readonly { payload?: string; Payload?: string }[]): string[] =>
    messages.flatMap(({ payload, Payload }) => (payload ?? Payload ?? '').split('\n')).filter((line) => line !== '');

  test.each(cases('process_message_failures'))('$case', ({ config, input, expect: { events } }) => {
    const plugin = startPlugin('filters/process_message_failures.ts', config);
    const alerted = new Set<string>();
    for (const [i, step] of input.steps.entries()) {
      const expected = events.filter((event) => event.step === i);
      const { rc, injected } = take(plugin, step);
      expect(rc, `step ${i}`).toBe(expected.find((event) => event.rc !== undefined)?.rc ?? 0);
      const ours = lines(injected);
      for (const line of lines(expected)) if (!alerted.has(line.split(' ')[0] as string)) expect(ours).toContain(line);
      for (const line of ours) alerted.add(line.split(' ')[0] as string);
      if (config['anomaly_config'] !== undefined) expect(ours).toEqual(lines(expected));
    }
  });
});
