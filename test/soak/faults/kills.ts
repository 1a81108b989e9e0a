import { soak } from '../soak.ts';
import { windowKills } from '../window/kills.ts';
import { deliver, repeatedly } from './delivery.ts';
import type { Fault } from './fault.ts';

export const kills: readonly Fault[] = [
  {
    name: 'kill -9 of the service and its hosts, buffered outputs to a file, TCP and HTTP',
    promise: 'kept',
    run: async ({ seed, length }) => {
      const { outputs, said, engineKills, hostKills } = await soak({
        kills: 5 * length,
        records: 20_000 * length,
        seed,
        recordsPerFile: 5000,
      });
      const all = Object.values(outputs);
      // A server that resets connections is sent again what it may not have got; see docs/architecture-delivery.md.
      const note = Object.entries(outputs)
        .map(([name, { repeated }]) => `${name === 'file' ? name : name.toUpperCase()}: ${repeated.toLocaleString('en')} twice`)
        .join(', ');
      const sum = (of: (one: (typeof all)[number]) => number): number => all.reduce((total, one) => total + of(one), 0);
      return {
        tried: engineKills + hostKills,
        lost: sum(({ lost, broken }) => lost + broken),
        repeated: sum(({ repeated }) => repeated),
        late: 0,
        note,
        said,
      };
    },
  },
  {
    name: 'kill -9 of the service, an output without a buffer',
    promise: 'kept',
    run: ({ seed, length }) =>
      deliver({
        seed,
        records: 20_000 * length,
        recordsPerSecond: 2000,
        act: (delivery) => repeatedly(4 * length, delivery, [500, 2500], () => delivery.restart()),
      }),
  },
  {
    name: 'kill -9 of the host of a filter',
    promise: 'once',
    run: ({ seed, length }) =>
      deliver({
        seed,
        records: 20_000 * length,
        recordsPerSecond: 2000,
        act: (delivery) =>
          repeatedly(6 * length, delivery, [500, 1500], () => {
            for (const host of delivery.service.hosts()) process.kill(host, 'SIGKILL');
          }),
      }),
  },
  {
    name: "kill -9 of the window's engine, 2,000 records a second over TCP: what the window had shown",
    promise: 'once',
    run: async ({ seed, length }) => {
      const tried = 20 * length;
      const { lost, repeated, shown } = await windowKills({ kills: tried, recordsPerSecond: 2000, seed, every: [50, 600] });
      return { tried, lost, repeated, late: 0, note: `${shown.toLocaleString('en')} records shown at the end` };
    },
  },
];
