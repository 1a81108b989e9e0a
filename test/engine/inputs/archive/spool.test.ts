import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, expect, it } from 'vitest';
import { Spool } from '../../../../engine/inputs/archive/spool.ts';

const BYTES = Buffer.from(Array.from({ length: 2_500_000 }, (_, i) => (i * 7 + (i >> 9)) & 255));
const spool = new Spool();
afterAll(() => spool.close());

it('gives what was added from any place, and its file has no name', async () => {
  for (let at = 0; at < BYTES.length; at += 70_001) spool.add(BYTES.subarray(at, at + 70_001));
  expect(spool.size).toBe(BYTES.length);
  spool.end();
  for (const [from, size] of [
    [0, BYTES.length],
    [1_048_570, 12],
    [1_048_576, 1_048_577],
    [2_499_999, 1],
    [5, 0],
  ] as const) {
    const pieces: Buffer[] = [];
    for await (const piece of spool.read(from, size)) pieces.push(Buffer.from(piece));
    expect(Buffer.concat(pieces).equals(BYTES.subarray(from, from + size))).toBe(true);
  }
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('sluicebox-archive-'))).not.toContainEqual(
    expect.stringMatching(/^sluicebox-archive-[0-9a-f]{8}-[0-9a-f]{4}-/),
  );
});
