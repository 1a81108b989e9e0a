import { afterAll, describe, expect, test } from 'vitest';
import { batchOf, line, SandboxBench } from '../harness.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

const one = batchOf([line('a')]);

/** Work of process_message in which everything is a step that the counter knows: its code, and declarations around it. */
const work: readonly (readonly [what: string, body: string, around?: string])[] = [
  ['for', 'let n = 0; for (let i = 0; i < 200; i++) n += i;'],
  ['for without a body', 'for (let i = 0; i < 200; i++);'],
  ['while', 'let i = 0; while (i < 200) i++;'],
  ['do', 'let i = 0; do i++; while (i < 200);'],
  ['for of', 'let n = 0; for (const x of list) n += x;', 'const list = Array.from({ length: 200 }, (_, i) => i);'],
  [
    'for in',
    'let n = 0; for (const key in all) n += all[key];',
    'const all = Object.fromEntries(Array.from({ length: 200 }, (_, i) => ["k" + i, i]));',
  ],
  ['nested', 'for (let i = 0; i < 20; i++) for (let k = 0; k < 10; k++) { if (k === i) continue; }'],
  ['labels', 'outer: for (let i = 0; i < 20; i++) { for (let k = 0; ; k++) { if (k > i) continue outer; if (i > 15) break outer; } }'],
  [
    'calls in a loop',
    'for (let i = 0; i < 50; i++) work(i % 7);',
    'function work(n) { let s = 0; for (let i = 0; i < n; i++) s += i; return s; }',
  ],
  [
    'much in a turn',
    'for (let i = 0; i < 5; i++) work(3000);',
    'function work(n) { let s = 0; for (let i = 0; i < n; i++) s += i; return s; }',
  ],
  ['recursion', 'deep(100);', 'function deep(n) { return n > 0 ? deep(n - 1) + 1 : 0; }'],
  ['recursion in loops', 'tree(5);', 'function tree(n) { for (let i = 0; i < n; i++) tree(n - 1); }'],
  [
    'callbacks',
    `list.forEach((x) => x); list.map((x) => x); [3, 1, 2].sort((a, b) => a - b); list.reduce((a, b) => a + b, 0); 'abc'.replace(/./g, (c) => c);`,
    'const list = Array.from({ length: 50 }, (_, i) => i);',
  ],
  [
    'generators',
    'let n = 0; for (const x of numbers()) { n += x; if (x > 50) break; } [...numbers()].length;',
    'function* numbers() { for (let i = 0; i < 100; i++) yield i; }',
  ],
  ['methods', 'const c = new Counter(); for (let i = 0; i < 100; i++) c.add(i);', 'class Counter { n = 0; add(x) { this.n += x; } }'],
  ['accessors', 'let n = 0; for (let i = 0; i < 100; i++) n += o.x;', 'const o = { get x() { return 1; } };'],
  [
    'errors',
    'for (let i = 0; i < 30; i++) { try { find(i); } catch { } }',
    'function find(n) { for (let i = 0; ; i++) { if (i > n) null.x; } }',
  ],
  [
    'errors in the same function',
    'for (let i = 0; i < 30; i++) { try { for (let k = 0; ; k++) if (k > i) throw k; } catch { } finally { for (let k = 0; k < 3; k++); } }',
  ],
  ['a return out of a loop', 'for (let i = 0; i < 30; i++) find(i);', 'function find(n) { for (let i = 0; ; i++) if (i === n) return i; }'],
  [
    'functions made in a loop',
    'const all = []; for (let i = 0; i < 20; i++) all.push(() => { for (let k = 0; k < i; k++); return i; }); for (const f of all) f();',
  ],
  ['built-in methods', 'const a = [], m = new Map(); for (let i = 0; i < 100; i++) { a.push(i); m.set(i, a.indexOf(i)); }'],
  [
    'a helper for characters',
    `let n = 0; for (let i = 0; i < text.length; i++) if (isVowel(text.charCodeAt(i))) n++;`,
    `const text = 'the quick brown fox'.repeat(9); function isVowel(c) { return c === 97 || c === 101 || c === 105; }`,
  ],
  [
    'more than the counter is filled with',
    'let n = 0; for (let i = 0; i < 100000; i++) n += i % 3; for (let i = 0; i < 1000; i++) n += work(70);',
    'function work(n) { let s = 0; for (let i = 0; i < n; i++) s += i; return s; }',
  ],
];

async function usedBy(source: string, instructions: number): Promise<number | null> {
  const sandbox = await bench.start(source, { limits: { instructions } });
  const { terminated } = await sandbox.process(one, null);
  const { instructions: steps } = await sandbox.report();
  await sandbox.stop();
  if (terminated !== null) expect(terminated.code).toBe('limit.instructions');
  return terminated === null ? steps.current : null;
}

