import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LookupError, type Lookup } from '../../../engine/lookup/lookup.ts';
import { readMmdb } from '../../../engine/lookup/mmdb.ts';
import { mmdbOf, type Written } from './mmdb-writer.ts';

const DE = { iso_code: 'DE', names: { en: 'Germany', de: 'Deutschland' } };
const CITY = {
  continent: { code: 'EU' },
  country: DE,
  city: { names: { en: 'Berlin' } },
  location: { latitude: { double: 52.52 }, accuracy_radius: 20 },
  subdivisions: [{ iso_code: 'BE', names: { en: 'Land Berlin' } }],
  is_anycast: false,
};
const NETWORKS: Readonly<Record<string, Written>> = {
  '10.0.0.0/8': { country: DE, autonomous_system_number: 64_512, low: -5, big: 2 ** 40 },
  '10.20.0.0/16': CITY,
  '192.0.2.7': { country: { iso_code: 'FR' }, note: 'x'.repeat(300) },
};
const SIX = { ...NETWORKS, '2001:db8::/32': { country: { iso_code: 'NL' } } };

describe.each([24, 28, 32] as const)('a database with records of %i bits', (recordSize) => {
  const base = readMmdb(mmdbOf(SIX, { recordSize }), 'geo.mmdb');
  it.each([
    ['10.1.2.3', 'country', 'DE'],
    ['10.20.255.1', 'country.iso_code', 'DE'],
    ['10.20.0.1', 'country.names.de', 'Deutschland'],
    ['10.20.0.1', 'continent', 'EU'],
    ['10.20.0.1', 'city', 'Berlin'],
    ['10.20.0.1', 'subdivisions', 'BE'],
    ['10.20.0.1', 'subdivisions.0.names', 'Land Berlin'],
    ['10.20.0.1', 'subdivisions.1.names', null],
    ['10.20.0.1', 'location', null],
    ['10.20.0.1', 'location.latitude', 52.52],
    ['10.20.0.1', 'location.accuracy_radius', 20],
    ['10.20.0.1', 'is_anycast', false],
    ['10.21.0.1', 'city', null],
    ['10.21.0.1', 'autonomous_system_number', 64_512],
    ['10.21.0.1', 'low', -5],
    ['10.21.0.1', 'big', 2 ** 40],
    ['192.0.2.7', 'note', 'x'.repeat(300)],
    ['192.0.2.8', 'country', null],
    ['2001:db8::7', 'country', 'NL'],
    ['::ffff:10.1.2.3', 'country', 'DE'],
    ['web1', 'country', null],
  ])('has for %s %s', (key, column, value) => {
    expect(base.column(column)(key)).toBe(value);
  });

  it('knows which addresses it has', () => {
    expect(['10.1.2.3', '11.1.2.3', '2001:db8::', '2001:db9::', ''].map((key) => base.has(key))).toEqual([true, false, true, false, false]);
  });
});

it('may have IPv4 addresses alone', () => {
  const base = readMmdb(mmdbOf(NETWORKS, { ipVersion: 4 }), 'geo.mmdb');
  expect(['10.20.3.4', '11.0.0.1', '2001:db8::7'].map(base.column('country'))).toEqual(['DE', null, null]);
});

it('says which value is near', () => {
  const base = readMmdb(mmdbOf(SIX), 'geo.mmdb');
  expect(() => base.column('countri')).toThrow('geo.mmdb has no values countri: did you mean country?');
  expect(() => base.column('country.population')).toThrow('geo.mmdb has no values country.population: it has country, iso_code');
});

