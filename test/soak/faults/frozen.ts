import { setTimeout as delay } from 'node:timers/promises';
import { deliver, repeatedly } from './delivery.ts';
import type { Fault } from './fault.ts';

const FROZEN_MS = 5000;

/** Stops processes with SIGSTOP, and lets them go on. */
async function freeze(pids: readonly number[], ms: number): Promise<void> {
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  await delay(ms);
  for (const pid of pids) process.kill(pid, 'SIGCONT');
}

export const frozen: readonly Fault[] = [
  {
    name: 'SIGSTOP of the service',
    promise: 'once',
    run: ({ seed, length }) =>
      deliver({
        seed,
        records: 20_000,
        recordsPerSecond: 2000,
        act: (delivery) =>
          repeatedly(2, delivery, [500, 1500], async () => {
            delivery.service.signal('SIGSTOP');
            await delay(FROZEN_MS * length);
            delivery.service.signal('SIGCONT');
          }),
      }),
  },
  {
    name: 'SIGSTOP of the host of a filter',
    promise: 'once',
    run: ({ seed, length }) =>
      deliver({
        seed,
        records: 20_000,
        recordsPerSecond: 2000,
        act: (delivery) => repeatedly(2, delivery, [500, 1500], () => freeze(delivery.service.hosts(), FROZEN_MS * length)),
      }),
  },
];
