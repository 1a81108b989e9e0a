/** Files of the kernel on large machines, in sandboxes with the limits that they have by default. */
import { afterAll, describe, expect, test } from 'vitest';
import { ValueType, type Message } from '../../engine/message/types.ts';
import type { SandboxKind } from '../../engine/sandbox/contract/types.ts';
import { UUID, batchOf, messagesOf } from '../engine/sandbox/harness.ts';
import { PluginBench } from './support/plugin-bench.ts';

const bench = new PluginBench();
afterAll(() => bench.close());

const TIMES = '12345678 78910 9012123 345678912 12345 3 4123123 5 6 7';

/** `/proc/stat` of a machine with so many processors and interrupts. */
function procStat(processors: number, interrupts: number): string {
  const cpus = Array.from({ length: processors }, (_, i) => `cpu${i} ${TIMES}\n`).join('');
  const counts = Array.from({ length: interrupts }, (_, i) => (i % 3 === 0 ? (i * 7919) % 1_000_000 : 0)).join(' ');
  return `cpu  ${TIMES}\n${cpus}intr 123456789 ${counts}\nctxt 1990473\nbtime 1614949679\nsoftirq 183433 0 21755 12 39 1137 231 21459 2263 0 136537\n`;
}

const message = (payload: string): Message => ({ uuid: UUID, timestamp: 0n, payload, fields: [] });

/** Fields that a decoder makes of a record, and the reason if it was refused or the decoder ended. */
async function decode(name: string, payload: string): Promise<{ fields: Map<string, ArrayLike<unknown>>; fault: unknown }> {
  const sandbox = await bench.startPlugin('decoder', name, {});
  const result = await sandbox.process(batchOf([message(payload)]), null);
  await sandbox.stop();
  const [first] = messagesOf(result);
  return {
    fields: new Map(first?.fields.map((field) => [field.name, field.values])),
    fault: result.terminated ?? result.failures[0]?.reason ?? null,
  };
}

describe('linux_procstat', () => {
  test.each([
    [4, 500, 501, 6 + 4 - 1],
    [128, 9_000, 1, 6 + 128 - 1],
    [16, 60_000, 1, 6 + 16 - 1],
    [512, 250_000, 1, 6 + 512 - 1],
    [2048, 40_000, 1, 5],
  ])('of %d processors and %d interrupts', async (processors, interrupts, counters, names) => {
    const { fields, fault } = await decode('linux_procstat', procStat(processors, interrupts));
    expect(fault).toBeNull();
    expect(fields.size).toBe(names);
    expect(fields.get('intr')).toHaveLength(counters);
    expect(fields.get('intr')?.[0]).toBe(123456789);
    expect(Array.from(fields.get('cpu') ?? [])).toEqual(TIMES.split(' ').map(Number));
    expect(fields.get('softirq')).toHaveLength(11);
  });
});

test('linux_memstats of very many lines is refused, not ended', async () => {
  const { fault } = await decode('linux_memstats', Array.from({ length: 5_000 }, (_, i) => `Field${i}:   ${i} kB\n`).join(''));
  expect(fault).toContain('output_limit');
});

test.each([
  ['linux_memstats', Array.from({ length: 500 }, (_, i) => `Field${i}:   ${i} kB\n`).join(''), 500],
  ['linux_diskstats', `${Array.from({ length: 17 }, () => '18446744073709551615').join(' ')}\n`, 11],
  ['linux_loadavg', '99999.99 99999.99 99999.99 99999/4194304 4194304\n', 4],
])('%s', async (name, content, count) => {
  const { fields, fault } = await decode(name, content);
  expect(fault).toBeNull();
  expect(fields.size).toBe(count);
});

test.each<[kind: SandboxKind, processors: number]>([
  ['filter', 8],
  ['filter', 512],
])('the %s procstat of %d processors goes on', async (kind, processors) => {
  const filter = await bench.startPlugin(kind, 'procstat', { config: { extras: true } });
  const fields = [...(await decode('linux_procstat', procStat(processors, 500))).fields].map(([name, values]) => ({
    name,
    valueType: ValueType.DOUBLE,
    values: Array.from(values as ArrayLike<number>),
  }));
  for (let i = 0; i < 3; i++) {
    const result = await filter.process(batchOf([{ uuid: UUID, timestamp: BigInt(i), type: 'stats.proc', fields }]), null);
    expect(result.terminated).toBeNull();
  }
  await filter.stop();
});

test('csv of hundreds of columns', async () => {
  const columns = 600;
  const row = Array.from({ length: columns }, (_, i) => i % 10).join();
  const header = Array.from({ length: columns }, (_, i) => `c${i}`).join();
  const sandbox = await bench.startPlugin('decoder', 'csv', { config: { header, number_fields: '*' } });
  const result = await sandbox.process(batchOf(Array.from({ length: 1000 }, () => message(row))), null);
  await sandbox.stop();
  expect(result.terminated).toBeNull();
  expect(result.failures).toEqual([]);
  expect(messagesOf(result).map(({ fields }) => fields.length)).toEqual(Array.from({ length: 1000 }, () => columns));
});
