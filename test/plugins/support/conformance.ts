import { readFileSync } from 'node:fs';

/** One value that an operation takes: plain data, or a reference to a value that an earlier operation returned. */
type Argument = string | number | boolean | null | { ref: number; path?: string };

/** One call in a list of operations on circular buffers and anomaly configurations. */
export interface Operation {
  id: number;
  obj: number | null;
  op: string;
  args: Argument[];
  returns?: unknown[];
  raises?: true;
}

/** A message as the data writes it: fields in an array, Timestamp as text. */
export interface FixtureMessage {
  Timestamp: string;
  Type?: string;
  Logger?: string;
  Hostname?: string;
  Payload?: string;
  EnvVersion?: string;
  Severity?: number;
  Pid?: number;
  Fields: { name: string; value: (string | number | boolean)[]; value_type: number; representation?: string }[];
}

export type Step = FixtureMessage | { timer: string };

/** Messages of a filter or encoder at a step. */
export interface FixtureEvent {
  step: number;
  rc?: number;
  payload_type?: string;
  payload_name?: string;
  payload?: string;
  message?: { Type: string; Payload?: string; Fields: Record<string, unknown> };
}

export interface DecoderExpectation {
  ok: boolean;
  complete?: true;
  msg?: Record<string, unknown>;
  fields?: Record<string, { value: unknown; representation?: string }>;
}

/** One line of a data file. */
export interface Case<Input, Expected> {
  case: string;
  decoder: string;
  config: Record<string, string | number | boolean>;
  input: Input;
  expect: Expected;
  lenient?: true;
}

/** The cases of a file, of one plugin if given. Their format is described in the README beside the data. */
export function readCases<Input, Expected>(file: string, plugin?: string): Case<Input, Expected>[] {
  const lines = readFileSync(new URL(`../../fixtures/conformance/${file}`, import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const cases = lines.map((line) => JSON.parse(line) as Case<Input, Expected>);
  return plugin === undefined ? cases : cases.filter(({ decoder }) => decoder === plugin);
}

/** Equal within 1e-9 relative, as the reference answers are compared; `"nan"` stands for NaN. */
export function closeTo(actual: unknown, expected: unknown): boolean {
  if (expected === 'nan' && typeof actual === 'number') return Number.isNaN(actual);
  if (typeof expected === 'number' && typeof actual === 'number') {
    return actual === expected || Math.abs(actual - expected) <= 1e-9 * Math.max(Math.abs(actual), Math.abs(expected));
  }
  return actual === expected;
}
