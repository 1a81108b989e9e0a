import { afterAll, describe, expect, test } from 'vitest';
import type { Field } from '../../../../../engine/message/types.ts';
import type { SandboxResult } from '../../../../../engine/sandbox/contract/types.ts';
import { batchOf, line, message, messagesOf, number, SandboxBench, stable, text } from '../../harness.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

/** Messages that a filter injects when it evaluates this code. */
async function injected(code: string): Promise<ReturnType<typeof stable>> {
  const sandbox = await bench.start(`function process_message() { ${code}; return 0; }`, { name: 'WebStatus' });
  const result = await sandbox.process(batchOf([message()]), null);
  await sandbox.stop();
  return stable(result);
}

const bytes = (name: string, ...values: number[][]): Field => ({ name, valueType: 1, values: values.map((list) => Uint8Array.from(list)) });

describe('inject_message', () => {
  const fields: readonly (readonly [fields: string, expected: Field[]])[] = [
    [`{ status: 200 }`, [number('status', 200)]],
    [`{ tag: 'a', ok: true }`, [text('tag', 'a'), { name: 'ok', valueType: 4, values: [true] }]],
    [`{ sizes: [5, 300] }`, [number('sizes', 5, 300)]],
    [
      `{ sizes: { value: [5, 300], value_type: 2, representation: 'B' } }`,
      [{ name: 'sizes', valueType: 2, representation: 'B', values: [5n, 300n] }],
    ],
    [`{ blob: { value: '\\0\\x01', value_type: 1 } }`, [bytes('blob', [0, 1])]],
    [`{ blob: new Uint8Array([1, 255]) }`, [bytes('blob', [1, 255])]],
    [`{ blob: { value: ['a', 'é'], value_type: 1 } }`, [bytes('blob', [97], [195, 169])]],
    [`{ d: { value: 1.9, value_type: 2 } }`, [{ name: 'd', valueType: 2, values: [1n] }]],
    [`{ d: { value: -1.9, value_type: 2 } }`, [{ name: 'd', valueType: 2, values: [-1n] }]],
    [`{ d: 12345678901234567890n }`, [{ name: 'd', valueType: 2, values: [9223372036854775807n] }]],
    [`{ d: { value: 5n, value_type: 3 } }`, [number('d', 5)]],
    [`{ d: { value: NaN } }`, [number('d', NaN)]],
    [`{ a: undefined, b: null, c: 1 }`, [number('c', 1)]],
    [`{ graph: { toPayload: () => 'é' } }`, [bytes('graph', [195, 169])]],
    [`{ r: { value: 1, representation: 5 } }`, [{ ...number('r', 1), representation: '5' }]],
    [`{ r: { value: 1, representation: {} } }`, [number('r', 1)]],
    [
      `[{ name: 'n', value: 1 }, { name: 'n', value: ['x'], representation: '' }]`,
      [number('n', 1), { ...text('n', 'x'), representation: '' }],
    ],
    [`[{ name: 'n', value: 1 }, , { name: 'm', value: 1 }]`, [number('n', 1)]],
    [`[]`, []],
    [`{}`, []],
    [`5`, []],
  ];

  test.each(fields)('takes the fields %s', async (source, expected) => {
    const { messages, terminated } = await injected(`inject_message({ Fields: ${source} })`);
    expect(terminated).toBeNull();
    expect(messages).toEqual([{ type: 'svc.sandbox.', logger: 'WebStatus', hostname: 'box1', fields: expected }]);
  });

  test.each([
    `{ bad: [1, 'x'] }`,
    `{ bad: [] }`,
    `{ bad: {} }`,
    `{ bad: { value: 'x', value_type: 3 } }`,
    `{ bad: { value: 1, value_type: 0 } }`,
    `{ bad: { value: true, value_type: 3 } }`,
    `{ bad: { value: 1, value_type: 9 } }`,
    `{ bad: { value: 1, value_type: '2' } }`,
    `{ bad: [[1]] }`,
    `{ bad: [{}] }`,
    `{ bad: { value: [] } }`,
    `{ bad: { value: {} } }`,
    `{ bad: () => 1 }`,
    `{ bad: Symbol() }`,
    `[{ value: 1 }]`,
    `[{ name: 5, value: 1 }]`,
    `[1]`,
  ])('refuses the fields %s', async (source) => {
    const { messages, terminated } = await injected(`inject_message({ Fields: ${source} })`);
    expect(messages).toEqual([]);
    expect(terminated?.reason).toMatch(/^process_message\(\) \S+\.js:1:\d+: TypeError: inject_message: /);
  });

  test('takes headers of the right type', async () => {
    const { messages } = await injected(
      `inject_message({ Type: 5, Logger: 'l', Hostname: 'h', Payload: 'p', EnvVersion: '1', Severity: '3', Pid: 7.9, Bogus: 1 })`,
    );
    const headers = { type: 'svc.sandbox.5', logger: 'WebStatus', hostname: 'box1', payload: 'p', envVersion: '1', severity: 3, pid: 7 };
    expect(messages).toEqual([{ ...headers, fields: [] }]);
  });

  test('leaves headers of the wrong type out', async () => {
    const { messages } = await injected(`inject_message({ Type: {}, Payload: true, Severity: 'x', Pid: null })`);
    expect(messages).toEqual([{ type: 'svc.sandbox.', logger: 'WebStatus', hostname: 'box1', fields: [] }]);
  });

  test('keeps a time and a raw uuid', async () => {
    const run = async (table: string): Promise<readonly [bigint, number | undefined]> => {
      const sandbox = await bench.start(`function process_message() { inject_message(${table}); return 0; }`);
      const [out] = messagesOf(await sandbox.process(batchOf([message()]), null));
      return [out?.timestamp ?? -1n, out?.uuid[0]];
    };
    expect((await run(`{ Timestamp: 1614946079000000000, Uuid: new Uint8Array(16).fill(9) }`)).join()).toBe('1614946079000000000,9');
    expect((await run(`{ Timestamp: 123456789012345679n, Uuid: 'ABCDEFGHIJKLMNOP' }`)).join()).toBe('123456789012345679,65');
    expect((await run(`{ Timestamp: '123456789012345679' }`))[0]).toBe(123456789012345679n);
    const before = BigInt(Date.now()) * 1_000_000n;
    for (const odd of ['true', 'undefined', 'NaN', `'yesterday'`, `''`, `'2021-03-05T13:07:59Z'`]) {
      expect((await run(`{ Timestamp: ${odd} }`))[0]).toBeGreaterThanOrEqual(before);
    }
  });

  test.each<[string, string | null]>([
    [`inject_message({ payload: 'x' })`, 'inject_message: there is no header payload, and it is left out; Payload is meant'],
    [
      `inject_message({ user: 'x' })`,
      'inject_message: there is no header user, and it is left out; what is not a header belongs into Fields',
    ],
    [`inject_message({ Fields: 'x' })`, 'inject_message: Fields takes an object or a list, not string; there are no fields'],
    [`inject_message({ Timestamp: true })`, 'inject_message: Timestamp takes nanoseconds, not boolean; it becomes the time of now'],
    [`inject_message({ Timestamp: NaN })`, 'inject_message: Timestamp takes nanoseconds, not number; it becomes the time of now'],
    [
      `inject_message({ Timestamp: 'yesterday' })`,
      'inject_message: Timestamp takes nanoseconds, not the text yesterday; it becomes the time of now',
    ],
    [`inject_message({ Pid: 4294967297 })`, 'inject_message: Pid of 4294967297 is cut to 32 bits: it becomes 1'],
    [`inject_message({ Severity: 'high' })`, 'inject_message: Severity takes a number, and is left out'],
    [`inject_message({ Payload: {} })`, 'inject_message: Payload takes a text, not object, and is left out'],
    [`inject_message({ Uuid: 'x' })`, 'inject_message: Uuid takes 16 bytes; another one is made'],
    [`inject_payload()`, 'inject_payload: the payload is empty, so nothing is injected'],
    [`inject_message({ Type: 't', Payload: 5, Pid: '7', Severity: 3, Timestamp: 1n, Fields: { a: 1 }, Logger: null })`, null],
  ])('of a script that is tried, what passes in silence is noted: %s', async (statement, hint) => {
    const source = `function process_message() { ${statement}; return 0; }`;
    const sandbox = await bench.start(source, { kind: 'decoder', profile: true });
    await sandbox.process(batchOf([message(), message()]), null);
    expect((await sandbox.report()).hints).toEqual(hint === null ? undefined : [hint]);
    await sandbox.stop();
    const running = await bench.start(source, { kind: 'decoder' });
    await running.process(batchOf([message()]), null);
    expect((await running.report()).hints).toBeUndefined();
    await running.stop();
  });

  test('takes what decode_message gives, and bytes', async () => {
    const input = message({ type: 'demo', payload: 'é', fields: [text('a', 'x', 'y'), number('n', 1.5)] });
    const sandbox = await bench.start(
      `let n = 0;
       function process_message() {
         const raw = read_message('raw');
         inject_message(n++ === 0 ? decode_message(raw) : n === 2 ? raw : String.fromCharCode(...raw));
         inject_message('');
         return 0;
       }`,
    );
    const out = messagesOf(await sandbox.process(batchOf([input, input, input]), null));
    expect(out).toHaveLength(3);
    for (const one of out) expect(one).toEqual({ ...input, type: 'svc.sandbox.demo', logger: 'test', hostname: 'box1' });
  });

  const head = `0a10${'00'.repeat(16)}1001`;
  test.each<[what: string, hex: string, fields: Field[]]>([
    ['headers that it does not know', '600162016d', []],
    ['a header in another form', '1801', []],
    ['what a field does not have', '52080a01614801220162', [text('a', 'b')]],
    ['a type of values that there is not', '52080a01611009220162', [text('a', 'b')]],
    ['integers with all their digits', '520e0a01611002308180808080808010', [{ name: 'a', valueType: 2, values: [2n ** 53n + 1n] }]],
  ])('takes bytes as inputs do: %s', async (_what, hex, fields) => {
    const bytes = [...Buffer.from(head + hex, 'hex')].join();
    const sandbox = await bench.start(`function process_message() { inject_message(new Uint8Array([${bytes}])); return 0; }`);
    const result = await sandbox.process(batchOf([message()]), null);
    expect(result.terminated).toBeNull();
    expect(messagesOf(result)[0]?.fields).toEqual(fields);
  });

  test('takes null for an argument that is not given', async () => {
    const { messages } = await injected(`inject_payload(null, null, 'x')`);
    expect(messages).toMatchObject([{ payload: 'x', fields: [{ values: ['txt'] }, { values: [''] }] }]);
  });

  test('refuses other arguments', async () => {
    const values = await bench.evaluate('filter', message(), [
      'inject_message()',
      'inject_message({}, {})',
      'inject_message(5)',
      'inject_message(null)',
      `inject_message('x')`,
      `inject_message('\\u0100')`,
      `inject_message(new Uint8Array(30))`,
    ]);
    expect(values.map((value) => typeof (value as { error?: string }).error)).toEqual(values.map(() => 'string'));
  });

  test('takes the bytes of a message only when they are one', async () => {
    const values = await bench.evaluate('output', message(), [
      `decode_message()`,
      `decode_message('x', 'y')`,
      `decode_message(5)`,
      `decode_message('short')`,
      `decode_message('\\n\\x0f' + '0'.repeat(15) + '\\x10\\x01   ')`,
      `decode_message('\\n\\x10' + '0'.repeat(16) + '\\x10\\x01\\x60\\x01')`,
      `decode_message('\\n\\x10' + '0'.repeat(16) + '\\x1a\\x01a')`,
      `decode_message('\\n\\x10' + '0'.repeat(16) + '\\x10\\x01\\x1a\\x05a')`,
      `decode_message('\\n\\x10' + '0'.repeat(16) + '\\x11\\x01')`,
      `decode_message('\\n\\x10' + '0'.repeat(16) + '\\x10' + '\\xff'.repeat(11))`,
      `decode_message('\\n\\x10' + '0'.repeat(16) + '\\x10\\x01')`,
    ]);
    expect(values.slice(0, -1).every((value) => typeof (value as { error?: string }).error === 'string')).toBe(true);
    expect(values.at(-1)).toEqual({ Uuid: { bytes: Array.from({ length: 16 }, () => 48) }, Timestamp: 1 });
  });
});

