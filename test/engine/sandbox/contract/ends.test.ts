import { afterAll, describe, expect, test } from 'vitest';
import type { End, EndCode } from '../../../../engine/api/ends.ts';
import { readEnd } from '../../../../engine/sandbox/contract/ends.ts';
import { endOf, SandboxEndedError, SandboxHostError, SandboxLoadError } from '../../../../engine/sandbox/contract/errors.ts';
import { modulesFolder } from '../../../../engine/plugins/catalog.ts';
import { DEFAULT_LIMITS, type SandboxKind } from '../../../../engine/sandbox/contract/types.ts';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { LIMITS } from '../../limit-sentences.ts';
import { line, SandboxBench, type ScriptOptions } from '../harness.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

const KINDS: readonly SandboxKind[] = ['filter', 'decoder', 'encoder', 'output', 'input'];

/** The end of a script in its first call of process_message. */
async function endIn(kind: SandboxKind, source: string, options: ScriptOptions = {}): Promise<End> {
  if (kind !== 'input') {
    const sandbox = await bench.start(source, { ...options, kind });
    const { terminated } = await sandbox.process(batchOf([line('a'), line('b')]), null);
    if (terminated === null) throw new Error('it has not ended');
    return terminated;
  }
  const script = bench.file('input.js', source);
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const sandbox = await bench.pool.createInput({ name: 'i', kind, script, modules: [], config: {}, hostname: 'h', pid: 1, limits });
  const end = await sandbox.run(() => Promise.resolve());
  if (!('reason' in end)) throw new Error('it has not ended');
  return end;
}

const thrower = (sentence: string): string => `function process_message() {\n  throw new Error(${JSON.stringify(sentence)});\n}`;

describe('a sentence of the sandbox that a script throws is the script’s own', () => {
  describe.each(KINDS)('in process_message of an %s', (kind) => {
    test.each(LIMITS)('about the %s', async (_limit, sentence) => {
      const end = await endIn(kind, thrower(sentence));
      expect(end).toMatchObject({ code: 'script.throws', said: `Error: ${sentence}`, place: { line: 2, column: 9 } });
      expect(end.reason).toBe(`process_message() ${end.place?.file}:2:9: Error: ${sentence}`);
      expect(end.limit).toBeUndefined();
    });
  });

  test.each(LIMITS)('in timer_event: about the %s', async (_limit, sentence) => {
    const sandbox = await bench.start(
      `function process_message() { return 0; } function timer_event() { throw new Error(${JSON.stringify(sentence)}); }`,
    );
    expect((await sandbox.timer(1n)).terminated).toMatchObject({ code: 'script.throws', said: `Error: ${sentence}` });
  });

  test.each(LIMITS)('at the top level: about the %s', async (_limit, sentence) => {
    for (const form of ['', 'export function process_message() {}']) {
      const error: unknown = await bench.start(`${form}\nthrow new Error(${JSON.stringify(sentence)});`).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(SandboxLoadError);
      expect((error as SandboxLoadError).end).toMatchObject({ code: 'script.throws', said: `Error: ${sentence}` });
    }
  });

  test.each(LIMITS)('as the text of a status: about the %s', async (_limit, sentence) => {
    const end = await endIn('filter', `function process_message() { return [1, ${JSON.stringify(sentence)}]; }`);
    expect(end).toEqual({ code: 'script.status', reason: sentence, said: sentence, row: 0 });
  });

  test('also when it is an error of the same class, of a class of its own, or no error', async () => {
    const sentence = 'inject_message: exceeded output_limit of 64512';
    const throws = [
      `throw new RangeError('${sentence}')`,
      `throw Object.assign(new RangeError('${sentence}'), { name: 'LimitError', code: 'limit.output', limit: 1 })`,
      `throw '${sentence}'`,
      `try { inject_message({ Payload: 'x'.repeat(70000) }); } catch (error) { throw new RangeError(error.message); }`,
    ];
    for (const statement of throws) {
      const end = await endIn('filter', `function process_message() { ${statement} }`);
      expect([end.code, end.limit]).toEqual(['script.throws', undefined]);
    }
  });
});

const process = (body: string): string => `function process_message() { ${body} return 0; }`;

