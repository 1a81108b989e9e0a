import type { z } from 'zod';
import { ALL_HEADERS } from '../api/headers.ts';
import { MessageFormatError, messageOf } from '../message/json/json-parse.ts';
import { nearOrAll } from '../base/text/suggest.ts';
import { isTable, type ConfigDocument } from './document.ts';
import { findingsOf, show, type Finding } from './problems.ts';
import { configTest } from './schema/tests.ts';
import type { Origin } from './schema/sections.ts';

/** Names of the parts of a message. */
const MEMBERS: readonly string[] = [...ALL_HEADERS.map(({ name }) => name), 'Fields'];

/** Name of the list of tests of a configuration. */
export const TESTS = 'tests';

/** A test of a configuration: the input at one place, and the expected output at another. */
export type ConfigTest = Omit<z.output<typeof configTest>, 'output'> & {
  /** The section that `out` is about. */
  readonly output: string;
  readonly origin: Origin;
};

/** Sections that tests may name as places. */
export interface TestPlaces {
  readonly inputs: readonly { readonly name: string }[];
  readonly filters: readonly { readonly name: string }[];
  readonly outputs: readonly { readonly name: string }[];
}

/** Checks `[[tests]]`; a test with a problem is left out. @param value undefined: there are none */
export function checkTests(
  value: unknown,
  places: TestPlaces,
  originOf: ConfigDocument['origin'],
): { readonly tests: readonly ConfigTest[]; readonly findings: readonly Finding[] } {
  const tests: ConfigTest[] = [];
  const findings: Finding[] = [];
  for (const [i, given] of (Array.isArray(value) ? (value as unknown[]) : []).entries()) {
    const { test, wrong } = checkTest(given, places);
    const origin = originOf([TESTS, i]);
    if (test !== null && wrong.length === 0 && origin !== undefined) tests.push({ ...test, origin });
    findings.push(...wrong.map((finding) => ({ ...finding, path: [i, ...finding.path] })));
  }
  return { tests, findings };
}

function checkTest(given: unknown, places: TestPlaces): { readonly test: Omit<ConfigTest, 'origin'> | null; readonly wrong: Finding[] } {
  const result = configTest.safeParse(given);
  if (!result.success) {
    return { test: null, wrong: findingsOf(result.error.issues, given, () => Object.keys(configTest.shape)) };
  }
  const { data } = result;
  const { inputs, filters, outputs } = places;
  const output = data.output ?? (outputs.length === 1 ? outputs[0]?.name : undefined);
  const wrong = [
    ...unknownPlace('input', data.input, inputs, 'an input'),
    ...unknownPlace('output', data.output, [...outputs, ...filters, ...inputs], 'an output, filter or input'),
    ...wrongMessages('in', data.in),
    ...wrongMessages('out', data.out),
  ];
  if (output === undefined) {
    const text = 'is required: there is not just one output';
    wrong.push({ path: ['output'], text, hint: `known are ${outputs.map(({ name }) => name).join(', ')}` });
  } else if (!outputs.some(({ name }) => name === output)) {
    const text = 'must be a message as a table: only outputs write texts';
    data.out.forEach((item, i) => typeof item === 'string' && wrong.push({ path: ['out', i], text, hint: '' }));
  }
  return { test: output === undefined ? null : { ...data, output }, wrong };
}

function unknownPlace(key: string, name: string | undefined, sections: readonly { readonly name: string }[], what: string): Finding[] {
  const names = sections.map((section) => section.name);
  if (name === undefined || names.includes(name)) return [];
  return [{ path: [key], text: `${show(name)} is not ${what} of this configuration`, hint: nearOrAll(name, names) }];
}

function wrongMessages(key: string, items: readonly unknown[]): Finding[] {
  return items.flatMap((item, i): Finding[] => {
    if (!isTable(item)) return [];
    const unknown = Object.keys(item).filter((name) => !MEMBERS.includes(name));
    if (unknown.length > 0)
      return unknown.map((name) => ({ path: [key, i, name], text: 'is not a part of a message', hint: nearOrAll(name, MEMBERS) }));
    try {
      messageOf(plainOf(item));
      return [];
    } catch (error) {
      if (!(error instanceof MessageFormatError)) throw error;
      return [{ path: [key, i], text: `is not a message: ${error.message}`, hint: '' }];
    }
  });
}

/** Converts TOML values to JSON ones: dates become texts. */
export function plainOf(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(plainOf);
  if (!isTable(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plainOf(inner)]));
}
