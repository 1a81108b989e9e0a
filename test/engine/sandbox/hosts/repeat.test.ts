import { expect, it } from 'vitest';
import { repeatRows } from '../../../../engine/sandbox/hosts/repeat.ts';
import { FakeSandbox, message } from '../../pipeline/fakes.ts';
import { batchOf, line, messagesOf } from '../harness.ts';

const END = { code: 'limit.memory', reason: 'exceeded memory_limit of 8388608', limit: 8_388_608 } as const;
const lost = (count: number) => ({
  ...{ checkpoint: null, before: [], clock: undefined, done: null, end: END },
  batch: batchOf(Array.from({ length: count }, (_, i) => line(String(i)))),
  rows: Uint32Array.from({ length: count }, (_, i) => i),
});

it('gets the results of all rows again but for the last one, when none of them ends the script', async () => {
  const sandbox = new FakeSandbox('x', { process: ({ payload = '' }) => [message(payload)] });
  const result = await repeatRows(sandbox, lost(20));
  expect(messagesOf(result).map(({ payload }) => payload)).toEqual(Array.from({ length: 19 }, (_, i) => String(i)));
  expect(result.terminated).toMatchObject({ ...END, row: 19 });
});

it('ends with the row at which the results are more than a host holds', async () => {
  const sandbox = new FakeSandbox('x', { process: ({ payload = '' }) => [message(payload.padEnd(4 << 20, 'x'))] });
  const result = await repeatRows(sandbox, lost(1000));
  expect(result.injected?.length).toBe(15);
  expect(result.terminated).toMatchObject({ ...END, row: 15 });
  expect(sandbox.calls).toHaveLength(16);
});
