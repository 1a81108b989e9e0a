import { afterAll, describe, expect, test } from 'vitest';
import { headerValues, type Field, type OptionalHeaders } from '../../../../../engine/message/types.ts';
import { newRowMessage, type RowField, type RowValue } from '../../../../../engine/sandbox/prelude/reading/row-message.ts';
import { encodedSize } from '../../../../../engine/sandbox/prelude/size.ts';
import { batchOf, line, message, messagesOf, number, SandboxBench, stable, text } from '../../harness.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

const columns = `const w = message_writer([
  { name: 'first', kind: 'slice' }, { name: 'word', kind: 'text', representation: 'u' }, { name: 'n', kind: 'number' } ]);
  const span = () => payload_span();`;

async function decode(body: string, lines: readonly string[]): Promise<ReturnType<typeof stable>> {
  const sandbox = await bench.start(
    `${columns} let row = 0; function process_message() { const { text, start, end } = span(); row++; ${body} }`,
    {
      kind: 'decoder',
    },
  );
  const result = await sandbox.process(batchOf(lines.map(line)), null);
  await sandbox.stop();
  return stable(result);
}

describe('message_writer', () => {
  test('fills columns', async () => {
    const { messages, origins } = await decode(
      `const at = text.indexOf(' ', start); w.slice(0, start, at); w.text(1, text.slice(at + 1, end)); w.number(2, end - start); w.inject(); return 0;`,
      ['a b', 'cc ü', 'd €'],
    );
    expect(origins).toBeNull();
    expect(messages).toEqual([
      { fields: [text('first', 'a'), { ...text('word', 'b'), representation: 'u' }, number('n', 3)] },
      { fields: [text('first', 'cc'), { ...text('word', 'ü'), representation: 'u' }, number('n', 4)] },
      { fields: [text('first', 'd'), { ...text('word', '€'), representation: 'u' }, number('n', 3)] },
    ]);
  });

  test('leaves out what is not set, keeps the order of the columns, and takes lists', async () => {
    const { messages } = await decode(
      `if (row === 1) w.number(2, 1);
       if (row === 2) { w.list(0, ['x', 'y']); w.list(2, [1, 2]); w.slice(0, start, end); }
       if (row === 3) { w.list(2, [NaN]); w.text(0, 'own'); }
       w.inject(); return 0;`,
      ['a', 'b', 'c', 'd'],
    );
    expect(messages).toEqual([
      { fields: [number('n', 1)] },
      { fields: [text('first', 'b'), number('n', 1, 2)] },
      { fields: [text('first', 'own'), number('n', NaN)] },
      { fields: [] },
    ]);
  });

  test('takes columns between others, of all kinds', async () => {
    const { messages } = await decode(
      `if (row === 2) { w.slice(0, start, end); w.addColumn({ name: 'yes', kind: 'bool' }, 1); w.bool(1, true); w.number(3, 1); }
       if (row === 3) { w.addColumn({ name: 'last', kind: 'number', representation: 's' }); w.number(4, 2); w.list(1, [false, true]); }
       if (row !== 2) w.text(row === 1 ? 1 : 2, 'x');
       w.inject(); return 0;`,
      ['a', 'b', 'c'],
    );
    const yes = (...values: boolean[]): Field => ({ name: 'yes', valueType: 4, values });
    const word = { ...text('word', 'x'), representation: 'u' };
    expect(messages).toEqual([
      { fields: [word] },
      { fields: [text('first', 'b'), yes(true), number('n', 1)] },
      { fields: [yes(false, true), word, { ...number('last', 2), representation: 's' }] },
    ]);
  });

  test('takes integers of 64 bits', async () => {
    const { messages } = await decode(
      `if (row === 1) { w.addColumn({ name: 'id', kind: 'integer', representation: 'x' }); w.integer(3, 9007199254740993n); }
       if (row === 2) w.number(2, 1);
       if (row === 3) w.integer(3, -(2n ** 63n));
       if (row === 4) w.list(3, [2n ** 63n - 1n, 0n]);
       if (row === 5) { w.integer(3, 7n); w.discard(); w.integer(3, 2n ** 70n); }
       w.inject(); return 0;`,
      ['a', 'b', 'c', 'd', 'e'],
    );
    const id = (...values: bigint[]): Field => ({ name: 'id', valueType: 2, representation: 'x', values });
    expect(messages.map(({ fields }) => fields)).toEqual([
      [id(9007199254740993n)],
      [number('n', 1)],
      [id(-(2n ** 63n))],
      [id(2n ** 63n - 1n, 0n)],
      [id(2n ** 63n - 1n)],
    ]);
  });

  test('writes headers', async () => {
    const { messages } = await decode(
      `w.type('t' + row); w.payloadSlice(start + 1, end); w.logger('l'); w.hostname('h'); w.severity(3); w.pid(7); w.inject();
       w.payload('own'); w.inject(); return 0;`,
      ['abc', 'de'],
    );
    const headers = { logger: 'l', hostname: 'h', severity: 3, pid: 7, fields: [] };
    expect(messages).toEqual([
      { ...headers, type: 't1', payload: 'bc' },
      { payload: 'own', fields: [] },
      { ...headers, type: 't2', payload: 'e' },
      { payload: 'own', fields: [] },
    ]);
  });

  test('writes times exactly', async () => {
    const sandbox = await bench.start(
      `const w = message_writer([]); const times = [0, 1614946079123456789n, -5n, 1614946079000000000, 4294967296, -4294967297, 1.9];
       let row = 0; function process_message() { w.timestamp(times[row++]); w.inject(); return 0; }`,
      { kind: 'decoder' },
    );
    const result = await sandbox.process(batchOf(Array.from({ length: 7 }, () => message())), null);
    expect([...(result.injected?.timestamps ?? [])]).toEqual([
      0n,
      1614946079123456789n,
      -5n,
      1614946079000000000n,
      4294967296n,
      -4294967297n,
      1n,
    ]);
  });

  test('forgets what was not injected', async () => {
    const { messages, failures } = await decode(
      `w.slice(0, start, end); w.type('t');
       if (row === 1) return 0;
       if (row === 2) { w.discard(); w.number(2, 5); w.inject(); return 0; }
       if (row === 3) return [-1, 'no'];
       if (row === 4) { w.inject(); return [-1, 'after']; }
       w.inject(); return 0;`,
      ['a', 'b', 'c', 'd', 'e'],
    );
    expect(messages).toEqual([{ payload: 'a', fields: [] }, { fields: [number('n', 5)] }, { type: 't', fields: [text('first', 'e')] }]);
    expect(failures).toEqual([
      { row: 2, reason: 'no' },
      { row: 3, reason: 'after' },
    ]);
  });

  test('works beside inject_message and other writers', async () => {
    const { messages } = await decode(
      `if (row === 1) { inject_message({ Fields: { t: 1 } }); w.number(2, 1); w.inject(); }
       if (row === 2) { other.text(0, 'o'); other.inject(); inject_message({ Fields: { t: 2 } }); }
       return 0; }
       const other = message_writer([{ name: 'o', kind: 'text' }]); {`,
      ['a', 'b', 'c'],
    );
    expect(messages).toEqual([
      { fields: [number('t', 1)] },
      { fields: [number('n', 1)] },
      { fields: [text('o', 'o')] },
      { fields: [number('t', 2)] },
      { payload: 'c', fields: [] },
    ]);
  });

  test('takes pieces of a payload that was written', async () => {
    const { messages } = await decode(
      `write_message('Payload', 'xyz'); const p = span(); w.slice(0, p.start + 1, p.end); w.inject(); return 0;`,
      ['a', 'b'],
    );
    expect(messages.map(({ fields }) => fields)).toEqual([[text('first', 'yz')], [text('first', 'yz')]]);
  });

  test('grows over thousands of messages and several batches', async () => {
    const sandbox = await bench.start(
      `${columns} function process_message() { const { text, start, end } = span(); w.slice(0, start, end); w.number(2, +text.slice(start, end)); w.inject(); return 0; }`,
      { kind: 'decoder' },
    );
    for (const size of [5000, 10, 3000]) {
      const result = await sandbox.process(batchOf(Array.from({ length: size }, (_, i) => line(String(i)))), null);
      const all = messagesOf(result);
      expect(all.length).toBe(size);
      expect(all.at(-1)?.fields).toEqual([text('first', String(size - 1)), number('n', size - 1)]);
    }
  });

  test('refuses wrong use', async () => {
    const values = await bench.evaluate('decoder', line('abc'), [
      `message_writer(5)`,
      `message_writer([{ kind: 'text' }])`,
      `message_writer([{ name: 'a', kind: 'x' }])`,
      ...[
        `slice(0, 0, 4)`,
        `slice(0, -1, 2)`,
        `slice(0, 2, 1)`,
        `slice(9, 0, 1)`,
        `slice('push', 0, 1)`,
        `text(0, 5)`,
        `number(0, 1)`,
        `list(0, [])`,
        `list(0, [1])`,
      ].map((call) => `(payload_span(), message_writer([{ name: 'a', kind: 'slice' }]).${call})`),
      `message_writer([]).timestamp('x')`,
      `message_writer([]).type(5)`,
      `message_writer([]).logger(5)`,
      `message_writer([{ name: 'a', kind: 'bool' }]).bool(0, 1)`,
      `message_writer([{ name: 'a', kind: 'bool' }]).number(0, 1)`,
      `message_writer([{ name: 'a', kind: 'integer' }]).integer(0, 1)`,
      `message_writer([{ name: 'a', kind: 'integer' }]).list(0, [1])`,
      `message_writer([{ name: 'a', kind: 'number' }]).integer(0, 1n)`,
      `message_writer([]).addColumn({ name: 'a', kind: 'text' }, 1)`,
      `message_writer([]).addColumn({ name: 'a', kind: 'text' }, -1)`,
      `message_writer([]).addColumn({ name: 'a', kind: 'toString' })`,
      `message_writer([]).addColumn()`,
    ]);
    expect(values.map((value) => typeof (value as { error?: string } | null)?.error)).toEqual(values.map(() => 'string'));
  });
});