describe('inject_payload', () => {
  const payload = (type: string, name: string): Field[] => [
    { ...text('payload_type', type), representation: 'file-extension' },
    { ...text('payload_name', name), representation: '' },
  ];
  const base = { type: 'svc.sandbox-output', logger: 'WebStatus', hostname: 'box1', pid: 42 };

  test.each([
    [
      `add_to_payload('a=', 1.25); inject_payload('csv', 'daily', '\\n')`,
      [{ ...base, payload: 'a=1.25\n', fields: payload('csv', 'daily') }],
    ],
    [`inject_payload(undefined, undefined, 'x')`, [{ ...base, payload: 'x', fields: payload('txt', '') }]],
    [`inject_payload('', '', true, null, undefined, 5n, 'ü\\0')`, [{ ...base, payload: 'truenilnil5ü\0', fields: payload('txt', '') }]],
    [`inject_payload('txt', 'g', { toPayload: () => 'graph' })`, [{ ...base, payload: 'graph', fields: payload('txt', 'g') }]],
    [`inject_payload('txt', 'empty')`, []],
    [
      `add_to_payload('lost'); inject_message({ Payload: 'x' })`,
      [{ type: 'svc.sandbox.', logger: 'WebStatus', hostname: 'box1', payload: 'x', fields: [] }],
    ],
  ])('%s', async (code, expected) => {
    const { messages, terminated } = await injected(code);
    expect([terminated, messages]).toEqual([null, expected]);
  });

  test('keeps the buffer between calls', async () => {
    const sandbox = await bench.start(
      `let n = 0; function process_message() { add_to_payload(n++, ' '); if (n === 3) inject_payload(); return 0; }`,
    );
    const result = await sandbox.process(batchOf([line('a'), line('b'), line('c'), line('d')]), null);
    expect(messagesOf(result).map(({ payload: written }) => written)).toEqual(['0 1 2 ']);
    expect([...(result.origins ?? [])]).toEqual([2]);
  });

  test('refuses other arguments', async () => {
    const values = await bench.evaluate('filter', message(), [
      'inject_payload(5)',
      `inject_payload('txt', 5)`,
      `inject_payload('txt', 'n', {})`,
      'add_to_payload()',
      'add_to_payload({})',
      'add_to_payload(() => 1)',
      `add_to_payload({ toPayload: () => 5 })`,
    ]);
    expect(values.map((value) => typeof (value as { error?: string }).error)).toEqual(values.map(() => 'string'));
  });

  test('ends the sandbox when a message too many is injected, also when it catches', async () => {
    const { messages, terminated } = await injected(
      `try { inject_payload('txt', '', 'one'); inject_payload('txt', '', 'two'); } catch {} finally { inject_message({}) }`,
    );
    expect(messages.map(({ payload: written }) => written)).toEqual(['one']);
    expect(terminated).toEqual({
      ...{ code: 'limit.process-inject', limit: 1, row: 0 },
      reason: expect.stringMatching(/^inject_payload: exceeded max_process_inject of 1 in process_message, .*\.js:1$/) as string,
      place: expect.objectContaining({ line: 1 }) as object,
    });
  });
});