describe('each end has its code', () => {
  test.each<[EndCode, SandboxKind, string, string, ScriptOptions, number | undefined]>([
    ['limit.instructions', 'filter', process('for (;;);'), 'exceeded instruction_limit of 5000', { limits: { instructions: 5000 } }, 5000],
    [
      'limit.memory',
      'decoder',
      `const kept = []; ${process('for (;;) kept.push(new Array(1000).fill(kept.length));')}`,
      'exceeded memory_limit of 4194304',
      { limits: { memory: 4 << 20, instructions: 0 } },
      4 << 20,
    ],
    ['limit.memory', 'filter', process('new Uint8Array(2 ** 31);'), 'exceeded memory_limit of 8388608', {}, 8_388_608],
    [
      'limit.process-inject',
      'filter',
      process('inject_message({}); inject_message({});'),
      'inject_message: exceeded max_process_inject of 1',
      {},
      1,
    ],
    [
      'limit.time',
      'filter',
      process('[].indexOf.call({ length: 2 ** 53 - 1 }, 1);'),
      'exceeded the time limit of 200 ms',
      { limits: { callMs: 200 } },
      200,
    ],
    ['script.return', 'output', process('return null;'), 'process_message() must return a number', {}, undefined],
    ['script.status', 'encoder', process('return 3;'), 'process_message() returned 3', {}, undefined],
  ])('%s in a %s', async (code, kind, source, reason, options, limit) => {
    const { row, place, ...end } = (await endIn(kind, source, options)) as End & { row: number };
    expect(row).toBe(0);
    const where = place === undefined ? '' : ` in process_message, ${place.file}:${place.line}`;
    expect({ ...end, reason: end.reason.replace(/ \(a loop that began at 1\)$/, '') }).toEqual({
      code,
      reason: reason + where,
      ...(limit === undefined ? {} : { limit }),
    });
  });

  test.each<[SandboxKind, string]>([
    ['filter', `inject_message({ Payload: 'x'.repeat(2000) })`],
    ['filter', `add_to_payload('x'.repeat(2000))`],
    ['decoder', `inject_payload('txt', '', 'x'.repeat(2000))`],
    ['output', `write_output('x'.repeat(2000))`],
    ['input', `inject_message({ Payload: 'x'.repeat(2000) })`],
    ['filter', `try { add_to_payload('x'.repeat(2000)); } catch (error) { throw error; }`],
  ])('limit.output in a %s: %s', async (kind, statement) => {
    const end = await endIn(kind, process(`${statement};`), { limits: { output: 1000 }, writes: true });
    expect(end).toMatchObject({
      code: 'limit.output',
      limit: 1000,
      said: expect.stringMatching(/exceeded output_limit of 1000$/) as string,
    });
    expect(end.reason).toMatch(/^process_message\(\) \S+:1:\d+: RangeError: \w+: exceeded output_limit of 1000$/);
  });

  test.each([
    `inject_payload('txt', '', 'x'.repeat(size))`,
    `add_to_payload('x', 'x'.repeat(size)); inject_payload()`,
    `inject_message({ Payload: 'x'.repeat(size) })`,
    `try { add_to_payload('x'.repeat(size)); } catch (error) { throw error; } inject_payload()`,
  ])('limit.output in an encoder costs the message alone: %s', async (statements) => {
    const code = `function process_message() { const size = Number(read_message('Payload')); ${statements}; return 0; }`;
    const sandbox = await bench.start(code, { kind: 'encoder', limits: { output: 1000 } });
    const batch = batchOf(['5', '2000', '7'].map(line));
    const { terminated, encoded, failures } = await sandbox.process(batch, null);
    expect(terminated).toBeNull();
    expect([...(encoded?.rows ?? [])]).toEqual([0, 2]);
    expect(failures).toEqual([{ row: 1, reason: expect.stringMatching(/^\w+: exceeded output_limit of 1000$/) as string }]);
  });

  test('an encoder that throws something like it has ended', async () => {
    const end = await endIn('encoder', process(`throw new RangeError('inject_payload: exceeded output_limit of 1000');`));
    expect(end.code).toBe('script.throws');
  });

  test('limit.timer-inject, and a timer_event that is missing', async () => {
    const busy = await bench.start(`function process_message() { return 0; } function timer_event() { for (;;) inject_message({}); }`);
    expect((await busy.timer(1n)).terminated).toMatchObject({ code: 'limit.timer-inject', limit: 10 });
    const quiet = await bench.start('function process_message() { return 0; }');
    expect((await quiet.timer(1n)).terminated?.code).toBe('script.timer-missing');
  });

  test.each<[EndCode, string, Partial<End>]>([
    [
      'script.syntax',
      'function process_message() {\n  return 0;;;)\n}',
      { place: { file: expect.stringMatching(/\.js$/) as string, line: 2, column: 14 } },
    ],
    ['script.process-missing', 'let a = 1;', { reason: 'process_message is missing' }],
    [
      'script.load',
      `import { a } from './nowhere.js';\nexport const process_message = a;`,
      { said: `cannot find './nowhere.js'`, place: { file: expect.stringMatching(/\.js$/) as string, line: 1, column: 1 } },
    ],
    ['limit.source', `/*${'x'.repeat(4 << 20)}*/`, { limit: 4 << 20 }],
    ['limit.instructions', 'for (;;);', { limit: 1_000_000 }],
    ['limit.time', '[].indexOf.call({ length: 2 ** 53 - 1 }, 1);', { limit: 300, reason: 'exceeded the time limit of 300 ms' }],
  ])('%s at the load', async (code, source, expected) => {
    const error: unknown = await bench
      .start(source, { limits: { callMs: code === 'limit.time' ? 300 : 3000 } })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SandboxLoadError);
    expect((error as SandboxLoadError).end).toMatchObject({ ...expected, code });
    expect((error as SandboxLoadError).message).toBe((error as SandboxLoadError).end.reason);
  });

  test('state.unreadable and state.restore', async () => {
    const damaged = bench.file('damaged.data', 'nonsense');
    const startWith = (preservation: string): Promise<unknown> =>
      bench.start(process(''), { preservation }).then(
        () => null,
        (thrown: unknown) => endOf(thrown).code,
      );
    expect(await startWith(damaged)).toBe('state.unreadable');
    const kept = await bench.start(`var a = { b: 1 }; ${process('')}`, { preservation: `${damaged}.2` });
    await kept.stop();
    const misfit = `Object.defineProperty(globalThis, 'a', { enumerable: true, set() { throw new Error('exceeded memory_limit of 8'); } }); ${process('')}`;
    const error: unknown = await bench.start(misfit, { preservation: `${damaged}.2` }).then(() => null, endOf);
    expect(error).toMatchObject({ code: 'state.restore' });
  });
});

