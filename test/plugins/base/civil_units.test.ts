import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CivilUnits } from '../../../plugins/base/civil_units.ts';
import { Rfc3339Date } from '../../../plugins/base/dates.ts';

const date = fc
  .tuple(
    fc.date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('9998-12-31') }).map((at) => at.toISOString().slice(0, 19)),
    fc.stringMatching(/^(?:\.\d{1,9})?$/),
    fc.stringMatching(/^(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/),
  )
  .map((parts) => parts.join(''));
/** Dates as they are, with another character in a place, or cut. */
const written = fc.oneof(
  date,
  fc.tuple(date, fc.nat(30), fc.constantFrom('9', '-', ':', 'x')).map(([text, at, by]) => text.slice(0, at) + by + text.slice(at + 1)),
  fc.tuple(date, fc.nat(30)).map(([text, end]) => text.slice(0, end)),
);

test('dates are read from bytes as from text, but for leap seconds and long fractions', () => {
  const ofUnits = new CivilUnits();
  const ofText = new Rfc3339Date();
  fc.assert(
    fc.property(written, (text) => {
      fc.pre(!text.includes(':60') && !/\.\d{10}/.test(text));
      const to = ofUnits.read(Buffer.from(` ${text} `), 1, text.length + 1);
      expect(to).toBe(ofText.read(` ${text} `, 1, text.length + 1));
      if (to >= 0) expect([ofUnits.seconds, ofUnits.nanos]).toEqual([ofText.seconds, ofText.nanos]);
    }),
    { numRuns: 2000 },
  );
});
