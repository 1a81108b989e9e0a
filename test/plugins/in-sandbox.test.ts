/** The examples of decoders and filters once more, in the sandbox that they are made for. */
import { readdirSync } from 'node:fs';
import { join, parse } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Field, Message } from '../../engine/message/types.ts';
import type { Sandbox, SandboxKind, SandboxResult } from '../../engine/sandbox/contract/types.ts';
import { UUID, batchOf, messagesOf } from '../engine/sandbox/harness.ts';
import { PluginBench } from './support/plugin-bench.ts';
import { plainMessage, sorted, type Field as PlainField, type PlainMessage, type Value } from './support/message.ts';
import { PLUGINS, metaOf } from './support/sandbox.ts';

const READ_AT = 1_614_949_800_000_000_000n;
const bench = new PluginBench();
afterAll(() => bench.close());

/** The message in the engine's form. */
function engineMessage(input: string | InjectMessage): Message {
  const { Timestamp = READ_AT, Fields, ...plain } = plainMessage(typeof input === 'string' ? { Payload: input } : input);
  const headers = {
    type: plain.Type,
    logger: plain.Logger,
    payload: plain.Payload,
    hostname: plain.Hostname,
    envVersion: plain.EnvVersion,
    severity: plain.Severity,
    pid: plain.Pid,
  };
  const set = Object.entries(headers).filter(([, value]) => value !== undefined);
  return { uuid: UUID, timestamp: Timestamp, ...(Object.fromEntries(set) as Partial<Message>), fields: Fields.map(engineField) };
}

function engineField({ name, value, representation }: PlainField): Field {
  const valueType = { string: 0, number: 3, boolean: 4 }[typeof value[0] as 'string' | 'number' | 'boolean'];
  return { name, valueType, values: value, ...(representation === undefined ? {} : { representation }) } as Field;
}

function fieldsOf({ fields }: Message): PlainField[] {
  return fields.map(({ name, values, representation }) => {
    const value = [...(values as readonly (Value | bigint)[])].map((item) => (typeof item === 'bigint' ? Number(item) : item));
    return { name, value, ...(representation === undefined ? {} : { representation }) };
  });
}

/** A message with only the headers that the example names: the sandbox fills in others. */
function comparable(message: Message, expected: PlainMessage): PlainMessage {
  const headers = { Timestamp: message.timestamp, Type: message.type, Payload: message.payload, Hostname: message.hostname };
  const more = { Severity: message.severity, Pid: message.pid, Logger: message.logger, EnvVersion: message.envVersion };
  const named = Object.entries({ ...headers, ...more }).filter(([name]) => name in expected);
  return sorted({ ...(Object.fromEntries(named) as Partial<PlainMessage>), Fields: fieldsOf(message) });
}

async function run(sandbox: Sandbox, { in: input }: ExampleMeta): Promise<SandboxResult> {
  const inputs = (Array.isArray(input) ? input : [input]) as readonly (string | InjectMessage)[];
  const messages = inputs.map(engineMessage);
  const result = await sandbox.process(batchOf(messages), null);
  if (sandbox.spec.kind !== 'filter' || result.injected !== null || result.failures.length > 0) return result;
  return sandbox.timer(messages.at(-1)?.timestamp ?? READ_AT);
}

const files = (['decoder', 'filter'] as const).flatMap((kind) =>
  readdirSync(join(PLUGINS, `${kind}s`)).map((file): [SandboxKind, string] => [kind, file]),
);

describe.each(files)('%s %s', (kind, file) => {
  test.each(metaOf(`${kind}s/${file}`).examples)('$title', async (example) => {
    const options = { config: example.config ?? {}, limits: { processInject: 10, output: 0 } };
    const sandbox = await bench.startPlugin(kind, parse(file).name, options);
    const result = await run(sandbox, example);
    await sandbox.stop();
    expect(result.terminated).toBeNull();
    if (example.fails !== undefined) {
      expect(result.failures.at(-1)?.reason).toBe(example.fails);
      return;
    }
    const outs = (Array.isArray(example.out) ? example.out : [example.out]) as readonly InjectMessage[];
    const expected = outs.map(plainMessage);
    expect(messagesOf(result).map((message, i) => comparable(message, expected[i] as PlainMessage))).toEqual(
      expected.map((message) => sorted(kind === 'filter' ? fromFilter(message) : message)),
    );
  });
});

/** As the sandbox sends a filter's message: with a prefix to its Type and, for a payload, an empty representation of its name. */
function fromFilter(message: PlainMessage): PlainMessage {
  const Fields = message.Fields.map((field) => (field.name === 'payload_name' ? { ...field, representation: '' } : field));
  return { ...message, Fields, ...(message.Type === undefined ? {} : { Type: `svc.sandbox.${message.Type}` }) };
}
