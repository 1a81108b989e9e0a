import { afterAll, describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../engine/sandbox/contract/types.ts';
import { batchOf, line, messagesOf, SandboxBench } from '../engine/sandbox/harness.ts';
import { BombRange, setOff } from './bomb-run.ts';
import { MEMORY_BOMBS } from './memory-bombs.ts';

/** A host may take so many bytes beyond what its scripts may hold. */
const MOST_OVER = 64 << 20;
/** The guard is a thread like others: when the machine is very busy, it may see one bomb late. */
const ATTEMPTS = 5;

const named = (name: string): (typeof MEMORY_BOMBS)[number] => {
  const found = MEMORY_BOMBS.find((bomb) => bomb.name === name);
  if (found === undefined) throw new Error(`there is no bomb ${name}`);
  return found;
};

describe.runIf(process.platform === 'linux')('memory_limit bounds a native call', () => {
  const range = BombRange.open();
  afterAll(async () => (await range).close());

  test.each(MEMORY_BOMBS.map((bomb) => [bomb.name, bomb] as const))('%s', async (_name, bomb) => {
    let least = Infinity;
    for (let attempt = 0; attempt < ATTEMPTS && least > MOST_OVER; attempt++) {
      const { end, over } = await (await range).run(bomb);
      expect(end?.code).toBe(bomb.ends);
      least = Math.min(least, over - DEFAULT_LIMITS.memory);
    }
    expect(least).toBeLessThanOrEqual(MOST_OVER);
  });
});

describe.runIf(process.platform === 'linux')('neighbours of a script that takes too much', () => {
  const bench = new SandboxBench({ hosts: 1 });
  afterAll(() => bench.close());

  test.each([
    'join of wide texts',
    'fill of an array',
    'resizable buffer',
    'BigInt shifts',
    'collators',
    'small typed arrays',
    'join while it loads',
  ])('go on with their state and lose nothing: %s', async (name) => {
    const counter = await bench.start(
      `let seen = 0; var sum = 0;
         function process_message() { seen++; sum += read_message('Pid'); return 0; }
         function timer_event() { inject_message({ Payload: seen + ' ' + sum }); }`,
    );
    const decoder = await bench.start(`function process_message() { inject_message({ Payload: read_message('Payload') }); return 0; }`, {
      kind: 'decoder',
    });
    const pids = (from: number) => batchOf(Array.from({ length: 10 }, (_, i) => ({ ...line(''), pid: from + i })));
    await counter.process(pids(0), null);
    const texts = Array.from({ length: 100 }, (_, i) => `line ${i}`);
    const [end, , decoded] = await Promise.all([
      setOff(bench, named(name)),
      counter.process(pids(10), null),
      decoder.process(batchOf(texts.map(line)), null),
    ]);
    expect(end).toMatchObject({ code: 'limit.memory', limit: DEFAULT_LIMITS.memory });
    expect(messagesOf(decoded).map(({ payload }) => payload)).toEqual(texts);
    await counter.process(pids(20), null);
    const ticked = await counter.timer(1n);
    expect(messagesOf(ticked).map(({ payload }) => payload)).toEqual(['30 435']);
    expect([counter.state, decoder.state]).toEqual(['running', 'running']);
    await Promise.all([counter.stop(), decoder.stop()]);
  });
});

test('scripts near their limits, and with much garbage, run on beside each other', async () => {
  const bench = new SandboxBench({ hosts: 1 });
  const scripts = [
    `const kept = new Map(); for (let i = 0; i < 20000; i++) kept.set(i, new Array(12).fill(i)); let n = 0;
     function process_message() { const text = read_message('Payload'); kept.set(n++ % 20000, text.split(' ').map((word) => word + n)); return 0; }`,
    `const kept = []; for (let i = 0; i < 24; i++) kept.push(new Uint8Array(1 << 18).fill(i)); let n = 0;
     function process_message() { kept[n++ % kept.length] = new Uint8Array(1 << 18).fill(n); return 0; }`,
    `const kept = []; for (let i = 0; i < 20000; i++) kept.push('x'.repeat(100) + i); let n = 0;
     function process_message() { const text = read_message('Payload').repeat(100); text.charCodeAt(5); kept[n++ % kept.length] = text.slice(0, 9); return 0; }`,
  ];
  const limits = { instructions: 0, callMs: 60_000 };
  const sandboxes = await Promise.all(Array.from({ length: 9 }, (_, i) => bench.start(scripts[i % 3] ?? '', { limits })));
  const batch = batchOf(Array.from({ length: 200 }, (_, i) => line(`lorem ipsum dolor ${i} `.repeat(10))));
  for (let round = 0; round < 3; round++) {
    const results = await Promise.all(sandboxes.map((sandbox) => sandbox.process(batch, null)));
    expect(results.map(({ terminated }) => terminated)).toEqual(sandboxes.map(() => null));
  }
  await bench.close();
});
