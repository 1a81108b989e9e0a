import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldOf, jsonOf, valueOf } from '../../../engine/otlp/any-value.ts';
import { int64, type AnyValue } from '../../../engine/otlp/types.ts';

const SCALAR: fc.Arbitrary<AnyValue> = fc.oneof(
  fc.string().map((stringValue) => ({ stringValue })),
  fc.boolean().map((boolValue) => ({ boolValue })),
  fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }).map((value) => ({ intValue: int64(value) })),
  fc.double().map((doubleValue) => ({ doubleValue })),
  fc.uint8Array({ maxLength: 5 }).map((bytesValue) => ({ bytesValue })),
);
const VALUE: fc.Arbitrary<AnyValue> = fc.oneof(
  SCALAR,
  fc.array(SCALAR, { maxLength: 4 }).map((values) => ({ arrayValue: { values } })),
  fc.array(fc.record({ key: fc.string(), value: SCALAR }), { maxLength: 3 }).map((values) => ({ kvlistValue: { values } })),
  fc.constant({}),
);

describe('the value of an attribute', () => {
  it('is the same behind a field', () => {
    fc.assert(
      fc.property(VALUE, (value) => {
        expect(jsonOf(valueOf(fieldOf('a', value)))).toEqual(jsonOf(value));
      }),
    );
  });

  it.each<[string, AnyValue, object]>([
    ['a text', { stringValue: 'x' }, { valueType: 0, values: ['x'] }],
    [
      'a list of one type',
      { arrayValue: { values: [{ boolValue: true }, { boolValue: false }] } },
      { valueType: 4, values: [true, false] },
    ],
    ['an empty list', { arrayValue: { values: [] } }, { valueType: 0, values: [] }],
    [
      'a list of one value',
      { arrayValue: { values: [{ stringValue: 'x' }] } },
      { valueType: 0, representation: 'otlp', values: ['{"arrayValue":{"values":[{"stringValue":"x"}]}}'] },
    ],
    [
      'a map',
      { kvlistValue: { values: [{ key: 'k', value: { intValue: int64(-1n) } }] } },
      { valueType: 0, representation: 'otlp', values: ['{"kvlistValue":{"values":[{"key":"k","value":{"intValue":"-1"}}]}}'] },
    ],
  ])('%s', (_what, value, field) => expect(fieldOf('a', value)).toEqual({ name: 'a', ...field }));

  it.each(['', 'x', '{}x', '{"stringValue":1}', '{"boolValue": true}'])('%j is a text, though it is said to be one of OTLP', (text) => {
    expect(valueOf({ name: 'a', valueType: 0, representation: 'otlp', values: [text] })).toEqual({ stringValue: text });
  });

  it.each([NaN, Infinity, -0])('%d has a form in JSON', (doubleValue) => {
    expect(jsonOf({ doubleValue })).toEqual({ doubleValue: Object.is(doubleValue, -0) ? '-0' : String(doubleValue) });
  });
});
