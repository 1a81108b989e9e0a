import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LostDatagrams } from '../../../../engine/inputs/net/lost-datagrams.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

it('are told now and then, with their causes, and all of them at the end', () => {
  const told: string[] = [];
  const lost = new LostDatagrams('logs', 425_984, ({ text }) => told.push(text));
  lost.update({ kernel: 0, queue: 0 });
  lost.update({ kernel: 5, queue: 0 });
  vi.advanceTimersByTime(29_000);
  lost.update({ kernel: 9, queue: 0 });
  vi.advanceTimersByTime(2000);
  lost.update({ kernel: 9, queue: 3 });
  vi.advanceTimersByTime(100);
  lost.end({ kernel: 10, queue: 103 });
  const system = 'in the system, whose buffer of 425984 bytes was full (raise its limit; Linux: net.core.rmem_max)';
  const here = 'here, since more came than could be worked on (raise queue_size for bursts, or send over TCP, which waits)';
  expect(told).toEqual([
    `Input logs lost 5 datagrams: 5 ${system}.`,
    `Input logs lost 7 datagrams: 4 ${system}; 3 ${here}.`,
    `Input logs lost 101 datagrams (113 in all): 1 ${system}; 100 ${here}.`,
  ]);
});

it('are not told when there are none', () => {
  const told: string[] = [];
  const lost = new LostDatagrams('logs', 425_984, ({ text }) => told.push(text));
  lost.end({ kernel: 0, queue: 0 });
  expect(told).toEqual([]);
});
