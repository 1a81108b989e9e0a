import { expect, it } from 'vitest';
import { openLimit, openLimitIn } from '../../../../engine/base/process/open-limit.ts';

const line = (soft: string): string => `Max processes             31445                31445                processes
Max open files            ${soft.padEnd(20)} 524288               files
`;

it('the soft limit on open files is read from the text of the system', () => {
  expect(openLimitIn(line('1024'))).toBe(1024);
});

it('there is none when the system sets none, or says nothing', () => {
  expect([openLimitIn(line('unlimited')), openLimitIn('')]).toEqual([null, null]);
});

it.runIf(process.platform === 'linux')('this process has one', () => {
  expect(openLimit()).toBeGreaterThan(0);
});
