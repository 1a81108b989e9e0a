import { afterAll, describe, expect, test } from 'vitest';
import { replyAfterEnd } from '../../../../engine/sandbox/hosts/reply-after-end.ts';
import { ToEngine, ToHost } from '../../../../engine/sandbox/contract/protocol.ts';
import { batchOf, line, message, messagesOf, SandboxBench, text } from '../harness.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

const END = { code: 'filter.circular', reason: 'the message matches the own message_matcher' } as const;
/** Each message of it asks for a variable that no message before has asked for. */
const CURIOUS = `let n = 0; function process_message() { read_message('Fields[f' + n++ + ']'); return 0; }`;
const NEIGHBOUR = `function process_message() { inject_payload('txt', 'n', read_message('Payload')); return 0; }`;
const FIELDS = 200;
const batchFrom = (first: number) => batchOf(Array.from({ length: FIELDS }, (_, i) => message({ fields: [text(`f${first + i}`, 'x')] })));
const batches = [0, FIELDS, 2 * FIELDS].map(batchFrom);

describe('a sandbox that the engine ends while its host asks for something', () => {
  test('holds up neither its neighbours nor its host', async () => {
    const neighbour = await bench.start(NEIGHBOUR, { kind: 'filter' });
    for (let round = 0; round < 2; round++) {
      const curious = await bench.start(CURIOUS, { kind: 'filter' });
      const calls = batches.map((batch) => curious.process(batch, null));
      await calls[0];
      curious.terminate?.(END);
      await Promise.allSettled(calls);
      const result = await neighbour.process(batchOf([line('still here')]), null);
      expect(messagesOf(result).map(({ payload }) => payload)).toEqual(['still here']);
    }
  });

  const asked = (kind: number, head: unknown): unknown => {
    const json = typeof head === 'string' ? head : JSON.stringify(head);
    const answer = replyAfterEnd({ kind, box: 7, call: 3, head: json, block: new ArrayBuffer(0), texts: Buffer.alloc(0) });
    if (answer === null) return null;
    expect(answer).toMatchObject({ kind: ToHost.ANSWER, box: 7, call: 3 });
    return JSON.parse(answer.head);
  };

  test.each([
    ['a variable', ToEngine.REQUEST, { want: 'variable', name: 'Payload' }, { columns: [], texts: [] }],
    ['its script', ToEngine.REQUEST, { want: 'script' }, { error: 'the sandbox has ended' }],
    ['a module', ToEngine.REQUEST, { want: 'module', name: 'x' }, { error: 'the sandbox has ended' }],
    ['whether it goes on', ToEngine.REQUEST, { want: 'go on' }, { stop: true }],
    ['what to read', ToEngine.REQUEST, { want: 'input' }, { kind: 'stop' }],
    ['nonsense', ToEngine.REQUEST, '{', { error: 'the sandbox has ended' }],
    ['null', ToEngine.REQUEST, 'null', { error: 'the sandbox has ended' }],
    ['to take a part', ToEngine.PARTIAL, '{', { stop: true }],
  ])('is answered when it asks for %s', (_, kind, head, answer) => {
    expect(asked(kind, head)).toMatchObject(answer);
  });

  test('is not answered when it wants no answer', () => {
    for (const kind of [ToEngine.RESULT, ToEngine.STOPPED, ToEngine.SAVED, ToEngine.REPORTED, ToEngine.ENDED])
      expect(asked(kind, {})).toBeNull();
  });
});
