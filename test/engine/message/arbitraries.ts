import fc from 'fast-check';
import { OPTIONAL_HEADERS } from '../../../engine/api/headers.ts';
import type { Field, Message } from '../../../engine/message/types.ts';

/** Any string of UTF-16 code units, also with lone surrogates. */
export const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', 'a', 'é', '\u{1f600}', '\ud800', '\u0000', 'x'.repeat(200)),
);

/** Text that UTF-8 keeps. */
export const wellFormedText = anyText.map((text) => text.toWellFormed());

export const int64 = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(0n, -1n, 1n, 2n ** 53n, -(2n ** 63n), 2n ** 63n - 1n),
);
const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
export const uuid = fc.uint8Array({ minLength: 16, maxLength: 16 });

/** One value mostly, because columns have a short form for it. */
function values<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.tuple(value).map((one) => [...one]) },
    { weight: 1, arbitrary: fc.array(value, { maxLength: 4 }) },
  );
}

/** A field of any type; few names, so that they repeat in other types and representations. */
function field(text: fc.Arbitrary<string>): fc.Arbitrary<Field> {
  const name = fc.oneof({ weight: 4, arbitrary: fc.constantFrom('a', 'b', 'c', '') }, { weight: 1, arbitrary: text });
  const representation = fc.oneof(fc.constant(undefined), fc.constantFrom('', 'B'), text);
  const typed = fc.oneof(
    values(text).map((list) => ({ valueType: 0 as const, values: list })),
    values(fc.uint8Array({ maxLength: 20 })).map((list) => ({ valueType: 1 as const, values: list })),
    values(int64).map((list) => ({ valueType: 2 as const, values: list })),
    values(fc.double()).map((list) => ({ valueType: 3 as const, values: list })),
    values(fc.boolean()).map((list) => ({ valueType: 4 as const, values: list })),
  );
  return fc
    .tuple(name, representation, typed)
    .map(([name, representation, typed]): Field =>
      representation === undefined ? { name, ...typed } : { name, representation, ...typed },
    );
}

/** A message of any shape over this kind of text. */
export function message(text: fc.Arbitrary<string> = anyText): fc.Arbitrary<Message> {
  const header = fc.oneof(fc.constantFrom('same', 'other', ''), text);
  const number = fc.oneof(fc.constant(6), int32);
  const headers = Object.fromEntries(OPTIONAL_HEADERS.map(({ kind, member }) => [member, kind === 'text' ? header : number]));
  return fc.record(
    {
      uuid,
      timestamp: int64,
      ...headers,
      fields: fc.array(field(text), { maxLength: 8 }),
    },
    { requiredKeys: ['uuid', 'timestamp', 'fields'] },
  );
}

/** A list of messages, part of them repeated, so that some columns are full and some headers constant. */
export function messages(text: fc.Arbitrary<string> = anyText, maxLength = 12): fc.Arbitrary<Message[]> {
  const mixed = fc.array(message(text), { maxLength });
  const repeated = fc.tuple(message(text), fc.nat({ max: maxLength })).map(([one, count]) => Array.from({ length: count }, () => one));
  return fc.oneof({ weight: 3, arbitrary: mixed }, { weight: 1, arbitrary: repeated });
}
