import { setTimeout as delay } from 'node:timers/promises';
import { deliver, repeatedly, type Delivery } from './delivery.ts';
import type { Fault } from './fault.ts';

/** For how long processes are frozen, one time after the other. */
export const FROZEN_MS = [5000, 30_000] as const;

/** Stops processes with SIGSTOP, and lets them go on. */
async function freeze(pids: readonly number[], ms: number): Promise<void> {
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  await delay(ms);
  for (const pid of pids) process.kill(pid, 'SIGCONT');
}

const FROZEN = {
  'the service': ({ service }: Delivery) => [service.pid],
  'the host of a filter': ({ service }: Delivery) => service.hosts(),
  'the service and its hosts': ({ service }: Delivery) => [service.pid, ...service.hosts()],
} as const;

export const frozen: readonly Fault[] = Object.entries(FROZEN).map(([name, pidsOf]) => ({
  name: `SIGSTOP of ${name}, for 5 s and for 30 s`,
  promise: 'once',
  run: ({ seed, length }) => {
    let times = 0;
    return deliver({
      seed,
      records: 20_000,
      recordsPerSecond: 2000,
      act: (delivery) =>
        repeatedly(FROZEN_MS.length * length, delivery, [500, 1500], () =>
          freeze(pidsOf(delivery), FROZEN_MS[times++ % FROZEN_MS.length] as number),
        ),
    });
  },
}));
