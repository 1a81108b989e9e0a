import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Message } from '../../../engine/message/types.ts';
import { findPlugin, modulesFolder } from '../../../engine/plugins/catalog.ts';
import { startParameters } from '../../../engine/plugins/parameters.ts';
import type { Sandbox } from '../../../engine/sandbox/contract/types.ts';
import { messages } from '../message/arbitraries.ts';
import { batchOf, messagesOf, number, SandboxBench, text } from './harness.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

/** The common part of the scripts: counts messages, and reads everything in one. */
const COMMON = `
  var seen = 0;
  function all() {
    const parts = [];
    for (const name of ['Uuid', 'Timestamp', 'Type', 'Logger', 'Severity', 'Payload', 'EnvVersion', 'Pid', 'Hostname', 'Fields[a]', 'Fields[b]']) {
      parts.push(read_message(name));
    }
    parts.push(read_message('Fields[a]', 1), read_message('Fields[a]', 0, 1), read_message('Fields[c]', 1, 1));
    for (let field = read_next_field(); field[1] !== null; field = read_next_field()) parts.push(...field);
    return parts.map((part) => part instanceof Uint8Array ? 'bytes ' + [...part] : String(part)).join('|');
  }`;

const SCRIPTS: Readonly<Record<'decoder' | 'filter', string>> = {
  decoder: `${COMMON}
  function process_message() {
    seen++;
    const text = all();
    if (seen % 5 === 0) return [-1, 'refused ' + seen + text.length];
    if (seen % 4 === 0) {
      for (let i = 0; i < seen % 3 + 1; i++) inject_message({ Timestamp: 5, Type: 'made', Payload: text, Fields: { i, list: [i, seen], seen: { value: seen, value_type: 2, representation: 'n' } } });
      return 0;
    }
    if (seen % 3 === 0) { add_to_payload(seen, ' '); if (seen % 2 === 0) inject_payload('txt', 'p', text); return 0; }
    if (seen % 7 !== 0) { write_message('Fields[seen]', seen, 'n'); write_message('Payload', text); write_message('Fields[a]', null); }
    return 0;
  }`,
  filter: `${COMMON}
  function process_message() {
    seen++;
    if (seen % 5 === 0) return [-1, 'refused ' + seen];
    if (seen % 3 === 0) { add_to_payload(seen, ' '); return 0; }
    inject_payload('txt', 'p' + seen % 2, all());
    return 0;
  }`,
};

interface Outcome {
  readonly messages: unknown[];
  readonly origins: number[];
  readonly failures: { readonly row: number; readonly reason: string }[];
}

/** The results of a new sandbox that gets the messages in batches of these sizes; the last size is repeated. */
async function outcome(kind: 'decoder' | 'filter', list: readonly Message[], sizes: readonly number[]): Promise<Outcome> {
  return outcomeOf(await bench.start(SCRIPTS[kind], { kind }), list, sizes);
}

async function outcomeOf(sandbox: Sandbox, list: readonly Message[], sizes: readonly number[]): Promise<Outcome> {
  const { kind } = sandbox.spec;
  const all: Outcome = { messages: [], origins: [], failures: [] };
  for (let from = 0, i = 0; from < list.length; i++) {
    const part = list.slice(from, from + (sizes[Math.min(i, sizes.length - 1)] as number));
    const result = await sandbox.process(batchOf(part), null);
    expect(result.terminated).toBeNull();
    const made = messagesOf(result);
    const first = from;
    for (const [row, message] of made.entries()) {
      all.origins.push(first + (result.origins === null ? row : (result.origins[row] as number)));
      // The uuid and the time of a message that a script creates differ from run to run.
      const { uuid, timestamp, ...rest } = message;
      const given = list.some((one) => Buffer.compare(one.uuid, uuid) === 0);
      all.messages.push({ ...rest, ...(kind === 'decoder' ? { timestamp: given || timestamp === 5n ? timestamp : 'now' } : {}) });
    }
    for (const { row, reason } of result.failures) all.failures.push({ row: first + row, reason });
    from += part.length;
  }
  await sandbox.stop();
  return all;
}

describe('the size of batches is not to be seen', () => {
  const sizes = fc.oneof(fc.constant([1]), fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 }));

  it.each(['decoder', 'filter'] as const)('by a %s, for messages of every shape', async (kind) => {
    await fc.assert(
      fc.asyncProperty(messages(undefined, 24), sizes, async (list, sizes) => {
        expect(await outcome(kind, list, sizes)).toEqual(await outcome(kind, list, [Math.max(1, list.length)]));
      }),
      { numRuns: 25 },
    );
  });

  it.each(['decoder', 'filter'] as const)('by a %s, for 4096 messages at once', async (kind) => {
    const list = Array.from({ length: 4096 }, (_, i): Message => ({
      uuid: new Uint8Array(16).fill(i % 200),
      timestamp: BigInt(i),
      ...(i % 3 === 0 ? {} : { type: 't' }),
      payload: `line ${i % 10}`,
      fields: i % 4 === 0 ? [text('a', 'x', String(i)), text('a', 'y')] : [number('b', i)],
    }));
    const whole = await outcome(kind, list, [4096]);
    expect(whole.failures).toHaveLength(819);
    expect(await outcome(kind, list, [1, 1, 2, 3, 89, 400, 1000])).toEqual(whole);
  });

  it('by a bundled decoder, which works on columns', async () => {
    const plugin = findPlugin('decoder', 'nginx_access');
    const config = startParameters(plugin, { log_format: '$remote_addr [$time_local] "$request" $status', type: 'web' });
    const lineOf = (i: number): string =>
      i % 11 === 0
        ? `garbage ${i}`
        : `192.0.2.${i % 7} [20/Nov/2026:10:00:${String(i % 60).padStart(2, '0')} +0000] "GET /${'ü'.repeat(i % 3)}${i} HTTP/1.1" ${200 + (i % 5)}`;
    const list = Array.from({ length: 300 }, (_, i): Message => ({
      uuid: new Uint8Array(16).fill(i % 250),
      timestamp: 1n,
      payload: lineOf(i),
      fields: [],
    }));
    const decode = async (sizes: readonly number[]): Promise<Outcome> =>
      outcomeOf(await bench.startFile(plugin.path, { kind: 'decoder', config, modules: [modulesFolder()] }), list, sizes);
    const whole = await decode([300]);
    expect(whole.messages).toHaveLength(272);
    expect(await decode([1])).toEqual(whole);
    expect(await decode([7])).toEqual(whole);
  });
});