describe('compile_function', () => {
  test('makes functions that see their scope and count their steps', async () => {
    const sandbox = await bench.start(
      `const add = compile_function(['a', 'b'], 'let sum = base; for (let i = 0; i < b; i++) sum += a; return sum;', { base: 100 });
       function process_message() { return [-1, String(add(2, read_message('Fields[n]')))]; }`,
      { limits: { instructions: 1000 } },
    );
    const result = await sandbox.process(batchOf([message({ fields: [number('n', 5)] }), message({ fields: [number('n', 5000)] })]), null);
    expect(result.failures).toEqual([{ row: 0, reason: '110' }]);
    expect(result.terminated).toMatchObject({ code: 'limit.instructions', limit: 1000, row: 1 });
  });

  test('makes them in calls, too, and counts their steps', async () => {
    const sandbox = await bench.start(
      `let sum = null;
       function process_message() {
         sum ??= compile_function(['n'], 'let s = 0; for (let i = 0; i < n; i++) s += i; return s;');
         return [-1, String(sum(read_message('Fields[n]')))];
       }`,
      { limits: { instructions: 1000 } },
    );
    const rows = [5, 6, 5000].map((n) => message({ fields: [number('n', n)] }));
    const result = await sandbox.process(batchOf(rows), null);
    expect(result.failures).toEqual([
      { row: 0, reason: '10' },
      { row: 1, reason: '15' },
    ]);
    expect(result.terminated).toMatchObject({ code: 'limit.instructions', limit: 1000, row: 2 });
  });

  test('ends a script that compiles without end', async () => {
    const sandbox = await bench.start(
      `function process_message() { for (;;) compile_function([], '/*' + 'x'.repeat(100000) + '*/ return 1'); }`,
    );
    expect((await sandbox.process(batchOf([message()]), null)).terminated?.reason).toMatch(
      /compile_function: more than 1048576 characters in all/,
    );
  });

  test('only from texts', async () => {
    for (const call of [
      `compile_function(['a b'], '')`,
      `compile_function([], 5)`,
      `compile_function([], 'return $__n')`,
      `compile_function([], '}')`,
    ]) {
      await expect(bench.start(`${call}; function process_message() {}`)).rejects.toThrow();
    }
  });

  test('names the place of an error in the compiled text', async () => {
    const sandbox = await bench.start(`const f = compile_function(['a'], 'a;\\n  return a.b.c;'); function process_message() { f({}); }`);
    expect((await sandbox.process(batchOf([message()]), null)).terminated?.reason).toMatch(/compiled-1:3:14: TypeError/);
  });
});

