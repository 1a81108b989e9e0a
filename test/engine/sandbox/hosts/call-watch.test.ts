import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { processorMs } from '../../../../engine/sandbox/hosts/call-watch.ts';
import type { HostCrash } from '../../../../engine/sandbox/hosts/host-process.ts';
import { until } from '../../../until.ts';
import { batchOf, line, messagesOf, SandboxBench } from '../harness.ts';

const GRACE_MS = 100;
/** Longer than the engine waits besides for an answer that is on its way. */
const MORE_MS = 500;
/** Far more than the calls of these tests have the processor for, on any machine. */
const CALL_MS = 2000;
/** Milliseconds of work after which a host is halted: less than any of the calls takes. */
const WORK_MS = 40;

const LOOP = `let sum = 0; for (let i = 0; i < 2e7; i++) sum = (sum * 31 + i) | 0; if (sum === 0.5) return -1;`;
const NATIVE = `if (Array.prototype.lastIndexOf.call({ length: 4e7 }, 1) === 0.5) return -1;`;
const ENDLESS = `Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);`;

/** Halts the host of a call that is at work, as a system does that is busy with other things, and lets it go on after a while. */
async function halted(work: string, ms: number | null, callMs: number) {
  const crashes: HostCrash[] = [];
  const bench = new SandboxBench({ graceMs: GRACE_MS, onHostCrash: (crash) => crashes.push(crash) });
  const source = `let n = 0; function process_message() { n++; ${work} inject_message({ Payload: read_message('Payload'), Pid: n }); return 0; }`;
  const sandbox = await bench.start(source, { kind: 'decoder', limits: { instructions: 0, callMs } });
  const [host] = bench.pool.hostPids as [number];
  const used = (): number => processorMs(host) ?? Infinity;
  const idle = used();
  const answer = sandbox.process(batchOf([line('a'), line('b')]), null);
  await until(() => used() > idle + WORK_MS, 'work of the host');
  process.kill(host, 'SIGSTOP');
  if (ms !== null) {
    await delay(ms);
    process.kill(host, 'SIGCONT');
  }
  const result = await answer;
  await bench.close();
  return { result, crashes, state: sandbox.state };
}

describe.runIf(process.platform === 'linux').concurrent('the time limit of a call', () => {
  it.each([
    ['a loop', LOOP],
    ['a function of the engine of JavaScript', NATIVE],
  ])('does not count the time in which the machine keeps the host from %s', async (_what, work) => {
    const { result, crashes } = await halted(work, CALL_MS + GRACE_MS + MORE_MS, CALL_MS);
    expect({ terminated: result.terminated, crashes }).toEqual({ terminated: null, crashes: [] });
    expect(messagesOf(result).map(({ payload, pid }) => [payload, pid])).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
  });

  it('ends a call whose host gets no processor for ten times as long', async () => {
    const { result, crashes } = await halted(ENDLESS, null, 300);
    expect(result.terminated).toMatchObject({ code: 'limit.time', limit: 300 });
    // The second one made the call again, to have what it had brought before.
    expect(crashes.map(({ killed }) => killed)).toEqual(['overdue', 'overdue']);
  });
});