describe('output_limit', () => {
  test('leaves what was appended in the buffer', async () => {
    const sandbox = await bench.start(
      `function process_message() {
         let error = '';
         try { add_to_payload('12345', 'é234'); } catch (e) { error = e.message; }
         inject_payload('txt', error);
         return 0;
       }`,
      { limits: { output: 10 } },
    );
    const [out] = messagesOf(await sandbox.process(batchOf([message()]), null));
    expect([out?.payload, out?.fields[1]?.values[0]]).toEqual(['12345', 'add_to_payload: exceeded output_limit of 10']);
  });

  test.each([
    [`add_to_payload('x'.repeat(64511))`, null],
    [`add_to_payload('x'.repeat(64512))`, 'exceeded output_limit of 64512'],
    [`inject_message({ Payload: 'x'.repeat(70000) })`, 'exceeded output_limit of 64512'],
  ])('%s', async (code, reason) => {
    const { terminated } = await injected(code);
    if (reason === null) expect(terminated).toBeNull();
    else expect(terminated?.reason).toContain(reason);
  });

  test('of 0 is none', async () => {
    const sandbox = await bench.start(`function process_message() { inject_message({ Payload: 'x'.repeat(200000) }); return 0; }`, {
      limits: { output: 0 },
    });
    const [out] = messagesOf(await sandbox.process(batchOf([message()]), null));
    expect(out?.payload).toHaveLength(200000);
  });
});