describe('the limit of output', () => {
  /** Injects what it is told by a writer and as a table, and says what each brought. */
  const source = `
    const w = message_writer([{ name: 'slice', kind: 'slice', representation: 'é' }, { name: 'ä', kind: 'text' }, { name: 'n', kind: 'number' }]);
    const attempt = (act) => { try { act(); return 'taken'; } catch (error) { w.discard(); return error.message; } };
    function process_message() {
      const { text, start, end } = payload_span();
      const piece = text.slice(start, end);
      const list = ['ß', piece];
      const one = attempt(() => {
        w.slice(0, start, end); w.text(1, piece); w.number(2, 1); w.type('€'); w.payloadSlice(start, end); w.timestamp(5e9); w.pid(-1); w.inject();
      });
      const Fields = { slice: { value: piece, representation: 'é' }, ä: piece, n: 1 };
      const two = attempt(() => inject_message({ Timestamp: 5e9, Type: '€', Payload: piece, Pid: -1, Fields }));
      const three = attempt(() => { w.list(1, list); w.list(2, [1, 2, 3]); w.timestamp(-1); w.payload(piece); w.inject(); });
      const four = attempt(() => inject_message({ Timestamp: -1, Payload: piece, Fields: { ä: list, n: [1, 2, 3] } }));
      return [-1, JSON.stringify([one, two, three, four])];
    }`;

  test.each(['a'.repeat(400), 'é'.repeat(300), '€'.repeat(200), '😀'.repeat(150), `${'x'.repeat(1500)}é`, '\ud800'.repeat(200)])(
    'is the same for a writer as for a table: %#',
    async (payload) => {
      const columns = (fields: RowField[], timestamp: bigint, more: OptionalHeaders): number =>
        encodedSize({ ...newRowMessage(timestamp), headers: headerValues({ payload, ...more }), fields });
      const own = (name: string, type: number, values: RowValue[], representation: string | null = null) => ({
        name,
        type,
        values,
        representation,
      });
      const first = columns([own('slice', 0, [payload], 'é'), own('ä', 0, [payload]), own('n', 3, [1])], 5_000_000_000n, {
        type: '€',
        pid: -1,
      });
      const second = columns([own('ä', 0, ['ß', payload]), own('n', 3, [1, 2, 3])], -1n, {});
      for (const [limit, taken] of [
        [first, 2],
        [first + 1, 4],
        [second, 0],
        [second + 1, 2],
      ] as const) {
        const sandbox = await bench.start(source, { kind: 'decoder', limits: { output: limit } });
        const { failures } = await sandbox.process(batchOf([line(payload)]), null);
        await sandbox.stop();
        const refused = `exceeded output_limit of ${limit}`;
        const outcomes = (JSON.parse(failures[0]?.reason ?? '[]') as string[]).map((outcome) => outcome.replace(/^.*: /, ''));
        const kinds = [taken > 2, taken > 2, taken > 0, taken > 0].map((fits) => (fits ? 'taken' : refused));
        expect(outcomes).toEqual(kinds);
      }
    },
  );
});

test('a piece of the payload stays what it was when the payload is written to', async () => {
  const { messages } = await decode(
    `w.payloadSlice(start, start + 2); write_message('Payload', 'other'); payload_span(); w.inject(); return 0;`,
    ['abc', 'def'],
  );
  expect(messages.map(({ payload }) => payload)).toEqual(['ab', 'de']);
});
