/** Every filter and encoder, under its usual limits, with messages that nobody should send: none may end. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Field, Message } from '../../engine/message/types.ts';
import type { Sandbox, SandboxKind } from '../../engine/sandbox/contract/types.ts';
import { batchOf, message, number, text } from '../engine/sandbox/harness.ts';
import { PluginBench } from './support/plugin-bench.ts';
import { ENCODERS, FILTERS, SECOND, START, messagesOf, type PluginCase } from './support/cases.ts';
import { PLUGINS } from './support/sandbox.ts';

const bench = new PluginBench();
afterAll(() => bench.close());

const MEGABYTE = 'x'.repeat(2 ** 20);
const SPECIAL = [
  ...'\0\t\n\r "\'\\,=;:%{}[]()|&<>#/.~`$^*+?!-_',
  '\u2028',
  '\ud800',
  'é',
  '𝄞',
  '__proto__',
  'constructor',
  '%{',
  '%{%Y}',
  '',
];
const NUMBERS = [NaN, Infinity, -Infinity, -0, 1e308, -1e308, 5e-324, 2 ** 53, 0.1, -1, 1e21];
const TEXTS = [...SPECIAL, MEGABYTE, '9'.repeat(400), '\n'.repeat(1000), 'nan', '1e999', 'a\nb\tc'];
const TIMES = [0n, -1n, 1n, -(2n ** 63n), 2n ** 63n - 1n, -62_135_596_800n * SECOND, 4_102_444_800n * SECOND, START * SECOND];

const bytes = (...values: number[][]): Uint8Array[] => values.map((value) => Uint8Array.from(value));

/** Every form that a field can have. */
function fieldsNamed(name: string): Field[] {
  return [
    { name, valueType: 0, values: [] },
    ...TEXTS.map((value) => text(name, value)),
    text(name, 'a', '', 'b'),
    { name, valueType: 1, values: bytes([]) },
    { name, valueType: 1, values: bytes([255, 0, 128], []) },
    { name, valueType: 2, values: [1n, -1n, 2n ** 63n - 1n] } as unknown as Field,
    ...NUMBERS.map((value) => number(name, value)),
    number(name, 1, NaN, 3, Infinity, 5),
    number(name, ...Array.from({ length: 2000 }, (_, i) => i)),
    { name, valueType: 4, values: [true] },
    { name, valueType: 4, values: [false, true] },
  ];
}

/** The names of the fields that a plugin reads, and others. */
function namesFor(entry: PluginCase): string[] {
  const own = messagesOf(entry, 1, 2)[0]?.fields.map(({ name }) => name) ?? [];
  const configured = Object.values(entry.config).flatMap((value) => /Fields\[(.*?)\]/.exec(String(value))?.[1] ?? []);
  return [...new Set([...own, ...configured, 'payload_name', 'timestamp'])];
}

function* hostileMessages(entry: PluginCase): Generator<Message> {
  const [ordinary = message()] = messagesOf(entry, 1, 2);
  yield message();
  for (const name of namesFor(entry)) {
    const others = ordinary.fields.filter((field) => field.name !== name);
    yield { ...ordinary, fields: others };
    for (const field of fieldsNamed(name)) yield { ...ordinary, fields: [...others, field] };
    yield { ...ordinary, fields: [...ordinary.fields, ...fieldsNamed(name)] };
  }
  for (const name of [...SPECIAL, MEGABYTE]) yield { ...ordinary, fields: [...ordinary.fields, text(name, 'v'), number(name, 1, 2)] };
  for (const value of TEXTS) {
    yield { ...ordinary, payload: value };
    yield { ...ordinary, type: value, logger: value, hostname: value, envVersion: value };
    if (ordinary.payload !== undefined) yield { ...ordinary, payload: ordinary.payload + value };
  }
  for (const timestamp of TIMES) yield { ...ordinary, timestamp };
  yield { ...ordinary, severity: -(2 ** 31), pid: 2 ** 31 - 1 };
  yield { ...ordinary, fields: Array.from({ length: 3000 }, (_, i) => text(`name ${i}`, `value ${i}`)) };
  yield* multiplied(ordinary);
}

/** Long texts that an output may repeat for each of many values. */
function* multiplied(ordinary: Message): Generator<Message> {
  const long = 'x'.repeat(100_000);
  const many = Array.from({ length: 3000 }, (_, i) => i);
  const fields = many.map((i) => number(`name${i}`, i));
  yield { ...ordinary, type: long, logger: long, hostname: long, fields };
  yield { ...ordinary, payload: long, fields };
  yield { ...ordinary, fields: [number(long, ...many)] };
}

