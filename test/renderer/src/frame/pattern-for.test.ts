import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patternFor } from '../../../../renderer/src/frame/pattern-for.ts';

describe('an expression to begin with', () => {
  it.each([
    [
      ['2021-03-05 13:07:59,250 [main] WARN shop.Cart: slow', '2021-03-05 13:08:00,001 [pool-1] INFO shop.Cart: ok'],
      { time: '2021-03-05 13:07:59,250', thread: 'main', level: 'WARN', name: 'shop.Cart', message: 'slow' },
    ],
    [
      ['Mar  5 13:07:59 cron[17]: started', 'Mar  5 13:08:59 cron[18]: ended'],
      { time: 'Mar  5 13:07:59', program: 'cron', pid: '17', message: 'started' },
    ],
    [
      ['[05.03.2021 13:07:59] [error] no', '[05.03.2021 13:08:00] [error] no'],
      { time: '05.03.2021 13:07:59', level: 'error', message: 'no' },
    ],
    [['1614949679.25 up', '1614949680.25 down'], { time: '1614949679.25', message: 'up' }],
    [['free words', 'more of them'], { message: 'free words' }],
  ])('fits %j', (lines, groups) => {
    expect({ ...new RegExp(patternFor(lines)).exec(lines[0] ?? '')?.groups }).toEqual(groups);
  });

  it('is an expression with named groups for any lines', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (lines) => {
        expect(Object.keys(new RegExp(`${patternFor(lines)}|`).exec('')?.groups ?? {})).toContain('message');
      }),
    );
  });
});
