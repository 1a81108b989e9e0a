import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MessageBatch } from '../../../engine/message/batch/batch.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { JsonSink, STANDARD } from '../../../engine/message/json/json-sink.ts';
import type { Field, Message } from '../../../engine/message/types.ts';
import { flatLines } from '../../../engine/outputs/flat-lines.ts';
import { encodeWithScript } from '../../../engine/outputs/script-encoder.ts';
import { findPlugin, modulesFolder } from '../../../engine/plugins/catalog.ts';
import { startParameters } from '../../../engine/plugins/parameters.ts';
import type { Sandbox } from '../../../engine/sandbox/contract/types.ts';
import { messages } from '../message/arbitraries.ts';
import { SandboxBench } from '../sandbox/harness.ts';

const LIMIT = 500;
const bench = new SandboxBench();
const plugin = findPlugin('encoder', 'json_lines');
let script: Sandbox;

beforeAll(async () => {
  const config = startParameters(plugin, {});
  script = await bench.startFile(plugin.path, { kind: 'encoder', config, modules: [modulesFolder()], limits: { output: LIMIT } });
});
afterAll(() => bench.close());

type Lines = Pick<ReturnType<typeof flatLines>, 'rows' | 'failures'> & { readonly pieces: Iterable<Uint8Array> };
const shown = ({ pieces, rows, failures }: Lines): object => ({
  lines: Array.from(pieces, (piece) => Buffer.from(piece).toString()),
  rows: [...rows],
  failures,
});

const sink = new JsonSink(undefined, STANDARD);
async function expectSame(batch: MessageBatch, rows: Uint32Array | null): Promise<void> {
  const wanted = shown(await encodeWithScript(script, batch, rows));
  expect(shown(flatLines(batch, rows, LIMIT))).toEqual(wanted);
  expect(shown(flatLines(batch, rows, LIMIT, sink))).toEqual(wanted);
}

const everyOther = (length: number): Uint32Array => Uint32Array.from({ length }, (_, row) => row).filter((row) => row % 2 === 0);

/** Fields whose names meet each other, or those of headers. */
const named = (names: readonly string[]): Message => ({
  uuid: new Uint8Array(16),
  timestamp: 1_614_949_679_250_000_000n,
  type: 'x',
  fields: names.map((name, i): Field => ({ name, valueType: 2, values: [BigInt(i)] })),
});

describe('the lines of the bundled encoder json_lines', () => {
  test('of messages of any shape', async () => {
    const property = fc.asyncProperty(messages(), async (list) => {
      await expectSame(batchOf(list), null);
      await expectSame(batchOf(list), everyOther(list.length));
    });
    await fc.assert(property, { numRuns: 200 });
  });

  test('of fields of any names', async () => {
    const name = fc.constantFrom('Type', 'Type2', 'Type3', 'Timestamp', 'Uuid', 'a', 'a2', 'a3', '"', 'ü', '\u007f', '\u202e', '__proto__');
    const property = fc.asyncProperty(fc.array(fc.array(name, { maxLength: 6 }), { maxLength: 6 }), async (lists) => {
      await expectSame(batchOf(lists.map(named)), null);
    });
    await fc.assert(property, { numRuns: 100 });
  });

  test.each([
    0n,
    1n,
    999n,
    500n,
    -1n,
    -1_500n,
    1_614_949_679_250_000_000n,
    1_614_949_679_999_999_700n,
    1_614_949_679_000_001_000n,
    2n ** 63n - 1n,
    -(2n ** 63n),
  ])('of the time %d', async (timestamp) => {
    await expectSame(batchOf([{ uuid: new Uint8Array(16), timestamp, fields: [] }]), null);
  });

  test('has no limit when that is 0', () => {
    const message = { ...named([]), payload: 'x'.repeat(100_000) };
    expect(flatLines(batchOf([message]), null, 0).pieces.bytes.length).toBeGreaterThan(100_000);
  });
});