describe('instruction_limit is exact', () => {
  test.each(work)('%s', async (_what, body, around = '') => {
    const source = `${around}\nfunction process_message() { ${body} return 0; }`;
    const steps = await usedBy(source, 0);
    expect(steps).toBeGreaterThan(1);
    expect(await usedBy(source, steps ?? 0)).toBe(steps);
    expect(await usedBy(source, (steps ?? 0) - 1)).toBeNull();
    expect(await usedBy(source, 0)).toBe(steps);
  });

  test.each([10, 63, 64, 65, 127, 128, 129, 1000])('with a limit of %d, no turn more is done', async (limit) => {
    for (const loop of [
      'for (let i = 0; i < TURNS; i++);',
      'let i = 0; while (i < TURNS) { i++; }',
      'let i = 0; do { i++; } while (i < TURNS);',
    ]) {
      const source = (turns: number): string => `function process_message() { ${loop.replace('TURNS', String(turns))} return 0; }`;
      // The call itself is a step.
      expect(await usedBy(source(limit - 1), limit), loop).toBe(limit);
      expect(await usedBy(source(limit), limit), loop).toBeNull();
    }
  });
});

describe('the limit says where', () => {
  const levels = [
    'const levels = [1, 2, 3];', // 1
    'function ofLevel(level) {',
    '  return level + 1;',
    '}',
    'export function process_message() {', // 5
    '  let sum = 0;',
    '  let i = 0;',
    '  while (true) {', // 8
    '    i++;',
    '    sum += [1, 2].map(',
    '      (level) => ofLevel(level) + i,', // 11
    '    ).length;',
    '  }',
    '}',
  ].join('\n');

  test.each<[string, string, RegExp, { line: number }?]>([
    [
      'a loop',
      'function process_message() {\n  let n = 0;\n  for (;;) {\n    n++;\n  }\n}',
      /^exceeded instruction_limit of 1000 in process_message, where\.js:3 \(a loop that began at 3\)$/,
      { line: 3 },
    ],
    [
      'a loop with its body below',
      'function process_message() {\n  for (\n    let i = 0;\n    ;\n    i++\n  ) {\n    i--;\n  }\n}',
      /^exceeded instruction_limit of 1000 in process_message, where\.js:6 \(a loop that began at 2\)$/,
    ],
    [
      'a function that a loop calls',
      'function work() {\n  return [1].map((x) => x);\n}\nfunction process_message() {\n  while (true)\n    work();\n}',
      /in process_message, where\.js:[56] \(a loop that began at 5\)$/,
    ],
    [
      'recursion',
      'function deep(n) {\n  return n > 0 ? deep(n - 1) + deep(n - 1) : 0;\n}\nfunction process_message() {\n  deep(100);\n}',
      /in process_message, where\.js:1$/,
    ],
    [
      'the top level',
      'let n = 0;\nfor (;;) n++;',
      /^exceeded instruction_limit of 1000 at the top level, where\.js:2 \(a loop that began at 2\)$/,
    ],
    [
      'a script that has its own stacks',
      'Error.prepareStackTrace = () => { for (;;); };\nError.stackTraceLimit = 0;\nfunction process_message() {\n  for (;;);\n}',
      /in process_message, where\.js:4 \(a loop that began at 4\)$/,
    ],
  ])('%s', async (_what, source, reason) => {
    const script = bench.file('where.js', source);
    const limits = { instructions: 1000 };
    const sandbox = await bench.startFile(script, { limits }).catch((error: Error) => error);
    if (sandbox instanceof Error) return expect(sandbox.message).toMatch(reason);
    expect((await sandbox.process(one, null)).terminated?.reason).toMatch(reason);
    await sandbox.stop();
  });

  test('with the line of the loop', async () => {
    const sandbox = await bench.startFile(bench.file('levels.mjs', levels), { limits: { instructions: 5000 } });
    const { terminated } = await sandbox.process(one, null);
    expect(terminated?.reason).toMatch(
      /^exceeded instruction_limit of 5000 in process_message, levels\.mjs:\d+ \(a loop that began at 8\)$/,
    );
    expect(terminated?.place?.file).toBe('levels.mjs');
    await sandbox.stop();
  });

  test('in timer_event', async () => {
    const sandbox = await bench.start('function process_message() { return 0; }\nfunction timer_event() { for (;;); }');
    expect((await sandbox.timer(1n)).terminated?.reason).toMatch(
      /^exceeded instruction_limit of 1000000 in timer_event, .*:2 \(a loop that began at 2\)$/,
    );
    await sandbox.stop();
  });

  test('also that of injections', async () => {
    const sandbox = await bench.start(
      'function process_message() {\n  for (const type of ["a", "b"])\n    inject_message({ Type: type });\n  return 0;\n}',
    );
    expect((await sandbox.process(one, null)).terminated?.reason).toMatch(
      /max_process_inject of 1 in process_message, .*:3 \(a loop that began at 2\)$/,
    );
    await sandbox.stop();
  });
});
