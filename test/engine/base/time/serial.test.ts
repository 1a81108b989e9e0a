import { describe, expect, it } from 'vitest';
import { Serial } from '../../../../engine/base/time/serial.ts';

describe('Serial', () => {
  it('does one piece of work after another, in order, whatever each takes', async () => {
    const serial = new Serial();
    const log: string[] = [];
    const gates = ['a', 'b', 'c'].map((name) => ({ name, gate: Promise.withResolvers<void>() }));
    const turns = gates.map(({ name, gate }) =>
      serial.run(async () => {
        log.push(`${name} begins`);
        await gate.promise;
        log.push(`${name} ends`);
        return name;
      }),
    );
    for (const { gate } of gates.toReversed()) gate.resolve();
    expect(await Promise.all(turns)).toEqual(['a', 'b', 'c']);
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('begins no work at once, so that a caller may finish what it does', async () => {
    let began = false;
    const turn = new Serial().run(() => (began = true));
    expect(began).toBe(false);
    await turn;
    expect(began).toBe(true);
  });

  it('tells a failure to the one who waits for it and goes on with the next', async () => {
    const serial = new Serial();
    const rejected = serial.run(() => Promise.reject(new Error('no')));
    const thrown = serial.run(() => {
      throw new Error('not that either');
    });
    const next = serial.run(() => 'yes');
    await expect(rejected).rejects.toThrow('no');
    await expect(thrown).rejects.toThrow('not that either');
    expect(await next).toBe('yes');
    await serial.idle();
  });

  it('is idle when also the work is done that came while it was waited for', async () => {
    const serial = new Serial();
    const log: number[] = [];
    const add = (n: number): void => {
      void serial.run(async () => {
        await Promise.resolve();
        log.push(n);
        if (n > 0) add(n - 1);
      });
    };
    await serial.idle();
    add(3);
    await serial.idle();
    expect(log).toEqual([3, 2, 1, 0]);
  });
});
