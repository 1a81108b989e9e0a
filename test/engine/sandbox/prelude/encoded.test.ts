import { afterAll, expect, test } from 'vitest';
import { decodeMessage } from '../../../../engine/message/protobuf/protobuf.ts';
import { formatUuid } from '../../../../engine/message/uuid.ts';
import type { SandboxResult } from '../../../../engine/sandbox/contract/types.ts';
import { batchOf, line, message, number, SandboxBench } from '../harness.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

async function encode(code: string, payloads: readonly string[], selection: Uint32Array | null = null): Promise<SandboxResult> {
  const sandbox = await bench.start(`function process_message() { const p = read_message('Payload'); ${code} }`, { kind: 'encoder' });
  const result = await sandbox.process(batchOf(payloads.map(line)), selection);
  await sandbox.stop();
  return result;
}

/** Each output with its row, as text. */
function outputs({ encoded }: SandboxResult): [row: number, text: string][] {
  if (!encoded) return [];
  const { rows, ends, bytes } = encoded;
  return Array.from(rows, (row, i) => [row, Buffer.from(bytes.subarray(i === 0 ? 0 : ends[i - 1], ends[i])).toString()]);
}

test('payloads and bytes, in the order of their rows', async () => {
  const code = `if (p === 'b') inject_message({ Type: 'T' }); else inject_payload('txt', 'n', p + '!'); return 0;`;
  const result = await encode(code, ['é', 'b', '😀', '']);
  const { bytes, ends } = result.encoded ?? { bytes: new Uint8Array(0), ends: new Uint32Array(0) };
  expect(result).toMatchObject({ injected: null, origins: null, failures: [], terminated: null });
  expect(outputs(result).filter(([row]) => row !== 1)).toEqual([
    [0, 'é!'],
    [2, '😀!'],
    [3, '!'],
  ]);
  expect(decodeMessage(bytes.subarray(ends[0], ends[1]))).toMatchObject({ type: 'T', fields: [] });
});

test('the last injection counts, and a text that is half a character', async () => {
  const result = await encode(`inject_payload('txt', '', 'first'); inject_payload('txt', '', p); return 0;`, ['a\ud83d', '\ude00b', 'c']);
  expect(outputs(result)).toEqual([
    [0, 'a\ufffd'],
    [1, '\ufffdb'],
    [2, 'c'],
  ]);
});

test('rows that are left alone, changed, skipped and refused', async () => {
  const code = `
    if (p === 'skip') { inject_payload('txt', '', 'lost'); return -2; }
    if (p === 'refuse') { inject_payload('txt', '', 'lost'); return [-1, 'not this one']; }
    if (p === 'change') write_message('Payload', 'changed');
    return 0;`;
  const result = await encode(code, ['skip', 'as it is', 'refuse', 'change', 'as it is']);
  expect([...(result.passed ?? [])]).toEqual([1, 4]);
  expect(result.failures).toEqual([{ row: 2, reason: 'not this one' }]);
  expect([...(result.encoded?.rows ?? [])]).toEqual([3]);
  expect(decodeMessage(result.encoded?.bytes ?? new Uint8Array(0)).payload).toBe('changed');
});

test('what a message that is left out added to the payload is not in the next one', async () => {
  const code = `
    add_to_payload('<', p);
    if (p === 'skip') return -2;
    if (p === 'refuse') return -1;
    if (p === 'both') { inject_payload(); add_to_payload('more'); return [-1, 'no']; }
    inject_payload('txt', '', '>'); return 0;`;
  expect(outputs(await encode(code, ['a', 'skip', 'b', 'refuse', 'refuse', 'c', 'both', 'd']))).toEqual([
    [0, '<a>'],
    [2, '<b>'],
    [5, '<c>'],
    [7, '<d>'],
  ]);
});

test('text that was added before a message that is left out stays', async () => {
  const code = `if (p === 'skip') { inject_payload('txt', '', 'lost'); return -2; } add_to_payload(p); if (p !== 'end') return 0; inject_payload(); return 0;`;
  const [payload] = outputs(await encode(code, ['a', 'skip', 'b', 'end']));
  expect(payload).toEqual([3, 'abend']);
});

test('a selection of rows', async () => {
  const result = await encode(
    `if (p === 'c') return 0; inject_payload('txt', '', p); return 0;`,
    ['a', 'b', 'c', 'd'],
    Uint32Array.of(1, 2, 3),
  );
  expect(outputs(result)).toEqual([
    [1, 'b'],
    [3, 'd'],
  ]);
  expect([...(result.passed ?? [])]).toEqual([2]);
});

test('a table without a uuid gets a random one, whatever the script did to randomness', async () => {
  const code = `try { Math.random = () => 0; } catch {} inject_message(p === 'own' ? { Uuid: 'ABCDEFGHIJKLMNOP' } : { Payload: p }); return 0;`;
  const uuids = async (): Promise<string[]> => {
    const { bytes, ends } = (await encode(code, ['a', 'b', 'own'])).encoded ?? { bytes: new Uint8Array(0), ends: new Uint32Array(0) };
    return Array.from(ends, (end, i) => formatUuid(decodeMessage(bytes.subarray(i === 0 ? 0 : ends[i - 1], end)).uuid));
  };
  const all = [...(await uuids()), ...(await uuids())];
  expect([all[2], all[5]]).toEqual(['41424344-4546-4748-494a-4b4c4d4e4f50', '41424344-4546-4748-494a-4b4c4d4e4f50']);
  const random = all.filter((_, i) => i % 3 < 2);
  for (const one of random) expect(one).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(random).size).toBe(4);
});

test('an end keeps what was made before it', async () => {
  const result = await encode(`inject_payload('txt', '', p); if (p === 'b') throw new Error('enough'); return 0;`, ['a', 'b', 'c']);
  expect(outputs(result)).toEqual([[0, 'a']]);
  expect(result.terminated).toMatchObject({ row: 1 });
});

test('nothing to encode', async () => {
  expect(await encode('return -2;', ['a'])).toMatchObject({ encoded: null, failures: [] });
  const sandbox = await bench.start('function process_message() { return 0; }', { kind: 'encoder' });
  const result = await sandbox.process(batchOf([message({ fields: [number('a', 1)] })]), null);
  expect(result).toMatchObject({ encoded: null, injected: null });
  expect([...(result.passed ?? [])]).toEqual([0]);
});
