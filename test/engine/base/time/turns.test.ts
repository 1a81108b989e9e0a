import { describe, expect, it } from 'vitest';
import { Turns } from '../../../../engine/base/time/turns.ts';

describe('Turns', () => {
  it('runs one task at a time, in the order in which they asked', async () => {
    const turns = new Turns();
    const log: string[] = [];
    const gates = ['a', 'b', 'c'].map((name) => ({ name, gate: Promise.withResolvers<void>() }));
    const tasks = gates.map(({ name, gate }) =>
      turns.run(async () => {
        log.push(`${name} begins`);
        await gate.promise;
        log.push(`${name} ends`);
        return name;
      }),
    );
    for (const { gate } of gates.toReversed()) gate.resolve();
    expect(await Promise.all(tasks)).toEqual(['a', 'b', 'c']);
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('lets others pass while a task waits aside, and goes on in its turn', async () => {
    const turns = new Turns();
    const log: string[] = [];
    const gate = Promise.withResolvers<void>();
    const other = Promise.withResolvers<void>();
    const first = turns.run(async () => {
      log.push('first begins');
      await turns.aside(() => gate.promise);
      log.push('first ends');
    });
    const second = turns.run(async () => {
      log.push('second begins');
      gate.resolve();
      await other.promise;
      log.push('second ends');
    });
    other.resolve();
    await Promise.all([first, second]);
    expect(log).toEqual(['first begins', 'second begins', 'second ends', 'first ends']);
  });

  it('tells a failure to the one who waits for it, within a turn and aside, and goes on', async () => {
    const turns = new Turns();
    const fail = (): Promise<never> => Promise.reject(new Error('bad'));
    await expect(turns.run(fail)).rejects.toThrow('bad');
    await expect(turns.run(() => turns.aside(fail))).rejects.toThrow('bad');
    expect(await turns.run(() => Promise.resolve(1))).toBe(1);
  });
});
