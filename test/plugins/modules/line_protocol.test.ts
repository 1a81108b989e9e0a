/** Lines of the line protocol as a database reads them: https://docs.influxdata.com/influxdb/v1/write_protocols/line_protocol_reference/ */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainMessage } from '../support/message.ts';
import { startPlugin } from '../support/sandbox.ts';

interface Point {
  measurement: string;
  tags: Record<string, string>;
  value: string;
  time: string;
}

/** Reads one line from the beginning of the text; what stands behind it is the rest. */
function readLine(text: string): { point: Point; rest: string } {
  let at = 0;
  /** Up to one of the ends that has no backslash in front. */
  const part = (ends: string): string => {
    let read = '';
    for (; at < text.length && !ends.includes(text[at] as string); at++) {
      if (text[at] === '\\' && ', ='.includes(text[at + 1] ?? 'x')) at++;
      read += text[at];
    }
    return read;
  };
  const measurement = part(', \n');
  const tags: Record<string, string> = {};
  while (text[at] === ',') {
    at++;
    const key = part('=, \n');
    expect(text[at++]).toBe('=');
    tags[key] = part(', \n');
  }
  expect(text[at++]).toBe(' ');
  const match = /^value=("(?:\\"|\\\\|[^"\\]|\\(?!["\\]))*"|[-\d.]+|true|false) (-?\d+)\n/.exec(text.slice(at));
  expect(match, text.slice(at)).not.toBeNull();
  const [whole = '', value = '', time = ''] = match ?? [];
  return { point: { measurement, tags, value, time }, rest: text.slice(at + whole.length) };
}

function readLines(text: string): Point[] {
  const points: Point[] = [];
  for (let rest = text; rest !== '';) {
    const read = readLine(rest);
    points.push(read.point);
    rest = read.rest;
  }
  return points;
}

function encode(config: Record<string, string>, message: InjectMessage): string {
  const { injected } = startPlugin('encoders/schema_influx_line.ts', config).process(plainMessage({ Timestamp: 54321e9, ...message }));
  return injected[0]?.Payload ?? '';
}

const hostile = fc.string({ unit: fc.constantFrom('\\', '"', ' ', ',', '\n', '\r', 'a', 'b', 'é', "'", '#') });
/** As a tag or name has it: a line holds no line end, and nothing ends in a backslash. */
const asName = (text: string): string => text.replace(/\\+$/, '').replaceAll(/[\n\r]/g, ' ');

test('any text is read back', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(hostile, hostile), { minLength: 1, maxLength: 4 }), hostile, (entries, host) => {
      const Fields = entries.map(([name, value], i) => ({ name: `f${i}${name}`, value }));
      const points = readLines(encode({ tag_fields: 'Hostname', name_prefix: 'p.' }, { Hostname: host, Fields }));
      expect(points.map(({ measurement }) => measurement)).toEqual(Fields.map(({ name }) => asName(`p.${name}`)));
      for (const { tags } of points) expect(tags).toEqual(asName(host) === '' ? {} : { Hostname: asName(host) });
      for (const [i, { value }] of points.entries()) {
        const text = value.slice(1, -1).replaceAll(/\\(["\\])/g, '$1');
        // Other pairs of backslashes are one to the database.
        if (!/\\\\/.test(entries[i]?.[1] ?? '')) expect(text).toBe(entries[i]?.[1]);
      }
    }),
  );
});

test('any text is read back as a tag', () => {
  fc.assert(
    fc.property(hostile, hostile, (name, value) => {
      const [point] = readLines(encode({ tag_fields: 'all' }, { Fields: { [`f${name}`]: value } }));
      expect(point?.tags).toEqual(asName(value) === '' ? {} : { [asName(`f${name}`)]: asName(value) });
    }),
  );
});

describe('what a database would not take', () => {
  test.each([
    ['a backslash at the end of a text', { a: 'x\\' }, 'a value="x\\\\" 54321000\n'],
    ['a backslash in front of a quote', { a: 'x\\"y' }, 'a value="x\\\\\\"y" 54321000\n'],
    ['other backslashes stay', { a: 'c:\\dir\\"x" \\\\host\\n' }, 'a value="c:\\dir\\\\\\"x\\" \\\\host\\n" 54321000\n'],
    ['a backslash at the end of a name', { 'a\\': 1 }, 'a value=1.000000 54321000\n'],
    [
      'NaN and infinity are left out',
      { a: NaN, b: 1, c: [2, Infinity, 3] },
      'b value=1.000000 54321000\nc value=2.000000 54321000\nc_vidx_2 value=3.000000 54321000\n',
    ],
    ['nothing but NaN', { a: NaN }, ''],
  ])('%s', (_, Fields, lines) => {
    expect(encode({ tag_fields: '-' }, { Fields })).toBe(lines);
  });

  test('a tag of backslashes', () => {
    expect(encode({ tag_fields: 'Hostname Type' }, { Hostname: '\\\\', Type: 'x y\\', Fields: { a: true } })).toBe(
      'a,Type=x\\ y value=true 54321000\n',
    );
  });
});

test.each<[timestamp_precision: string, Timestamp: number | bigint, time: string]>([
  ['ms', -1, '-1'],
  ['s', 1_614_949_679_999_999_999n, '1614949679'],
  ['m', 1_614_949_679_999_999_999n, '26915827'],
  ['h', 1_614_952_799_999_999_999n, '448597'],
  ['h', -3_600_000_000_000n, '-1'],
  ['h', -3_600_000_000_001n, '-2'],
  ['s', -1, '-1'],
  ['m', 59_999_999_999, '0'],
  ['h', 3600e9, '1'],
  ['ms', 1_614_949_679_250_000_000, '1614949679250'],
])('the time in %s', (timestamp_precision, Timestamp, time) => {
  expect(encode({ tag_fields: '-', timestamp_precision }, { Timestamp, Fields: { a: 1 } })).toBe(`a value=1.000000 ${time}\n`);
});

test.each(['', 'x', '-1', '1.5', '101', ' 2'])('decimal_precision %j is refused', (decimal_precision) => {
  expect(() => startPlugin('encoders/schema_influx_line.ts', { decimal_precision })).toThrow(
    'decimal_precision must be a whole number from 0 to 100',
  );
});

test('no and many decimals', () => {
  expect(encode({ tag_fields: '-', decimal_precision: '0' }, { Fields: { a: 2.5 } })).toBe('a value=2 54321000\n');
  expect(encode({ tag_fields: '-', decimal_precision: '20' }, { Fields: { a: 0.1 } })).toBe('a value=0.10000000000000000555 54321000\n');
});
