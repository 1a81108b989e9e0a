import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { MessageBatch } from '../../../engine/message/batch/batch.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import type { Message } from '../../../engine/message/types.ts';
import { JoinedCalls } from '../../../engine/pipeline/joined-calls.ts';
import type { Sandbox, SandboxResult } from '../../../engine/sandbox/contract/types.ts';
import { SandboxBench } from '../sandbox/harness.ts';
import { FakeSandbox, message, payloads, type Process } from './fakes.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

/** Something that a filter asks of its sandbox. */
type Step =
  | { readonly do: 'process'; readonly batch: MessageBatch; readonly rows: Uint32Array | null }
  | { readonly do: 'tick' | 'clock' | 'wait'; readonly ns: bigint };

/** Action of a fake script, by the last letter of the payload. */
const act: Process = ({ payload = '' }) => {
  const [first = ''] = payload.split('').reverse();
  if (first === 'd') return 'die';
  if (first === 'f') return `refused ${payload}`;
  return Array.from({ length: 'iI'.indexOf(first) + 1 }, (_, i) => message(`${payload} ${i}`));
};

const letters = fc.constantFrom(...'......iiIf......iiIfd');

/** Steps, whose messages have different columns: a joined batch is not like any of its parts. */
const asks: fc.Arbitrary<Step> = fc.record({ do: fc.constantFrom('tick', 'clock', 'wait'), ns: fc.bigInt(0n, 99n) });
const portions: fc.Arbitrary<Step> = fc
  .record({
    texts: fc.array(letters, { minLength: 1, maxLength: 12 }),
    repeat: fc.constantFrom(1, 1, 1, 30),
    all: fc.boolean(),
    odd: fc.nat(1),
  })
  .map(({ texts, repeat, all, odd }) => {
    const list = Array.from({ length: repeat }, () => texts).flat();
    const messages = list.map((text, row) => message(`${row}${text}`, row, fieldsOf(row, odd)));
    const some = Uint32Array.from(messages.keys()).filter((row) => row % 3 !== 1);
    return { do: 'process', batch: batchOf(messages), rows: all ? null : some };
  });
const steps = fc.array(fc.oneof({ arbitrary: portions, weight: 5 }, { arbitrary: asks, weight: 1 }), { minLength: 1, maxLength: 20 });

const fieldsOf = (row: number, odd: number): Partial<Message> => ({
  ...(row % 4 === odd ? { type: `t${odd}`, severity: row % 8 } : {}),
  fields: [
    ...(row % 2 === odd ? [{ name: 'a', valueType: 0, values: [`v${row}`, 'w'] } as const] : []),
    { name: 'a', valueType: 3, values: [row] } as const,
  ],
});

type Called = Pick<Sandbox, 'process' | 'timer' | 'useClock'>;

/** Results of each call; as in the runner, those after the end are not looked at. */
async function outcomes(calls: Called, steps: readonly Step[]): Promise<unknown[]> {
  const open: Promise<unknown>[] = [];
  for (const step of steps) {
    if (step.do === 'process') open.push(calls.process(step.batch, step.rows).then(plain, () => 'ended'));
    else if (step.do === 'tick') open.push(calls.timer(step.ns).then(plain, () => 'ended'));
    else if (step.do === 'clock') calls.useClock?.('message');
    else await Promise.all(open);
  }
  const seen: unknown[] = [];
  for (const outcome of await Promise.all(open)) {
    if (outcome === 'ended') break;
    seen.push(outcome);
    if ((outcome as { end: unknown }).end !== null) break;
  }
  return seen;
}

const plain = ({ injected, origins, failures, terminated }: SandboxResult) => ({
  injected: injected === null ? [] : payloads(injected),
  origins: [...(origins ?? injected?.timestamps.map((_, row) => BigInt(row)) ?? [])].map(Number),
  failures,
  end: terminated,
});

/** The same sandbox, with the number of messages of each call. */
function counted(sandbox: Called): Called & { readonly sizes: number[] } {
  const sizes: number[] = [];
  return {
    sizes,
    process: (batch, rows) => (sizes.push(rows?.length ?? batch.length), sandbox.process(batch, rows)),
    timer: (ns) => sandbox.timer(ns),
    useClock: (clock) => sandbox.useClock?.(clock),
  };
}

describe('calls that go together', () => {
  it('bring what they bring one by one', async () => {
    let saved = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (steps) => {
        const [alone, together] = [new FakeSandbox('f', { process: act }), new FakeSandbox('f', { process: act })];
        const sandbox = counted(together);
        expect(await outcomes(new JoinedCalls(sandbox), steps)).toEqual(await outcomes(alone, steps));
        expect(together.calls).toEqual(alone.calls);
        saved += steps.filter((step) => step.do === 'process').length - sandbox.sizes.length;
      }),
      { numRuns: 300 },
    );
    expect(saved).toBeGreaterThan(500);
  });

  it('bring what they bring one by one, in a real sandbox', async () => {
    const source = `
      let n = 0;
      function process_message() {
        n++;
        const text = read_message('Payload');
        const rest = [read_message('Type'), read_message('Severity'), read_message('Fields[a]'), read_message('Fields[a]', 1), read_message('Timestamp')];
        for (let field = read_next_field(); field[1] !== null; field = read_next_field()) rest.push(...field.map(String));
        if (text.endsWith('i')) inject_message({ Payload: n + ' ' + text + ' ' + rest.join() });
        if (text.endsWith('f')) return [-1, n + ' refused ' + text];
        if (text.endsWith('d')) throw new Error('at ' + n);
        return 0;
      }
      function timer_event(ns) { inject_message({ Payload: n + ' at ' + ns }); }`;
    const file = bench.file('script.js', source);
    const start = (): Promise<Sandbox> => bench.startFile(file, { limits: { processInject: 5 } });
    await fc.assert(
      fc.asyncProperty(steps, async (steps) => {
        const [alone, together] = [await start(), await start()];
        expect(await outcomes(new JoinedCalls(together), steps)).toEqual(await outcomes(alone, steps));
        await Promise.all([alone.stop(), together.stop()]);
      }),
      { numRuns: 25 },
    );
  });

  it('are those that come while one is under way', async () => {
    const sandbox = counted(new FakeSandbox('f', {}));
    const joined = new JoinedCalls(sandbox);
    const one = batchOf([message('x')]);
    await Promise.all([1, 2, 3, 4].map(() => joined.process(one, null)));
    await joined.process(one, null);
    expect(sandbox.sizes).toEqual([1, 3, 1]);
  });

  it('are small ones, and few enough', async () => {
    const sandbox = counted(new FakeSandbox('f', {}));
    const joined = new JoinedCalls(sandbox);
    const of = (count: number): MessageBatch => batchOf(Array.from({ length: count }, () => message('x')));
    const [some, many] = [of(200), of(257)];
    await Promise.all([some, some, many, some, some].map((batch) => joined.process(batch, null)));
    expect(sandbox.sizes).toEqual([200, 200, 257, 400]);
    sandbox.sizes.length = 0;
    await Promise.all(Array.from({ length: 22 }, () => joined.process(some, null)));
    expect(sandbox.sizes).toEqual([200, 2000, 2000, 200]);
  });

  it('do not wait for a sandbox that has ended', async () => {
    const fake = new FakeSandbox('f', { gate: () => Promise.resolve() });
    const joined = new JoinedCalls(fake);
    const calls = [1, 2, 3].map(() => joined.process(batchOf([message('x')]), null));
    fake.terminate();
    expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });
});
