import { describe, expect, test } from 'vitest';
import { readCases, type FixtureEvent, type Step } from './support/conformance.ts';
import type { PlainMessage } from './support/message.ts';
import { deltaDifference, graphDifference, sortedTree } from './support/payloads.ts';
import { startPlugin, type Outcome, type RunningPlugin } from './support/sandbox.ts';

const FILTERS = ['http_status', 'frequent_items', 'message_schema'];

function take(plugin: RunningPlugin, step: Step): Outcome {
  if ('timer' in step) return plugin.timer(BigInt(step.timer));
  return plugin.process({ ...step, Timestamp: BigInt(step.Timestamp) });
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

describe.each(FILTERS)('%s', (filter) => {
  test.each(readCases<{ steps: Step[] }, { events: FixtureEvent[] }>('filters.jsonl', `filter:${filter}`))(
    '$case',
    ({ config, input, expect: { events } }) => {
      const plugin = startPlugin(`filters/${filter}.ts`, config);
      for (const [i, step] of input.steps.entries()) {
        const expected = events.filter((event) => event.step === i);
        const { rc, injected } = take(plugin, step);
        expect(rc, `step ${i}`).toBe(expected.find((event) => event.rc !== undefined)?.rc ?? 0);
        expectPayloads(
          injected,
          expected.filter((event) => event.payload_type !== undefined),
        );
      }
    },
  );
});