const whole = mmdbOf(SIX);
it.each<[string, Buffer]>([
  ['it has no metadata at its end', Buffer.alloc(0)],
  ['it has no metadata at its end', Buffer.from('remote_addr,country\n'.repeat(100))],
  ['or was cut off', whole.subarray(0, whole.lastIndexOf('MaxMind.com') - 4)],
  ['goes on behind the end', whole.subarray(0, -3)],
  ['it is shorter than its metadata say', mmdbOf(SIX, { metadata: { node_count: 100_000 } })],
  ['its metadata are damaged', mmdbOf(SIX, { metadata: { node_count: { double: 1.5 } } })],
  ['its metadata are damaged', mmdbOf(SIX, { metadata: { record_size: 20 } })],
  ['its metadata are damaged', mmdbOf(SIX, { metadata: { ip_version: 5 } })],
  ['it has version 3 of the format', mmdbOf(SIX, { metadata: { binary_format_major_version: 3 } })],
])('is refused: %s', (why, bytes) => {
  expect(() => readMmdb(bytes, 'geo.mmdb')).toThrow(LookupError);
  expect(() => readMmdb(bytes, 'geo.mmdb')).toThrow(why);
});

/** Values of which each is an array of two pointers to the one before, as members of a map; so many that all of them are 2 ** 24 values. */
function doubling(): Buffer {
  const pieces: Buffer[] = [];
  let [place, at] = [0, 1];
  for (let i = 0; i < 24; i++) {
    const pointer = [0x20 | (place >> 8), place & 0xff];
    const name = Buffer.of(0x41, 97 + i);
    const value = i === 0 ? Buffer.of(0xa0) : Buffer.of(0x02, 0x04, ...pointer, ...pointer);
    pieces.push(name, value);
    place = at + name.length;
    at = place + value.length;
  }
  return Buffer.concat([Buffer.of(0xe0 | 24), ...pieces]);
}

it.each<[string, () => Buffer]>([
  ['whose metadata double with each pointer', () => Buffer.concat([whole.subarray(0, whole.lastIndexOf('MaxMind.com') + 11), doubling()])],
  ['whose record doubles with each pointer', () => withData(doubling())],
  [
    'with a list of a million empty groups',
    () => withData(Buffer.concat([Buffer.of(0x1f, 0x04, 0x0e, 0xfe, 0xe3), Buffer.alloc(1 << 20, 0xe0)])),
  ],
  [
    'with a hundred thousand groups in each other',
    () => withData(Buffer.concat([...Array.from({ length: 100_000 }, () => Buffer.of(0xe1, 0x41, 0x61)), Buffer.of(0xa0)])),
  ],
])('a file %s answers at once', (_name, make) => {
  const began = process.cpuUsage();
  try {
    const base = readMmdb(make(), 'geo.mmdb');
    for (const column of ['a', 'x', 'x.1.1', '0', '999999']) for (let i = 0; i < 5; i++) askedOf(base, column);
  } catch (error) {
    expect(error).toBeInstanceOf(LookupError);
  }
  expect(process.cpuUsage(began).user).toBeLessThan(1_500_000);
});

/** A database that has these data for all addresses of IPv4. */
function withData(data: Buffer): Buffer {
  const one = mmdbOf({ '0.0.0.0/1': true, '128.0.0.0/1': true }, { ipVersion: 4 });
  const [gap, marker] = [6, one.lastIndexOf(Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'))];
  const tree = Buffer.from(one.subarray(0, gap));
  for (const at of [0, 3]) tree.writeUIntBE(1 + 16, at, 3);
  return Buffer.concat([tree, Buffer.alloc(16), data, one.subarray(marker)]);
}

function askedOf(base: Lookup, column: string): void {
  try {
    base.column(column)('10.20.0.1');
  } catch (error) {
    expect(error).toBeInstanceOf(LookupError);
  }
}

it('a damaged one answers, or is refused, and never goes on without end', () => {
  const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(changes, fc.oneof(fc.ipV4(), fc.constantFrom('10.20.0.1', '2001:db8::1')), (places, key) => {
      const bytes = Buffer.from(whole);
      for (const [at, byte] of places) bytes[at] = byte;
      try {
        const base = readMmdb(bytes, 'geo.mmdb');
        expect(typeof base.has(key)).toBe('boolean');
        for (const column of ['country', 'subdivisions.0.names', 'location.latitude']) base.column(column)(key);
      } catch (error) {
        expect(error).toBeInstanceOf(LookupError);
      }
    }),
    { numRuns: 500 },
  );
});
