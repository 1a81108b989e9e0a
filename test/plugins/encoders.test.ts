import { describe, expect, test } from 'vitest';
import { closeTo, readCases, type FixtureEvent, type FixtureMessage } from './support/conformance.ts';
import { sortedLines } from './support/lines.ts';
import { startPlugin } from './support/sandbox.ts';

const ENCODERS = ['alert', 'cbuf_librato', 'es_payload', 'schema_influx', 'schema_influx_line', 'statmetric_influx'];

/** Where the reference raised an error, and what we do instead. */
const MENDED: Readonly<Record<string, Partial<FixtureEvent>>> = {
  // Its own description says that a message without a time is refused.
  statmetric_influx: { rc: -1 },
  // A bool in the name of a series; we write it as text.
  schema_influx: { payload_type: 'json', payload_name: 'influx_message' },
};

/** Equal as JSON, numbers within 1e-9; the reference prints an empty list as an object. */
function sameValue(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(actual) && actual.length === 0 && JSON.stringify(expected) === '{}') return true;
  if (typeof actual !== 'object' || typeof expected !== 'object' || actual === null || expected === null) return closeTo(actual, expected);
  const [ours, theirs] = [Object.entries(actual), Object.entries(expected)];
  return ours.length === theirs.length && theirs.every(([key, value]) => sameValue((actual as Record<string, unknown>)[key], value));
}

function expectPayload(encoder: string, actual: string, expected: string): void {
  if (encoder === 'schema_influx_line') expect(sortedLines(actual)).toEqual(sortedLines(expected));
  else if (!expected.startsWith('{') && !expected.startsWith('[')) expect(actual).toBe(expected);
  else if (encoder === 'es_payload') expect(actual.replaceAll('\\/', '/')).toBe(expected.replaceAll('\\/', '/'));
  else expect(sameValue(JSON.parse(actual), JSON.parse(expected)), actual).toBe(true);
}

describe.each(ENCODERS)('%s', (encoder) => {
  const cases = readCases<{ steps: FixtureMessage[] }, { events: FixtureEvent[] }>('encoders.jsonl', `encoder:${encoder}`);

  test.each(cases)('$case', ({ config, input, expect: { events } }) => {
    const plugin = startPlugin(`encoders/${encoder}.ts`, config);
    for (const [i, step] of input.steps.entries()) {
      const { rc, reason, injected } = plugin.process({ ...step, Timestamp: BigInt(step.Timestamp) });
      let expected = events.find((event) => event.step === i) as Partial<FixtureEvent>;
      if (expected.rc === 1) expected = MENDED[encoder] ?? expected;
      expect(rc, `step ${i}: ${reason}`).toBe(expected.rc ?? 0);
      expect(injected).toHaveLength(expected.rc === undefined ? 1 : 0);
      const values = injected.flatMap(({ Fields }) => Fields.map(({ value }) => value[0]));
      expect(values).toEqual(expected.rc === undefined ? [expected.payload_type, expected.payload_name] : []);
      if (expected.payload !== undefined) expectPayload(encoder, injected[0]?.Payload ?? '', expected.payload);
    }
  });
});
