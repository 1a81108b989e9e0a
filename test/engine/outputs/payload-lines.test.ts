import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPlugin, modulesFolder } from '../../../engine/plugins/catalog.ts';
import { startParameters } from '../../../engine/plugins/parameters.ts';
import { MessageBatch } from '../../../engine/message/batch/batch.ts';
import { textHeader, LatinText } from '../../../engine/message/latin-text.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { encodeWithScript } from '../../../engine/outputs/script-encoder.ts';
import { LineMemory, payloadLines } from '../../../engine/outputs/payload-lines.ts';
import type { Sandbox } from '../../../engine/sandbox/contract/types.ts';
import { anyText, messages } from '../message/arbitraries.ts';
import { SandboxBench } from '../sandbox/harness.ts';

const LIMIT = 64;
const bench = new SandboxBench();
const plugin = findPlugin('encoder', 'plain_text');
let script: Sandbox;

beforeAll(async () => {
  const config = startParameters(plugin, {});
  script = await bench.startFile(plugin.path, { kind: 'encoder', config, modules: [modulesFolder()], limits: { output: LIMIT } });
});
afterAll(() => bench.close());

interface Lines {
  readonly pieces: Iterable<Uint8Array>;
  readonly rows: Uint32Array;
  readonly failures: readonly object[];
}
const textsOf = (pieces: Iterable<Uint8Array>): string[] => Array.from(pieces, (piece) => Buffer.from(piece).toString());
const shown = ({ pieces, rows, failures }: Lines): object => ({ lines: textsOf(pieces), rows: [...rows], failures });

/** The batch with the text of its payloads as bytes, where these can hold it. */
function asBytes(batch: MessageBatch): MessageBatch {
  const { payload } = batch;
  if (payload === null || payload.constant !== undefined || /[^\0-\xff]/.test(payload.text)) return batch;
  const { rows, text, starts, ends } = payload;
  return batch.with({ payload: textHeader(rows, new LatinText(Buffer.from(text, 'latin1')), starts, ends) });
}

/** Used again for all batches, larger and smaller ones. */
const memory = new LineMemory();

async function expectSame(batch: MessageBatch, rows: Uint32Array | null): Promise<void> {
  expect(shown(payloadLines(asBytes(batch), rows, LIMIT, memory))).toEqual(shown(payloadLines(batch, rows, LIMIT)));
  expect(shown(payloadLines(asBytes(batch), rows, LIMIT))).toEqual(shown(payloadLines(batch, rows, LIMIT)));
  expect(shown(payloadLines(batch, rows, LIMIT))).toEqual(shown(await encodeWithScript(script, batch, rows)));
}

/** Texts in one backing text, each with something of it behind it. */
function withPayloads(texts: readonly (readonly [text: string, behind: string])[]): MessageBatch {
  const starts = new Uint32Array(texts.length);
  const ends = new Uint32Array(texts.length);
  let text = '';
  for (const [i, [own, behind]] of texts.entries()) {
    starts[i] = text.length;
    ends[i] = text.length + own.length;
    text += own + behind;
  }
  const { length } = texts;
  return new MessageBatch({ length, timestamps: new BigInt64Array(length), payload: { text, starts, ends, rows: null } });
}

const everyOther = (length: number): Uint32Array => Uint32Array.from({ length }, (_, row) => row).filter((row) => row % 2 === 0);

describe('the lines of the bundled encoder plain_text', () => {
  test('of messages of any shape', async () => {
    const property = fc.asyncProperty(messages(), async (list) => {
      await expectSame(batchOf(list), null);
      await expectSame(batchOf(list), everyOther(list.length));
    });
    await fc.assert(property, { numRuns: 100 });
  });

  const ascii = fc.string({ maxLength: LIMIT + 2 });
  const behind = fc.constantFrom('\n', '\n', '\n', '', '\r\n', ' ');
  test.each([
    ['ASCII', fc.array(fc.tuple(ascii, behind), { maxLength: 12 })],
    ['lines as they came', fc.array(fc.tuple(ascii, fc.constant('\n')), { maxLength: 12 })],
    ['any text', fc.array(fc.tuple(anyText, behind), { maxLength: 12 })],
  ])('of pieces of one text: %s', async (_, texts) => {
    const property = fc.asyncProperty(texts, async (pieces) => {
      const batch = withPayloads(pieces);
      await expectSame(batch, null);
      await expectSame(batch, everyOther(batch.length));
    });
    await fc.assert(property, { numRuns: 100 });
  });

  test('refuses a line from the limit on, and writes the others', () => {
    const batch = withPayloads(['short', 'x'.repeat(LIMIT - 2), 'x'.repeat(LIMIT - 1), 'last'].map((text) => [text, '\n']));
    const { pieces, rows, failures } = payloadLines(batch, null, LIMIT);
    expect([textsOf(pieces), [...rows]]).toEqual([
      ['short\n', `${'x'.repeat(LIMIT - 2)}\n`, 'last\n'],
      [0, 1, 3],
    ]);
    expect(failures).toEqual([{ row: 2, reason: `inject_payload: exceeded output_limit of ${LIMIT}` }]);
  });

  test('has no limit when that is 0', () => {
    expect(payloadLines(withPayloads([['x'.repeat(100_000), '']]), null, 0).pieces.bytes).toHaveLength(100_001);
  });
});
