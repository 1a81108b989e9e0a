import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { formatMessage } from '../../../../engine/message/json/json.ts';
import { parseMessage } from '../../../../engine/message/json/json-parse.ts';
import { JsonReader } from '../../../../engine/message/json/json-reader.ts';
import { messagesOf } from '../../../../engine/message/batch/row-index.ts';
import type { Message } from '../../../../engine/message/types.ts';
import { anyText, messages } from '../arbitraries.ts';
import { request } from '../requests.ts';

interface Outcome {
  readonly messages: Message[];
  readonly problems: string[];
  /** Lines that were read without being parsed. */
  readonly quick: number;
}

function parsed(line: string): Message | string {
  try {
    return parseMessage(line);
  } catch (error) {
    return String(error);
  }
}

function read(reader: JsonReader, lines: readonly string[]): Outcome {
  const problems: string[] = [];
  let quick = 0;
  let start = 0;
  reader.begin(`${lines.join('\n')}\n`);
  for (const line of lines) {
    const isRead = reader.add(start, start + line.length);
    start += line.length + 1;
    const message = isRead ? null : parsed(line);
    if (isRead) quick++;
    else if (typeof message === 'string') problems.push(message);
    else if (message !== null) reader.append(message);
  }
  return { messages: [...messagesOf(reader.build())], problems, quick };
}

function readByObjects(lines: readonly string[]): Omit<Outcome, 'quick'> {
  const outcomes = lines.map(parsed);
  const isProblem = (outcome: Message | string): outcome is string => typeof outcome === 'string';
  const list = outcomes.filter((outcome) => !isProblem(outcome)) as Message[];
  return { messages: [...messagesOf(batchOf(list))], problems: outcomes.filter(isProblem) };
}

function expectSame(reader: JsonReader, lines: readonly string[]): number {
  const { quick, ...outcome } = read(reader, lines);
  expect(outcome).toEqual(readByObjects(lines));
  return quick;
}

const twice = <T>(list: readonly T[]): T[] => list.flatMap((one) => [one, one]);
/** Without what makes the reading of a line depend on the moment. */
const isTimeless = (line: string): boolean => line.includes('"Uuid":"') && line.includes('"Timestamp":"');

describe('JsonReader', () => {
  it('reads what parseMessage reads', () => {
    const reader = new JsonReader();
    fc.assert(
      fc.property(messages(anyText), (list) => {
        expectSame(reader, twice(list).map(formatMessage));
      }),
      { numRuns: 200 },
    );
  });

  it('reads and refuses what parseMessage does when lines are changed', () => {
    const reader = new JsonReader();
    const piece = fc.constantFrom(
      '"',
      '\\',
      ',',
      ']',
      '}',
      '{',
      '[',
      ':',
      '-',
      '.',
      'e',
      '0',
      '1',
      '9'.repeat(20),
      '\t',
      '\u001f',
      'é',
      '\u2028',
      ' ',
      '',
      'null',
      '\\u0041',
    );
    const change = fc.record({ at: fc.nat(), piece, removed: fc.nat({ max: 3 }) });
    fc.assert(
      fc.property(messages(anyText), fc.array(change, { minLength: 1, maxLength: 3 }), (list, changes) => {
        const lines = twice(list.length === 0 ? [request(3)] : list).map(formatMessage);
        for (const { at, piece, removed } of changes) {
          const which = (at * 2 + 1) % lines.length;
          const line = lines[which] as string;
          const place = at % line.length;
          const changed = line.slice(0, place) + piece + line.slice(place + removed);
          if (isTimeless(changed)) lines[which] = changed;
        }
        expectSame(reader, lines);
      }),
      { numRuns: 600 },
    );
  });

  it('reads numbers of all forms as JSON has them', () => {
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc.tuple(fc.constantFrom('', '-'), fc.nat(), fc.nat()).map(([sign, whole, rest]) => `${sign}${whole}.${rest}`),
      fc.tuple(fc.integer(), fc.constantFrom('e', 'E', 'e+', 'e-'), fc.nat({ max: 400 })).map((parts) => parts.join('')),
      fc.constantFrom(
        '-0',
        '-0.0',
        '0.1',
        '1.',
        '.5',
        '01',
        '-',
        '1e',
        '1e+',
        '123456789012345.5',
        '9007199254740993',
        '0.30000000000000004',
        '-9223372036854775808',
        '9223372036854775807',
        '9223372036854775808',
      ),
    );
    const reader = new JsonReader();
    fc.assert(
      fc.property(fc.constantFrom(2, 3), fc.array(number, { minLength: 1, maxLength: 6 }), (type, list) => {
        const first = formatMessage({ ...request(1), fields: [{ name: 'n', valueType: type as 3, values: [1] }] });
        expectSame(reader, [
          first,
          ...list.map((one) => first.replace('"value":[1]', `"value":[${one},1]`)),
          ...list.map((one) => first.replace('"Severity":6', `"Severity":${one}`)),
        ]);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    '0',
    '7',
    '007',
    '999999999',
    '1000000000',
    '1614949679123456789',
    '9223372036854775807',
    '9223372036854775808',
    '9999999999999999999',
    '10000000000000000000',
  ])('reads the timestamp %s', (time) => {
    const line = formatMessage(request(1)).replace(/"Timestamp":"\d+"/, `"Timestamp":"${time}"`);
    expectSame(new JsonReader(), [line, line]);
  });

  it('parses only the first line of a log whose lines have the same fields, whatever their text', () => {
    const lines = Array.from({ length: 50 }, (_, i) => formatMessage({ ...request(i), payload: `"${i}"\u001b é \u{1f600}` }));
    expect(expectSame(new JsonReader(), lines)).toBe(49);
  });

  it('counts a line as far as its end only', () => {
    const line = formatMessage(request(1));
    for (let end = 0; end < line.length; end++) {
      const reader = new JsonReader();
      read(reader, [line]);
      reader.begin(line);
      expect(reader.add(0, end)).toBe(false);
      expect(reader.build()).toHaveLength(0);
    }
  });
});
