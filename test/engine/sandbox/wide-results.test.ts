import { afterAll, expect, test } from 'vitest';
import type { Field } from '../../../engine/message/types.ts';
import { testMs } from '../../patience.ts';
import { batchOf, line, messagesOf, number, SandboxBench } from './harness.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

const RECORDS = 4000;
const FIELDS = 12;

/** A decoder whose messages have names that no other has; each seventh record is passed on, and each eleventh refused. */
const source = `function process_message() {
  const record = Number(read_message('Payload'));
  if (record % 11 === 0) return [-1, 'refused ' + record];
  if (record % 7 === 0) return 0;
  const Fields = {};
  for (let i = 0; i < ${FIELDS}; i++) Fields['name_' + (record * ${FIELDS} + i)] = i;
  inject_message({ Fields });
  return 0;
}`;

const batch = (from: number, count: number): ReturnType<typeof batchOf> =>
  batchOf(Array.from({ length: count }, (_, i) => line(String(from + i))));

test('a decoder without a state takes records with more names than fit into its memory at once', { timeout: 2 * testMs() }, async () => {
  const sandbox = await bench.start(source, { kind: 'decoder', stateless: true, limits: { instructions: 0 } });
  const rows = Uint32Array.from({ length: 500 }, (_, i) => i * 2 + 1);
  const results = await Promise.all([sandbox.process(batch(0, RECORDS), null), sandbox.process(batch(RECORDS, 1000), rows)]);
  for (const [part, result] of results.entries()) {
    const numbers = part === 0 ? Array.from({ length: RECORDS }, (_, i) => i) : [...rows].map((row) => RECORDS + row);
    const rowOf = (record: number): number => record - part * RECORDS;
    expect([result.terminated, result.done]).toEqual([null, undefined]);
    expect(result.failures).toEqual(
      numbers.filter((record) => record % 11 === 0).map((record) => ({ row: rowOf(record), reason: `refused ${record}` })),
    );
    const taken = numbers.filter((record) => record % 11 !== 0);
    expect([...(result.origins ?? [])]).toEqual(taken.map(rowOf));
    const fieldsOf = (record: number): Field[] => Array.from({ length: FIELDS }, (_, k) => number(`name_${record * FIELDS + k}`, k));
    expect(messagesOf(result).map(({ payload, fields }) => ({ payload, fields }))).toEqual(
      taken.map((record) =>
        record % 7 === 0 ? { payload: String(record), fields: [] } : { payload: undefined, fields: fieldsOf(record) },
      ),
    );
  }
  expect(await sandbox.report()).toMatchObject({ processed: RECORDS + rows.length });
  await sandbox.stop();
});