/** A line unlike all others, every tenth of them very long. */
function line(i: number): string {
  return `word${i.toString(36)} of ${'é'.repeat(i % 7)} ${i % 10 === 0 ? `x${i.toString(2)} ℵ `.repeat(3000) : 'end'}`;
}

/** Ever new names and values. */
function* flood(entry: PluginCase): Generator<Message> {
  const names = namesFor(entry);
  for (let i = 0; i < 6000; i++) {
    const [ordinary = message()] = messagesOf(entry, i, i + 1);
    const own = i % 2 === 0 ? ordinary.fields : names.map((name) => text(name, `${'long '.repeat(i % 400)}${i}`));
    const headers = {
      logger: `logger ${i}`,
      hostname: `host ${i % 3}`,
      type: `type ${i % 7}`,
      ...(i % 2 === 0 ? {} : { payload: line(i) }),
    };
    yield { ...ordinary, ...headers, fields: [...own, text(`name ${i}`, 'v')] };
  }
}

const start = (kind: SandboxKind, { plugin, config }: PluginCase): Promise<Sandbox> =>
  bench.startPlugin(kind, plugin, { config, limits: { processInject: 1 } });

async function feed(sandbox: Sandbox, messages: Iterable<Message>, ticks: boolean): Promise<void> {
  const list = [...messages];
  for (let from = 0; from < list.length; from += 100) {
    const part = list.slice(from, from + 100);
    const { terminated } = await sandbox.process(batchOf(part), null);
    expect(terminated && `${terminated.reason} at ${describeMessage(part[terminated.row])}`).toBeNull();
    if (ticks) {
      for (const ns of [START * SECOND, 0n, -SECOND, (START + 7200n) * SECOND]) {
        const tick = await sandbox.timer(ns);
        expect(tick.terminated).toBeNull();
      }
    }
  }
}

function describeMessage(message: Message | undefined): string {
  return JSON.stringify(message, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : typeof value === 'string' ? value.slice(0, 60) : value,
  ).slice(0, 600);
}

const all = [
  ...FILTERS.map((entry) => ({ kind: 'filter' as const, entry })),
  ...ENCODERS.map((entry) => ({ kind: 'encoder' as const, entry })),
];

test.each([
  ['filters', FILTERS],
  ['encoders', ENCODERS],
] as const)('all %s are here', (folder, entries) => {
  const files = readdirSync(join(PLUGINS, folder)).map((file) => file.replace(/\.ts$/, ''));
  expect(entries.map(({ plugin }) => plugin)).toEqual(files.toSorted());
});

describe.each(all)('$kind $entry.plugin', ({ kind, entry }) => {
  test.each([
    ['hostile', hostileMessages],
    ['flood', flood],
  ] as const)('%s', async (_, messages) => {
    const sandbox = await start(kind, entry);
    await feed(sandbox, messages(entry), kind === 'filter' && entry.tickless !== true);
    const [ordinary] = messagesOf(entry, 2, 3);
    const { terminated } = await sandbox.process(batchOf([ordinary as Message]), null);
    expect(terminated).toBeNull();
    await sandbox.stop();
  });
});

/** A graph with a name of its own. */
function graphNamed(name: string): Message {
  const column_info = Array.from({ length: 20 }, (_, i) => ({ name: `c${i}`, unit: 'count', aggregation: 'sum' }));
  const header = JSON.stringify({ time: 0, rows: 2, columns: 20, seconds_per_row: 60, column_info });
  return { ...message({ payload: `${header}\n60\t1\n`, hostname: 'h' }), fields: [text('payload_name', name)] };
}

describe('ever new long names', () => {
  const names = Array.from({ length: 5000 }, (_, i) => `${i} `.padEnd(990, 'ℵ'));

  test.each<[plugin: string, config: PluginCase['config'], messages: () => Message[]]>([
    ['message_schema', {}, () => names.map((name) => message({ type: name, envVersion: name }))],
    ['cbufd_aggregator', { enable_delta: true }, () => names.map(graphNamed)],
    ['cbufd_host_aggregator', { max_hosts: 2, rows: 2 }, () => names.map(graphNamed)],
  ])('%s', async (plugin, config, messages) => {
    const sandbox = await bench.startPlugin('filter', plugin, { config });
    await feed(sandbox, messages(), true);
    await sandbox.stop();
  });
});
