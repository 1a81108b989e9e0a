import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { plainMessage, sorted, type PlainMessage } from './support/message.ts';
import { PLUGINS, metaOf, startPlugin, type Outcome } from './support/sandbox.ts';

/** When examples are read, unless they say so themselves: 2021-03-05T13:10:00Z. */
const READ_AT = 1614949800000000000n;

const files = ['decoders', 'filters', 'encoders'].flatMap((folder) =>
  readdirSync(PLUGINS).includes(folder) ? readdirSync(join(PLUGINS, folder)).map((name) => `${folder}/${name}`) : [],
);

/** Filters and encoders that take every message. */
const NEVER_REFUSE = [
  ...['count_alert', 'message_schema', 'procstat', 'svc_memstat', 'influx_batch', 'rate'],
  ...['alert', 'es_payload', 'schema_influx', 'schema_influx_line', 'schema_carbon_line', 'json_lines', 'plain_text'],
];

function input(message: string | InjectMessage): PlainMessage {
  const plain = plainMessage(typeof message === 'string' ? { Payload: message } : message);
  return { ...plain, Timestamp: plain.Timestamp ?? READ_AT };
}

/** Runs all messages and then, when nothing came out and nothing failed, the timer. */
function run(file: string, { config, in: messages }: ExampleMeta): Outcome {
  const plugin = startPlugin(file, config);
  let outcome: Outcome = { rc: 0, reason: '', injected: [] };
  let now = READ_AT;
  for (const message of Array.isArray(messages) ? (messages as readonly InjectMessage[]) : [messages as string]) {
    const plain = input(message);
    now = plain.Timestamp ?? READ_AT;
    outcome = plugin.process(plain);
  }
  return outcome.rc === 0 && outcome.injected.length === 0 ? plugin.timer(now) : outcome;
}

describe.each(files)('%s', (file) => {
  const meta = metaOf(file);

  test('says what it is, with an example and one that it refuses', () => {
    expect(file).toBe(`${meta.kind}s/${meta.name}.ts`);
    expect(meta.summary).not.toBe('');
    expect(meta.examples.some(({ out }) => out !== undefined)).toBe(true);
    expect(meta.examples.some(({ fails }) => fails !== undefined)).toBe(meta.kind === 'decoder' || !NEVER_REFUSE.includes(meta.name));
  });

  test.each(meta.examples)('$title', (example) => {
    const outcome = run(file, example);
    if (example.fails !== undefined) {
      expect(outcome).toMatchObject({ rc: -1, reason: example.fails, injected: [] });
      return;
    }
    expect(outcome).toMatchObject({ rc: 0, reason: '' });
    const expected = Array.isArray(example.out) ? (example.out as readonly InjectMessage[]) : [example.out as InjectMessage];
    if (meta.kind === 'encoder') expect(outcome.injected.map(({ Payload }) => ({ Payload }))).toEqual(expected);
    else expect(outcome.injected.map(sorted)).toEqual(expected.map((message) => sorted(plainMessage(message))));
  });
});
