/** Messages of any fields: the same as tables, in the sandbox. */
import fc from 'fast-check';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { SandboxBench, batchOf, line, stable } from '../../engine/sandbox/harness.ts';
import { PLUGINS } from '../support/sandbox.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

const SOURCE = (inject: string): string => `
  import { TableWriter } from 'table_writer';
  const writer = new TableWriter();
  export function process_message() {
    const { text, start, end } = payload_span();
    const message = JSON.parse(text.slice(start, end));
    if (message.Timestamp !== undefined) message.Timestamp = BigInt(message.Timestamp);
    for (const field of message.Fields ?? []) {
      if (field.value?.integer !== undefined) field.value = BigInt(field.value.integer);
      else if (field.value?.integers !== undefined) field.value = field.value.integers.map(BigInt);
    }
    return ${inject};
  }`;
const TABLE = `(() => { try { inject_message(message); return 0; } catch (error) { return [-1, error.message]; } })()`;

/** As JSON can have them. */
const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const scalar = fc.oneof(fc.string({ maxLength: 9 }), finite, fc.boolean(), fc.constantFrom('name', 'a', '"', '__proto__'));
const integers = fc.constant({ integers: ['9007199254740993', '-1'] });
const integer = fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map((value) => ({ integer: String(value) }));
const list = fc.oneof(fc.array(fc.string({ maxLength: 3 }), { maxLength: 3 }), fc.array(finite, { maxLength: 3 }), fc.array(fc.boolean()));
const field = fc.record(
  {
    name: fc.oneof(fc.constantFrom('a', 'b', 'c', 'd', '__proto__', ''), fc.string({ maxLength: 4 })),
    value: fc.oneof({ weight: 5, arbitrary: scalar }, list, integer, integers, fc.array(scalar, { minLength: 2, maxLength: 3 })),
    representation: fc.constantFrom('', 's', 'ipv4'),
  },
  { requiredKeys: ['name', 'value'] },
);
const text = fc.string({ maxLength: 9 });
const message = fc.record(
  {
    ...{ Timestamp: fc.bigInt({ min: 0n, max: 2n ** 63n }).map(String), Type: text, Logger: text, Payload: text, Hostname: text },
    ...{ Severity: fc.integer({ min: 0, max: 7 }), Pid: fc.nat(), Fields: fc.array(field, { maxLength: 6 }) },
  },
  { requiredKeys: ['Timestamp'] },
);

test('injects the same messages, in the same order of fields', async () => {
  const options = { kind: 'decoder', modules: [join(PLUGINS, 'modules')], extension: '.mjs', limits: { memory: 2 ** 26 } } as const;
  const [written, tables] = await Promise.all(
    [SOURCE('writer.inject(message)'), SOURCE(TABLE)].map((source) => bench.start(source, options)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 60 }), async (messages) => {
      const batch = batchOf(messages.map((value) => line(JSON.stringify(value))));
      const [ours, theirs] = await Promise.all([written, tables].map(async (sandbox) => stable(await sandbox!.process(batch, null))));
      const rows = (result: typeof ours): unknown => ({ ...result, failures: result!.failures.map(({ row }) => row) });
      expect(rows(ours)).toEqual(rows(theirs));
    }),
    { numRuns: 40 },
  );
});
