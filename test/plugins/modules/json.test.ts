import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldValue, flatten, jsonText, parseExactly, parseObject, type ExactJson } from '../../../plugins/modules/json.ts';

const integer = fc.oneof(
  fc.bigInt({ min: -(2n ** 66n), max: 2n ** 66n }),
  fc.constantFrom(2n ** 53n, 2n ** 53n - 1n, 2n ** 53n + 1n, -(2n ** 63n), 2n ** 63n, 2n ** 64n - 1n),
);
/** Texts of JSON, with what reads like long numbers in strings. */
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    integer.map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
    fc
      .oneof(
        fc.string(),
        integer.map((value) => `:${value},`),
      )
      .map((value) => JSON.stringify(value)),
    fc.constantFrom('null', 'true', ' 7 ', '-0', '1e400'),
    fc.array(tie('json'), { maxLength: 4 }).map((list) => `[${list.join(',')}]`),
    fc
      .array(fc.tuple(fc.string(), tie('json')), { maxLength: 4 })
      .map((members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}: ${value}`).join(',')}}`),
  ),
}));

const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };
/** The text with its white space and numbers as JSON.stringify writes them, the integers as they are. */
const normal = (text: string): string =>
  JSON.stringify(
    JSON.parse(text, (_name, value: unknown, context?: { readonly source?: string }) =>
      typeof value === 'number' && /^-?\d+$/.test(context?.source ?? '') ? { digits: context?.source } : value,
    ),
    (_name, value: unknown) => {
      const digits = (value as { digits?: string } | null)?.digits;
      return typeof digits === 'string' ? rawJSON(digits === '-0' ? '0' : digits) : value;
    },
  );

test('an object that is parsed and written again has all digits of its integers', () => {
  fc.assert(
    fc.property(json, (value) => {
      const text = `{"member":${value}}`;
      expect(jsonText(parseExactly(text))).toBe(normal(text));
    }),
    { numRuns: 500 },
  );
});

test('what a number holds is what JSON.parse makes of it', () => {
  for (const text of ['{"a":1,"b":-9007199254740991,"c":[1.5,"x"],"d":"9007199254740993"}', '\ufeff{"a":1e3}', '{"a":1', '[]', ''])
    expect(parseExactly(text)).toEqual(parseObject(text));
  expect(parseExactly(`{"a":${'9'.repeat(2000)}}`)).toEqual({ a: Infinity });
});

test.each<[ExactJson, unknown]>([
  [9007199254740993n, 9007199254740993n],
  [2n ** 63n, '9223372036854775808'],
  [
    [1, 9007199254740993n],
    [1n, 9007199254740993n],
  ],
  [[9007199254740993n, 2n ** 63n], null],
  [[9007199254740993n, 1.5], null],
  [[9007199254740993n, 'x'], null],
  [[true, 9007199254740993n], null],
  [[9007199254740993n, null], null],
])('%o is the field value %o', (value, expected) => {
  expect(fieldValue(value)).toEqual(expected);
});

test('members are visited with their digits', () => {
  const visited: unknown[] = [];
  const object = parseExactly('{"a":{"b":9007199254740993},"c":[[9007199254740993]],"d":99999999999999999999}');
  flatten(object ?? {}, (...call) => visited.push(call));
  expect(visited).toEqual([
    ['a.b', 9007199254740993n, false],
    ['c', '[[9007199254740993]]', true],
    ['d', '99999999999999999999', false],
  ]);
});
