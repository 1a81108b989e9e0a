import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MinuteDate } from '../../../../plugins/lib/time/minute_date.ts';
import { AnyDate } from '../../../../plugins/modules/any_date.ts';
import { WallClock } from '../../../../plugins/modules/time_zone.ts';

const two = (n: number): string => String(n).padStart(2, '0');
/** Minutes around a change to summer time and back, and some that are none. */
const minutes = fc.constantFrom(
  ...[
    '2021-03-28T01:59',
    '2021-03-28T02:00',
    '2021-10-31T02:59',
    '2021-10-31T03:00',
    '2021/02/30 10:10',
    '1969-12-31 23:59',
    '0001-01-01T00:00',
  ],
  ...[
    '28/Mar/2021:01:59',
    '31/Oct/2021:02:30',
    '05-Mar-2021 13:07',
    '05 Mar 2021 13:07',
    'Mar  5 13:07',
    'Fri Mar  5 13:07',
    '2021-13-05T13:07',
    '2021-03-05T24:07',
  ],
);
const seconds = fc.nat(62).map((n) => `:${two(n)}`);
const fractions = fc.constantFrom('', '.', ',', '.5', ',250', '.123456', '.1234567891', '.25x');
const zones = fc.constantFrom('', 'Z', ' +0100', '+01:00', ' -0330', ' UTC', ' CEST', ' 2021', ' Europe/Zurich', ' x');

test.each(['UTC', 'Europe/Zurich', 'Africa/Monrovia'])('dates in a row are those that AnyDate reads, in %s', (zone) => {
  const clock = new WallClock(zone);
  const any = new AnyDate(() => 1_614_952_800_000_000_000n, clock);
  const date = fc.tuple(minutes, seconds, fractions, zones).map((parts) => parts.join(''));
  fc.assert(
    fc.property(
      fc.tuple(minutes, fractions, zones),
      fc.array(date, { maxLength: 3 }),
      fc.array(fc.tuple(seconds, fractions), { maxLength: 6 }),
      (same, others, turns) => {
        const [quick, ofUnits] = [new MinuteDate(any), new MinuteDate(any)];
        const [minute, , behind] = same;
        const texts = [...turns.map(([second, fraction]) => minute + second + fraction + behind), ...others];
        for (const [i, text] of texts.entries()) {
          const around = `1${'x'.repeat(i)}${text}9 2021`;
          const read = quick.read(around, 1 + i, 1 + i + text.length);
          const unitsRead = ofUnits.readUnits(Buffer.from(around, 'latin1'), 1 + i, 1 + i + text.length);
          expect(
            [read, unitsRead].map((one) => (one === null ? null : BigInt(one))),
            text,
          ).toEqual([any.parse(text), any.parse(text)]);
        }
      },
    ),
    { numRuns: 300 },
  );
});
