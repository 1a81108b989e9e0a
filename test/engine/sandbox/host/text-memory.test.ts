import { afterAll, expect, test } from 'vitest';
import type { Frame } from '../../../../engine/sandbox/wire/frames.ts';
import { TextMemory } from '../../../../engine/sandbox/host/text-memory.ts';
import { batchOf, line, SandboxBench } from '../harness.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

test('texts of a usual size are shared, one behind the other, and larger memory when they do not fit', () => {
  let times = 0;
  const memory = new TextMemory(() => void times++);
  const texts = (wide: boolean, ...sizes: number[]): (string | number)[] => {
    const bytes = Buffer.concat(sizes.map((size, i) => Buffer.alloc(size, 97 + i)));
    return memory.delivered(
      { texts: bytes } as unknown as Frame,
      sizes.map((size) => ({ bytes: size, wide })),
    );
  };
  expect(texts(false, 3, 2)).toEqual(['aaa', 'bb']);
  expect(texts(false, 4000, 200)).toEqual([4000, 200]);
  expect([memory.text(0), memory.text(1)]).toEqual(['a'.repeat(4000), 'b'.repeat(200)]);
  expect(memory.text(2)).toBe('');
  expect(texts(false, 8192)).toEqual([8192]);
  expect(texts(true, 8192)).toEqual(['慡'.repeat(4096)]);
  expect(texts(false, (1 << 22) + 1)).toHaveLength(1);
  expect(times).toBe(1);
  texts(false, 8193);
  expect(times).toBe(2);
  for (let asked = 1; asked <= 3; asked++) {
    expect(typeof texts(false, 8192)[0]).toBe('number');
    memory.text(0);
  }
  expect(typeof texts(false, 8192)[0]).toBe('string');
  expect(typeof texts(false, 8192)[0]).toBe('string');
});

/** Injects what it reads of the payload in each way. */
const READER = `
  function process_message() {
    const { text, units, start, end } = payload_span();
    let read = '';
    for (let i = start; units !== null && i < end; i++) read += String.fromCharCode(units[i]);
    const shared = units !== null && Object.getPrototypeOf(units.buffer);
    const more = shared === false || Reflect.ownKeys(shared).join() === 'byteLength' && Object.isFrozen(shared) ? '' : 'more';
    inject_message({ Payload: read_message('Payload') + '|' + text.slice(start, end) + '|' + read + more });
    return 0;
  }`;

test('a decoder reads the same from the bytes and from the text, batch after batch, and gets no more memory from them', async () => {
  const sandbox = await bench.start(READER, { kind: 'decoder' });
  for (const [count, letter, hasUnits] of [
    [3, 'a', false],
    [900, 'b', true],
    [400, 'é', true],
    [900, 'Ж', false],
    [2000, 'c', true],
    [5, 'd', false],
  ] as const) {
    const lines = Array.from({ length: count }, (_, i) => `${letter.repeat(i % 7)} line ${i}`);
    const { injected, terminated } = await sandbox.process(batchOf(lines.map(line)), null);
    expect(terminated).toBeNull();
    const read = Array.from({ length: count }, (_, row) => injected?.message(row).payload);
    expect(read).toEqual(lines.map((text) => `${text}|${text}|${hasUnits ? text : ''}`));
  }
  await sandbox.stop();
});