describe('a decoder', () => {
  const source = message({
    type: 'raw',
    logger: 'file',
    hostname: 'web1',
    severity: 5,
    pid: 9,
    envVersion: '1',
    payload: 'p',
    fields: [text('s', '1')],
  });

  async function decoded(code: string): Promise<ReturnType<typeof stable>> {
    const sandbox = await bench.start(`let n = 0; function process_message() { ${code} }`, { kind: 'decoder' });
    const result = await sandbox.process(batchOf([source, source]), null);
    await sandbox.stop();
    return stable(result);
  }
  const { uuid: _uuid, timestamp: _timestamp, ...plain } = source;
  const headers = { type: 'raw', logger: 'file', hostname: 'web1', severity: 5, pid: 9 };

  test('passes on what it does not replace', async () => {
    expect(await decoded('return 0')).toEqual({
      messages: [plain, plain],
      unchanged: Uint32Array.of(0, 1),
      origins: null,
      failures: [],
      terminated: null,
    });
  });

  test('fills the headers of what it injects', async () => {
    const { messages, origins } = await decoded(`inject_message({ Payload: 'x' }); inject_message({ Type: 't', Pid: 1 }); return 0`);
    const both = [
      { ...headers, payload: 'x', fields: [] },
      { ...headers, type: 't', pid: 1, fields: [] },
    ];
    expect(messages).toEqual([...both, ...both]);
    expect(origins).toEqual(Uint32Array.of(0, 0, 1, 1));
  });

  test('fills them from what it wrote', async () => {
    const { messages } = await decoded(`write_message('Type', 'w'); inject_message({ Payload: 'x' }); return 0`);
    expect(messages[0]).toEqual({ ...headers, type: 'w', payload: 'x', fields: [] });
  });

  test('mixes both in order', async () => {
    const { messages, origins, unchanged } = await decoded(`if (n++ === 0) return 0; inject_message({ Payload: 'x' }); return 0`);
    expect(unchanged).toEqual(Uint32Array.of(0));
    expect(messages).toEqual([plain, { ...headers, payload: 'x', fields: [] }]);
    expect(origins === null ? null : [...origins]).toBeNull();
  });

  test('discards what a failed record injected', async () => {
    const { messages, failures, origins } = await decoded(
      `inject_message({ Payload: 'x' }); inject_message({ Payload: 'y' }); if (n++ === 0) return [-1, 'bad line']; return 0`,
    );
    expect(messages.map(({ payload }) => payload)).toEqual(['x', 'y']);
    expect([...(origins ?? [])]).toEqual([1, 1]);
    expect(failures).toEqual([{ row: 0, reason: 'bad line' }]);
  });

  test('takes back what a failed record added to the payload', async () => {
    const { messages } = await decoded(`add_to_payload('text ' + n); if (n++ === 0) return [-1, 'bad line']; inject_payload(); return 0`);
    expect(messages.map(({ payload }) => payload)).toEqual(['text 1']);
  });

  test('injects payloads into the message itself, then into copies of its headers', async () => {
    const { messages } = await decoded(`inject_payload('txt', 'a', 'one'); inject_payload('txt', 'b', 'two'); return 0`);
    const fieldsOf = (name: string): Field[] => [
      { ...text('payload_type', 'txt'), representation: 'file-extension' },
      { ...text('payload_name', name), representation: '' },
    ];
    expect(messages.slice(0, 2)).toEqual([
      { ...plain, payload: 'one', fields: [...plain.fields, ...fieldsOf('a')] },
      { ...headers, payload: 'two', fields: fieldsOf('b') },
    ]);
  });

  test('keeps the uuid and time of what it passes on', async () => {
    const sandbox = await bench.start(`function process_message() { write_message('Fields[x]', 1); return 0; }`, { kind: 'decoder' });
    expect(messagesOf(await sandbox.process(batchOf([source]), null))).toEqual([
      { ...source, fields: [...source.fields, { ...number('x', 1), representation: '' }] },
    ]);
  });
});

