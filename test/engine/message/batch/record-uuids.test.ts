import { describe, expect, it } from 'vitest';
import { recordUuids, uuidsOfMade } from '../../../../engine/message/batch/record-uuids.ts';
import { formatUuid, parseUuid } from '../../../../engine/message/uuid.ts';
import { joinTexts } from '../../../../engine/inputs/text.ts';
import fc from 'fast-check';

const textsOf = (uuids: Uint8Array): string[] => Array.from({ length: uuids.length / 16 }, (_, i) => formatUuid(uuids, i * 16));
const contents = (seed: number): Uint8Array => Uint8Array.from({ length: 16 }, (_, i) => (seed * 37 + i * 101) & 0xff);

/** The UUIDs of records that stand one behind the other from `base` on. */
function uuidsOf(seed: number, base: number, texts: readonly string[]): string[] {
  const values = joinTexts(texts);
  return textsOf(recordUuids({ contents: contents(seed), base, starts: values.starts.slice(), texts: values }));
}

const text = fc.oneof(fc.string({ minLength: 1, maxLength: 20 }), fc.constantFrom('grün', '€', '\u{1f600}'));

describe('UUIDs of records', () => {
  it('look like random ones, and depend on nothing but contents, place and text', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 30 }), fc.nat(2 ** 47), fc.nat(), (texts, base, at) => {
        const all = uuidsOf(1, base, texts);
        expect(all.every((uuid) => /^.{8}-.{4}-4.{3}-[89ab].{3}-.{12}$/.test(uuid))).toBe(true);
        expect(new Set(all).size).toBe(texts.length);
        // Cut elsewhere.
        const cut = at % texts.length;
        const before = texts.slice(0, cut);
        const rest = uuidsOf(1, base + before.join('').length, texts.slice(cut));
        expect([...uuidsOf(1, base, before), ...rest]).toEqual(all);
      }),
      { numRuns: 30 },
    );
  });

  it('are others in other contents, at other places and for other texts', () => {
    const variants = [
      uuidsOf(1, 0, ['a line']),
      uuidsOf(2, 0, ['a line']),
      uuidsOf(1, 1, ['a line']),
      uuidsOf(1, 2 ** 32, ['a line']),
      uuidsOf(1, 0, ['a lime']),
      uuidsOf(1, 0, ['a line ']),
      uuidsOf(1, 0, ['a l\u0169ne']),
    ];
    expect(new Set(variants.flat()).size).toBe(variants.length);
  });

  it('are of the contents, also where these are a part of other bytes', () => {
    const texts = joinTexts(['a line']);
    const of = (bytes: Uint8Array): string[] => textsOf(recordUuids({ contents: bytes, base: 0, starts: Uint32Array.of(0), texts }));
    const bytes = Buffer.from(contents(7));
    expect(of(bytes)).toEqual(uuidsOf(7, 0, ['a line']));
    expect([...bytes]).toEqual([...contents(7)]);
  });

  it('keep texts of the same length apart', () => {
    const texts = Array.from({ length: 20_000 }, (_, i) => `10.0.${i >> 8}.${i & 255} - - "GET /${i % 7} HTTP/1.1" 200 ${i * 31}`);
    expect(new Set(texts.flatMap((text) => uuidsOf(1, 0, [text]))).size).toBe(texts.length);
  });
});

describe('UUIDs of what is made of records', () => {
  it('are that of the record, and further ones of its hash', () => {
    const record = parseUuid('6ba7b810-9dad-11d1-80b4-00c04fd430c8') as Uint8Array;
    const other = parseUuid('00010203-0405-8607-8809-0a0b0c0d0e0f') as Uint8Array;
    const made = textsOf(uuidsOfMade(Uint8Array.from([...other, ...record]), Uint32Array.of(0, 1, 1, 1)));
    expect(made.slice(0, 3)).toEqual([formatUuid(other), formatUuid(record), 'b04965e6-a9bb-491f-8f8a-1adcb2c8dc39']);
    expect(new Set(made).size).toBe(4);
  });

  it('are those of the records where each has one message', () => {
    const records = Uint8Array.from({ length: 32 }, (_, i) => i);
    expect(uuidsOfMade(records, null)).toBe(records);
  });
});
