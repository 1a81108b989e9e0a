import { describe, expect, it } from 'vitest';
import { SandboxPool } from '../../../../engine/sandbox/hosts/pool.ts';
import { StallWatch, type Watched } from '../../../../engine/sandbox/hosts/stall-watch.ts';
import { DEFAULT_LIMITS, type Stall } from '../../../../engine/sandbox/contract/types.ts';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { until } from '../../../until.ts';
import { fileOf } from '../../cli/run-cli.ts';

const LIMIT = 5_000;

interface Case {
  readonly what: string;
  /** The sandbox at each second, from 1 s on. */
  readonly at: (second: number) => Watched;
  readonly seconds: number;
  /** Expected news, each with its second. */
  readonly told: readonly string[];
}

const ms = (second: number): number => second * 1000;

describe('a watch over stalls', () => {
  it.each<Case>([
    {
      what: 'one that is busy with many messages',
      at: (second) => ({ processed: second * 500, waiting: 4000, since: ms(second) - 300 }),
      seconds: 60,
      told: [],
    },
    {
      what: 'one that takes 2.9 s for each message, each in a call of its own',
      at: (second) => ({ processed: Math.floor(second / 2.9), waiting: 7, since: ms(Math.floor(second / 2.9) * 2.9) }),
      seconds: 20,
      told: ['7 s: 3.0 s each, 7 wait'],
    },
    {
      what: 'one at whose last call nothing waits any more',
      at: (second) => ({ processed: second > 12 ? 8 : 0, waiting: second > 12 ? 0 : 8, since: second > 12 ? null : ms(1) }),
      seconds: 20,
      told: ['7 s: nothing, 8 wait', '13 s: over after 12 s'],
    },
    {
      what: 'one with a rare message that takes long',
      at: (second) => ({
        processed: Math.floor(second / 20),
        waiting: second % 20 < 3 ? 1 : 0,
        since: second % 20 < 3 ? ms(second - (second % 20)) : null,
      }),
      seconds: 100,
      told: [],
    },
    {
      what: 'one that waits for another one of its host',
      at: () => ({ processed: 3, waiting: 9, since: null }),
      seconds: 60,
      told: [],
    },
    {
      what: 'one with calls of 6 s, one after the other, which is told once',
      at: (second) => ({ processed: Math.floor(second / 6) * 2000, waiting: 2000, since: ms(second - (second % 6)) }),
      seconds: 120,
      told: [],
    },
  ])('tells of $what', ({ at, seconds, told }) => {
    const heard: string[] = [];
    let second = 0;
    const watch = new StallWatch(LIMIT, {
      begun: ({ messageMs, waiting }) =>
        heard.push(`${second} s: ${messageMs === null ? 'nothing' : `${(messageMs / 1000).toFixed(1)} s each`}, ${waiting} wait`),
      over: (after) => heard.push(`${second} s: over after ${after} s`),
    });
    for (second = 1; second <= seconds; second++) watch.look(ms(second), at(second));
    expect(heard).toEqual(told);
  });

  it('names the script that holds its host up, not its neighbour, says so in its report, and tells when it is over', async () => {
    // Its work is the same on any machine: a stall is judged by the time that its host has a processor.
    const slow = fileOf(
      'slow.js',
      'let n = 0;\nfunction process_message() { for (let i = 0; i < 1e8; i++) n = (n * 31 + i) | 0; return 0; }\n',
    );
    const quick = fileOf('quick.js', 'function process_message() { return 0; }\n');
    const told: [string, Stall | { readonly over: number }][] = [];
    const pool = new SandboxPool({ hosts: 1, stallMs: 500, onStall: ({ name }, stall) => told.push([name, stall]) });
    const limits = { ...DEFAULT_LIMITS, instructions: 0, callMs: 0 };
    const start = (name: string, script: string) =>
      pool.createSandbox({ name, kind: 'filter', script, modules: [], config: {}, limits, hostname: 'h', pid: 1 });
    try {
      const [one, two] = [await start('slow', slow), await start('quick', quick)];
      const message = { uuid: new Uint8Array(16), timestamp: 1n, fields: [] };
      const batch = batchOf(Array.from({ length: 10 }, () => message));
      const work = Promise.all([one.process(batch, null), two.process(batch, null)]);
      const stalled = await until(async () => (await one.report()).stall);
      expect(stalled).toMatchObject({ waiting: expect.any(Number) as number });
      await work;
      await until(async () => (await one.report()).stall === undefined);
      // On a machine that gives its host no turn, the neighbour may stall later.
      expect(told[0]).toEqual(['slow', expect.objectContaining({ waiting: expect.any(Number) as number })]);
      expect(told.findLast(([name]) => name === 'slow')?.[1]).toHaveProperty('over');
    } finally {
      await pool.close();
    }
  });
});