describe('the time of what is injected without one', () => {
  const times = [1_600_000_000_123_456_789n, 5n, 1_600_000_000_000_000_000n];
  const rows = batchOf(times.map((timestamp) => message({ timestamp })));

  test.each([
    ['inject_message', `inject_message({})`],
    ['inject_payload', `inject_payload('txt', '', 'x')`],
  ])('by %s is that of the message at work or of the tick, on the clock of the messages', async (_function, code) => {
    const source = `function process_message() { ${code}; return 0; } function timer_event() { ${code}; }`;
    const sandbox = await bench.start(source, { clock: 'message' });
    expect(messagesOf(await sandbox.process(rows, null)).map(({ timestamp }) => timestamp)).toEqual(times);
    expect(messagesOf(await sandbox.process(rows, Uint32Array.of(1)))[0]?.timestamp).toBe(5n);
    expect(messagesOf(await sandbox.timer(1_600_000_000_123_456_789n))[0]?.timestamp).toBe(1_600_000_000_123_456_789n);
  });

  test('is that of the machine otherwise', async () => {
    const source = `function process_message() { inject_message({}); return 0; }`;
    const started = BigInt(Date.now()) * 1_000_000n;
    for (const options of [{}, { clock: 'wall' }, { clock: 'message', kind: 'decoder' }] as const) {
      const sandbox = await bench.start(source, options);
      const [first] = messagesOf(await sandbox.process(rows, null));
      expect(first?.timestamp).toBeGreaterThanOrEqual(started);
    }
  });

  test('follows a change of the clock, also at the next host', async () => {
    const source = `function process_message() { inject_message({}); return 0; } function timer_event() { inject_message({}); }`;
    const sandbox = await bench.start(source);
    const timesOf = async (result: Promise<SandboxResult>) => messagesOf(await result).map(({ timestamp }) => timestamp);
    const first = timesOf(sandbox.process(rows, Uint32Array.of(1)));
    sandbox.useClock?.('message');
    expect(await timesOf(sandbox.process(rows, Uint32Array.of(1)))).toEqual([5n]);
    expect((await first)[0]).toBeGreaterThan(1_600_000_000_000_000_000n);
    expect(await timesOf(sandbox.timer(7n))).toEqual([7n]);
    for (const pid of bench.pool.hostPids) process.kill(pid, 'SIGKILL');
    expect(await timesOf(sandbox.process(rows, Uint32Array.of(1)))).toEqual([5n]);
  });

  test('is the one that an encoder has written', async () => {
    const source = `function process_message() { write_message('Timestamp', 77); inject_message({ Payload: 'p' }); return 0; }`;
    const sandbox = await bench.start(source, { clock: 'message', kind: 'encoder' });
    const { encoded } = await sandbox.process(rows, Uint32Array.of(0));
    // Field 2, a varint.
    expect([...(encoded?.bytes ?? [])].slice(18, 20)).toEqual([0x10, 77]);
  });
});