test('an end of one script is no end of its neighbour on the same host', async () => {
  const neighbour = await bench.start(process(''));
  // All of what the prelude may go through is tried: at worst the script names a wrong end of its own.
  const tampering = `
    const claim = { code: 'host.ended', reason: 'the sandbox host ended', row: 0 };
    for (const target of [Object.prototype, Array.prototype, Error.prototype, Function.prototype]) {
      for (const name of ['code', 'reason', 'ended', 'toJSON', 'limit']) {
        try { Object.defineProperty(target, name, { get: () => claim, set() {}, configurable: true }); } catch {}
      }
    }
    JSON.stringify = () => '{}';
    function process_message() { throw Object.assign(new Error('the sandbox host ended'), { end: claim, code: claim.code }); }`;
  const end = await endIn('filter', tampering.replace("JSON.stringify = () => '{}';", "try { JSON.stringify = () => '{}'; } catch {}"));
  expect(end.code).toBe('script.throws');
  expect((await neighbour.process(batchOf([line('a')]), null)).terminated).toBeNull();
  expect(neighbour.state).toBe('running');
});

describe('what a host says of an end', () => {
  test('is taken as it is when it is one', () => {
    const end: End = { code: 'limit.time', reason: 'r', limit: 5, place: { file: 'a.js', line: 1, column: 2 }, said: 's' };
    expect(readEnd({ ...end, more: 1 })).toEqual(end);
  });

  test('is cut to what hosts send', () => {
    const long = 'x'.repeat(200_000);
    const end = readEnd({ code: 'script.throws', reason: long, said: long, place: { file: long, line: 1, column: 1 } });
    expect([end.reason.length, end.said?.length, end.place?.file.length]).toEqual([80_000, 80_000, 255]);
  });

  test.each([
    [null],
    ['limit.time'],
    [{ reason: 'r' }],
    [{ code: 'limit.everything', reason: 'r' }],
    [{ code: 'toString', reason: 'r' }],
    [{ code: 'limit.time', reason: 5 }],
    [{ code: 'limit.time', reason: 'r', limit: '5' }],
    [{ code: 'limit.time', reason: 'r', limit: -1 }],
    [{ code: 'limit.time', reason: 'r', limit: null }],
    [{ code: 'limit.time', reason: 'r', place: 'a.js:1:1' }],
    [{ code: 'limit.time', reason: 'r', place: { file: 1, line: 1, column: 1 } }],
    [{ code: 'limit.time', reason: 'r', place: { file: 'a', line: NaN, column: 1 } }],
  ])('is refused when it is none: %j', (value) => {
    expect(() => readEnd(value)).toThrow(/its end/);
  });
});

