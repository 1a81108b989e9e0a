import { describe, expect, test } from 'vitest';
import { closeTo, readCases, type Case, type DecoderExpectation } from './support/conformance.ts';
import type { PlainMessage } from './support/message.ts';
import { startPlugin, type Outcome } from './support/sandbox.ts';

const READ_AT = 1_614_949_800_000_000_000n;
const TOLERANCE_NS = 2_000n;

type DecoderCase = Case<string, DecoderExpectation>;

function decode({ decoder, config, input }: DecoderCase): Outcome {
  return startPlugin(`decoders/${decoder}.ts`, config).process({ Timestamp: READ_AT, Payload: input, Fields: [] });
}

/** Whether the time is the expected one: a decimal text of nanoseconds, or month to second of a date whose year is not in the line. */
function sameTime(actual: bigint | undefined, expected: unknown): boolean {
  if (actual === undefined) return false;
  if (typeof expected === 'object') {
    const { noYear } = expected as { noYear: string };
    return new Date(Number(actual / 1_000_000n)).toISOString().slice(5, 19).replaceAll(/[T:]/g, '-') === noYear;
  }
  const distance = actual - BigInt(expected as string);
  return distance <= TOLERANCE_NS && distance >= -TOLERANCE_NS;
}

function expectMessage(actual: PlainMessage, { msg = {}, fields = {}, complete }: DecoderExpectation): void {
  for (const [header, value] of Object.entries(msg)) {
    const found = actual[header as keyof PlainMessage];
    if (header === 'Timestamp') expect(sameTime(actual.Timestamp, value), `Timestamp: ${actual.Timestamp}`).toBe(true);
    else expect(found, header).toBe(value);
  }
  for (const [name, { value, representation }] of Object.entries(fields)) {
    const found = actual.Fields.filter((field) => field.name === name);
    expect(found, name).toHaveLength(1);
    const expected = Array.isArray(value) ? (value as unknown[]) : [value];
    expect(found[0]?.value.length, name).toBe(expected.length);
    for (const [i, item] of expected.entries())
      expect(closeTo(found[0]?.value[i], item), `${name}: ${String(found[0]?.value[i])}`).toBe(true);
    if (representation !== undefined) expect(found[0]?.representation, name).toBe(representation);
  }
  if (complete) expect(actual.Fields.map(({ name }) => name).toSorted()).toEqual(Object.keys(fields).toSorted());
}

describe.each(['nginx_access', 'apache_access', 'rsyslog'])('%s', (decoder) => {
  const cases = readCases<string, DecoderExpectation>('formats.jsonl', decoder);

  test.each(cases.filter(({ expect: { ok } }) => ok))('$case: $input', (entry) => {
    const { rc, reason, injected } = decode(entry);
    expect({ rc, reason, count: injected.length }).toEqual({ rc: 0, reason: '', count: 1 });
    expectMessage(injected[0] as PlainMessage, entry.expect);
  });

  test.each(cases.filter(({ expect: { ok }, lenient }) => !ok && !lenient))('refuses $case: $input', (entry) => {
    expect(decode(entry)).toMatchObject({ rc: -1, injected: [] });
  });

  // The reference refused these; a decoder may take more, but never fail.
  test.each(cases.filter(({ lenient }) => lenient))('stands $case: $input', (entry) => {
    expect([0, -1]).toContain(decode(entry).rc);
  });
});
