/** Edges, servers and workers that are killed: a short form of `npm run soak -- cluster`. */
import { expect, it } from 'vitest';
import { testMs } from '../patience.ts';
import { clusterSoak } from '../soak/cluster/soak.ts';
import { problemsOf, summaryOf } from '../soak/cluster/summary.ts';

it(
  'loses nothing and stores everything once after repeats are removed, though an edge, a worker and a server are killed',
  async () => {
    const result = await clusterSoak({ kills: 3, records: 6000, seed: 7, recordsPerFile: 700 });
    expect(problemsOf(result), `${summaryOf(result)}${result.said}`).toEqual([]);
    expect(result.kills).toEqual({ edge: 1, worker: 1, server: 1 });
    expect(result.records).toBe(6000);
    expect(result.watched).toBeGreaterThan(0);
    // The servers elect their leaders by time.
  },
  5 * testMs(),
);