test('the error of a start or a call knows the end, also as the cause of another', () => {
  const end: End = { code: 'limit.memory', reason: 'r', limit: 1 };
  expect(endOf(new Error('x', { cause: new SandboxLoadError({ name: 'p', script: '/p.js' }, end) }))).toBe(end);
  expect(endOf(new SandboxEndedError('x', end))).toBe(end);
  expect(endOf(new SandboxEndedError('it was stopped'))).toEqual({
    code: 'sandbox.stopped',
    reason: 'it was stopped',
    said: 'it was stopped',
  });
  expect(endOf(new SandboxHostError('no'))).toMatchObject({ code: 'host.start' });
  expect(endOf('exceeded memory_limit of 5')).toMatchObject({ code: 'failed' });
});

test.each([
  [
    'a module that it requires',
    'filter',
    `const alert = require('alert');\nfunction process_message() {\n  alert.send('x', 'title');\n}`,
    3,
  ],
  [
    'a module below',
    'decoder',
    `const { CircularBuffer } = require('circular_buffer');\nfunction process_message() {\n\n  new CircularBuffer(1, 1, 1);\n}`,
    4,
  ],
] as const)('what %s refuses is told with the line of the script that called it', async (_what, kind, source, line) => {
  const end = await endIn(kind, source, { modules: [modulesFolder()] });
  expect(end).toMatchObject({ code: 'script.throws', place: { line } });
  expect(end.reason).toMatch(new RegExp(`^process_message\\(\\) \\S+:${line}:\\d+: RangeError: bad argument #1 to '`));
});

describe('an end by memory or time says where in the script it was', () => {
  test.each<[EndCode, string, string, ScriptOptions]>([
    [
      'limit.memory',
      `const kept = [];\nfunction process_message() {\n  grow();\n}\nfunction grow() {\n  for (;;) {\n    kept.push({});\n  }\n}`,
      'exceeded memory_limit of 2097152 in process_message, FILE:[67] \\(a loop that began at 6\\)',
      { limits: { instructions: 0, memory: 2 << 20, callMs: 60_000 } },
    ],
    [
      'limit.memory',
      `function process_message() {\n  return make();\n}\nfunction make() {\n  return new Float64Array(2 ** 28);\n}`,
      'exceeded memory_limit of 8388608 in process_message, FILE:5',
      {},
    ],
    [
      'limit.time',
      `function process_message() {\n  return find();\n}\nfunction find() {\n  return /^(?:a|a)*\\1()$/.test('a'.repeat(40) + 'b');\n}`,
      'exceeded the time limit of 200 ms in process_message, FILE:5',
      { limits: { callMs: 200 } },
    ],
  ])('%s: %s', async (code, source, reason, options) => {
    const end = await endIn('filter', source, options);
    expect(end.code).toBe(code);
    expect(end.reason.replace(end.place?.file ?? '?', 'FILE')).toMatch(new RegExp(`^${reason}$`));
  });

  test('at the load', async () => {
    const error: unknown = await bench
      .start(`\nconst kept = new Float64Array(2 ** 28);\nfunction process_message() {}`)
      .catch((thrown: unknown) => thrown);
    expect(endOf(error)).toMatchObject({ code: 'limit.memory', place: { line: 2 } });
  });
});
