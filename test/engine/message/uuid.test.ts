import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomUuid, randomUuids } from '../../../engine/message/random-uuid.ts';
import { formatUuid, parseUuid } from '../../../engine/message/uuid.ts';
import { anyText, uuid } from './arbitraries.ts';

describe('uuid', () => {
  it('gives back what it formatted, in any case and with a urn prefix', () => {
    fc.assert(
      fc.property(uuid, (bytes) => {
        const text = formatUuid(bytes);
        expect(text).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
        for (const form of [text, text.toUpperCase(), `urn:uuid:${text}`, `URN:UUID:${text}`]) expect(parseUuid(form)).toEqual(bytes);
      }),
    );
  });

  it.each([
    '',
    'x',
    '00010203-0405-4607-8809-0a0b0c0d0e0',
    '00010203-0405-4607-8809-0a0b0c0d0e0f0',
    '000102030405460788090a0b0c0d0e0f',
    '0001020g-0405-4607-8809-0a0b0c0d0e0f',
    '{00010203-0405-4607-8809-0a0b0c0d0e0f}',
  ])('refuses %j', (text) => expect(parseUuid(text)).toBeNull());

  it('reads what has the form of RFC 9562, and nothing else', () => {
    const form = /^(?:urn:uuid:)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
    const character = fc.oneof(fc.constantFrom(...'-0fFgG:/@`{', '\u0131', '\u0660', '\uff10', '\ud800'), anyText);
    const changed = fc
      .tuple(uuid, fc.constantFrom('', 'urn:uuid:', 'Urn:uUid:', 'urn:uuid'), fc.nat(45), fc.nat(2), character)
      .map(([bytes, prefix, at, count, text]) => {
        const whole = prefix + formatUuid(bytes);
        return whole.slice(0, at) + text + whole.slice(at + count);
      });
    fc.assert(
      fc.property(changed, (text) => {
        const digits = text.replace(/^urn:uuid:/i, '').replaceAll('-', '');
        expect(parseUuid(text)).toEqual(form.test(text) ? Uint8Array.from(Buffer.from(digits, 'hex')) : null);
      }),
      { numRuns: 2000 },
    );
  });

  it('makes random ones of version 4, variant 10', () => {
    for (let i = 0; i < 50; i++) expect(formatUuid(randomUuid())).toMatch(/^.{14}4.{4}[89ab]/);
  });

  it('makes random ones that all differ, with every other bit set in half of them', () => {
    const count = 4000;
    const made = [randomUuids(count), randomUuids(count)].flatMap((bytes) =>
      Array.from({ length: count }, (_, i) => bytes.slice(i * 16, i * 16 + 16)),
    );
    expect(new Set(made.map((one) => formatUuid(one))).size).toBe(made.length);
    for (let bit = 0; bit < 128; bit++) {
      const share = made.filter((bytes) => ((bytes[bit >> 3] as number) >> (bit & 7)) & 1).length / made.length;
      if (bit >> 3 !== 6 && bit >> 3 !== 8) expect(Math.abs(share - 0.5)).toBeLessThan(0.05);
    }
  });
});
